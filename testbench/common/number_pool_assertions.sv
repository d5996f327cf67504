// A number is taken while it is free, and given back while it is in use.
module number_pool_assertions #(
  parameter  int unsigned Numbers    = 32,
  localparam int unsigned NumberBits = (Numbers > 1) ? $clog2(Numbers) : 1
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  take_i,
  input logic [NumberBits-1:0] free_i,
  input logic                  release_i,
  input logic [NumberBits-1:0] released_i,
  input logic [Numbers-1:0]    in_use_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      TakenIsFree :
      assert (!take_i || !in_use_i[free_i])
      else $error("TakenIsFree: number %0d of %b", free_i, in_use_i);
      ReleasedIsInUse :
      assert (!release_i || in_use_i[released_i])
      else $error("ReleasedIsInUse: number %0d of %b", released_i, in_use_i);
    end
  end

endmodule

bind number_pool number_pool_assertions #(
  .Numbers(Numbers)
) u_assertions (
  .clk_i,
  .rst_ni,
  .take_i,
  .free_i  (free_o),
  .release_i,
  .released_i,
  .in_use_i(in_use_q)
);
