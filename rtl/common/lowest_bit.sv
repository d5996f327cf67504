// The lowest bit of a set.
module lowest_bit #(
  parameter  int unsigned Width     = 16,
  localparam int unsigned IndexBits = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic [Width-1:0]     set_i,
  output logic                 valid_o,
  output logic [Width-1:0]     bit_o,    // alone; none of an empty set
  output logic [IndexBits-1:0] index_o   // 0 of an empty set
);

  assign valid_o = set_i != '0;
  assign bit_o   = set_i & (~set_i + Width'(1));

  always_comb begin : encode
    index_o = '0;
    if (valid_o) begin
      for (int unsigned i = 0; i < Width; i++) begin
        if (bit_o[i]) index_o = IndexBits'(i);
      end
    end
  end

endmodule
