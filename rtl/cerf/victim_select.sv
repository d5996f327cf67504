// The way of a set that a new register or line takes (section III-D).
//
// The lowest inactive way; else the least recently used one: under LRU-prioritized of the ways that
// hold cache data, so that a register is never replaced, under LRU-fair of all ways.
module victim_select
  import cerf_pkg::*;
#(
  parameter  int unsigned Ways    = 4,
  localparam int unsigned AgeBits = $clog2(Ways)
) (
  input  logic                         fair_i,
  input  state_e                       state_i [Ways],
  input  logic [Ways-1:0][AgeBits-1:0] age_i,
  output logic                         found_o,
  output logic [Ways-1:0]              way_o     // one-hot, zero unless found
);

  logic [Ways-1:0]    inactive, yields, oldest;

  for (genvar w = 0; w < Ways; w++) begin : gen_kind
    assign inactive[w] = state_i[w] == StInactive;
    assign yields[w]   = fair_i || state_i[w] == StCache || state_i[w] == StDirty;
  end

  // A way is the least recently used one if each other that yields is younger.
  always_comb begin : least_recent
    oldest = yields;
    for (int unsigned w = 0; w < Ways; w++) begin
      for (int unsigned v = 0; v < w; v++) begin
        if (age_i[w] > age_i[v]) oldest[v] &= !yields[w];
        else oldest[w] &= !yields[v];
      end
    end
  end

  assign way_o   = (inactive != '0) ? inactive & (~inactive + Ways'(1)) : oldest;
  assign found_o = way_o != '0;

endmodule
