// The victim of a set: inactive first, else the least recently used of those that yield, and never
// a register where registers have priority.
module victim_select_formal
  import cerf_pkg::*;
#(
  parameter  int unsigned Ways    = 4,
  localparam int unsigned AgeBits = $clog2(Ways)
) (
  input logic                         fair_i,
  input state_e                       state_i [Ways],
  input logic [Ways-1:0][AgeBits-1:0] age_i,
  input logic                         found_i,
  input logic [Ways-1:0]              way_i
);

  logic [Ways-1:0]           inactive, register, older;
  logic [Ways-1:0][Ways-1:0] passes_over;

  for (genvar w = 0; w < Ways; w++) begin : gen_way
    assign inactive[w] = state_i[w] == StInactive;
    assign register[w] = state_i[w] == StReg;

    // Ways that may be replaced and were used less recently than way w.
    for (genvar v = 0; v < Ways; v++) begin : gen_other
      assign passes_over[w][v] = way_i[w] && age_i[v] > age_i[w] && (fair_i || is_line(state_i[v]));
    end
    assign older[w] = passes_over[w] != '0;
  end

  always_comb begin : checks
    OneAtMost : assert ((way_i & (way_i - Ways'(1))) == '0);
    FoundTells : assert (found_i == (way_i != '0));
    FoundWherePossible :
    assert (found_i == (fair_i || inactive != '0 || (~register & ~inactive) != '0));
    InactiveFirst : assert (inactive == '0 || (way_i & ~inactive) == '0);
    LowestInactive : assert (inactive == '0 || way_i == (inactive & (~inactive + Ways'(1))));
    RegistersStay : assert (fair_i || (way_i & register) == '0);
    LeastRecentlyUsed : assert (inactive != '0 || older == '0);
    NoneYields : cover (!found_i && !fair_i);
  end

endmodule

bind victim_select victim_select_formal #(
  .Ways(Ways)
) u_formal (
  .fair_i,
  .state_i,
  .age_i,
  .found_i(found_o),
  .way_i  (way_o)
);
