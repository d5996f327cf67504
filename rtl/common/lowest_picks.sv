// Gives each taker the lowest member of a set that no lower taker took.
module lowest_picks #(
  parameter  int unsigned Width     = 16,
  parameter  int unsigned Picks     = 2,
  localparam int unsigned IndexBits = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]     set_i,            // at least as many as take
  input  logic [Picks-1:0]     take_i,
  output logic [IndexBits-1:0] index_o [Picks],  // 0 where nothing is taken
  output logic [Width-1:0]     taken_o
);

  logic [Width-1:0] rest, lowest;

  always_comb begin : pick
    rest    = set_i;
    taken_o = '0;
    lowest  = '0;
    for (int unsigned p = 0; p < Picks; p++) begin
      index_o[p] = '0;
      if (take_i[p]) begin
        lowest = rest & (~rest + Width'(1));
        for (int unsigned i = 0; i < Width; i++) begin
          if (lowest[i]) index_o[p] = IndexBits'(i);
        end
        taken_o = taken_o | lowest;
        rest    = rest & ~lowest;
      end
    end
  end

endmodule
