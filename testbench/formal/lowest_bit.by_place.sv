// `lowest_bit` place by place: of its negation of 64 bits yices answers `sat` to questions that
// have no solution (docs/signoff.md). The job of `lowest_bit` holds at that width.
module lowest_bit #(
  parameter  int unsigned Width     = 16,
  localparam int unsigned IndexBits = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]     set_i,
  output logic                 valid_o,
  output logic [Width-1:0]     bit_o,
  output logic [IndexBits-1:0] index_o
);

  always_comb begin : places
    bit_o   = '0;
    index_o = '0;
    valid_o = 1'b0;
    for (int unsigned i = 0; i < Width; i++) begin
      if (set_i[i] && !valid_o) begin
        valid_o  = 1'b1;
        bit_o[i] = 1'b1;
        index_o  = IndexBits'(i);
      end
    end
  end

endmodule
