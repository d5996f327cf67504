// The order in which the lines of each set were used, and which line leaves: the least recently
// used one that is not locked, else the least recently used one (OSM, section 3). Requests are kept
// in the order in which they came by the same cell: each is used once, as it comes.
//
// A set's order is a bit for each pair of its ways, so that any number of ways can be used in one
// cycle: they become younger than all others and keep their order among each other.
module recency_order
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  parameter  int unsigned Ways      = NumWays,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = $clog2(Ways)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Ways-1:0]      used_i [Sets],
  // of the candidates in a set the oldest one without a lock, else the oldest; of none, 0
  input  logic [SetBits-1:0]   set_i,
  input  logic [Ways-1:0]      candidates_i,
  input  logic [Ways-1:0]      locked_i,
  output logic [IndexBits-1:0] oldest_o
);

  // By way, which of the ways below it are older than it is. Bits of itself and above stay 0.
  logic [Ways-1:0] older_q [Sets][Ways];
  logic [Ways-1:0] unlocked, victims, first;

  assign unlocked = candidates_i & ~locked_i;
  assign victims  = (unlocked != '0) ? unlocked : candidates_i;

  function automatic logic [Ways-1:0] below(int unsigned way);
    return (Ways'(1) << way) - Ways'(1);
  endfunction

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    always_ff @(posedge clk_i or negedge rst_ni) begin : order
      if (!rst_ni) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          older_q[s][w] <= below(w);
        end
      end else if (used_i[s] != '0) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          older_q[s][w] <= below(w) & (used_i[s][w] ? (older_q[s][w] | ~used_i[s]) :
                                                      (older_q[s][w] & ~used_i[s]));
        end
      end
    end
  end

  logic [SetBits-1:0] set;

  if (Sets > 1) begin : gen_sets
    assign set = set_i;
  end else begin : gen_one_set
    assign set = '0;
  end

  // Ways that are younger than a victim above them (`above`) or below them (`younger`).
  logic [Ways-1:0] above, younger;
  logic [Ways-1:0] older [Ways];

  for (genvar w = 0; w < Ways; w++) begin : gen_ways
    assign older[w]   = older_q[set][w];
    assign younger[w] = (older[w] & victims) != '0;
  end

  always_comb begin : victims_above
    above = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      above = above | ({Ways{victims[w]}} & below(w) & ~older[w]);
    end
  end

  assign first = victims & ~above & ~younger;

  lowest_bit #(
    .Width(Ways)
  ) u_oldest (
    .set_i  (first),
    .valid_o(),
    .bit_o  (),
    .index_o(oldest_o)
  );

endmodule
