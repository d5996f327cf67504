// One warp is active at most, only it reads, and its registers are not still to be written back by
// a buffer that drains.
module hybrid_top_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned RowsPerBank = 64
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [7:0]         active_warps_i,
  input logic [Buffers-1:0] filling_i,
  input logic [Buffers-1:0] draining_i,
  input warp_t              owner_i [Buffers],
  input source_set_t        wanted_i,
  input warp_t              reader_warp_i,
  input logic [15:0]        rows_in_use_i
);

  logic active;  // which buffer fills
  assign active = filling_i[1];

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      RowsAreThere :
      assert (rows_in_use_i == 16'(RowsPerBank))
      else $error("RowsAreThere: %0d rows in use, %0d elaborated", rows_in_use_i, RowsPerBank);
      OneActiveWarp :
      assert (active_warps_i == 8'd1)
      else $error("OneActiveWarp: %0d warps may be active", active_warps_i);
      OneFills :
      assert ($onehot0(filling_i))
      else $error("OneFills: both write buffers are filled");
      OnlyActiveReads :
      assert (wanted_i == '0 || (filling_i != '0 && owner_i[active] == reader_warp_i))
      else $error("OnlyActiveReads: W%0d reads and is not active", reader_warp_i);
      OneBufferAWarp :
      assert (filling_i == '0 || draining_i == '0 || owner_i[0] != owner_i[1])
      else $error("OneBufferAWarp: W%0d fills one buffer and drains the other", owner_i[0]);
    end
  end

endmodule
