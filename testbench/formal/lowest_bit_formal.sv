// The lowest bit of a set by its number, below which no other member lies.
module lowest_bit_formal #(
  parameter  int unsigned Width     = 16,
  localparam int unsigned IndexBits = $clog2(Width)
) (
  input logic [Width-1:0]     set_i,
  input logic                 valid_i,
  input logic [Width-1:0]     bit_i,
  input logic [IndexBits-1:0] index_i
);

  logic [Width-1:0] below;
  assign below = (Width'(1) << index_i) - Width'(1);

  always_comb begin : checks
    ValidTells : assert (valid_i == (set_i != '0));
    IndexIsLowest : assert (set_i == '0 || (set_i[index_i] && (set_i & below) == '0));
    ZeroOfNone : assert (set_i != '0 || index_i == '0);
    BitAlone : assert (bit_i == (set_i == '0 ? '0 : Width'(1) << index_i));
    HighestAlone : cover (set_i == Width'(1) << (Width - 1));
  end

endmodule

bind lowest_bit lowest_bit_formal #(
  .Width(Width)
) u_formal (
  .set_i,
  .valid_i(valid_o),
  .bit_i  (bit_o),
  .index_i(index_o)
);
