// A cache bank that a write-back reads gives no operand.
module cache_reader_assertions import ltrf_pkg::*; (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [NumCacheBanks-1:0] read_i,
  input logic [NumCacheBanks-1:0] taken_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      WriteBackFirst :
      assert ((read_i & taken_i) == '0)
      else $error("WriteBackFirst: cache banks %b", read_i & taken_i);
    end
  end

endmodule
