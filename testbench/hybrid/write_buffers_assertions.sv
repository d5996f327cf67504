// A write buffer takes results of its own warp only.
module write_buffers_assertions
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic [Buffers-1:0] request_i,
  input warp_t              owner_i [Buffers],
  input warp_t              result_warp_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned b = 0; b < Buffers; b++) begin
        OwnResults :
        assert (!request_i[b] || owner_i[b] == result_warp_i)
        else $error("OwnResults: a result of W%0d for the buffer of W%0d",
                    result_warp_i, owner_i[b]);
      end
      OneBufferAWarp :
      assert ($onehot0(request_i))
      else $error("OneBufferAWarp: W%0d has both buffers", result_warp_i);
    end
  end

endmodule
