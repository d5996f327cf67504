// One warp is active at most, only it reads, its registers lie in its half of the file, and they
// are not still to be written back by a buffer that drains.
module hybrid_top_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic [7:0]         active_warps_i,
  input logic [Buffers-1:0] filling_i,
  input logic [Buffers-1:0] draining_i,
  input warp_t              owner_i [Buffers],
  input source_set_t        wanted_i,
  input warp_t              reader_warp_i,
  input index_t             base_i [NumWarps],
  input logic               kernel_start_i,
  input logic [15:0]        registers_i
);

  logic active;  // which buffer fills
  assign active = filling_i[1];

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
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
      OwnHalf :
      assert (filling_i == '0 || base_i[owner_i[active]][AddressBits] == owner_i[active][0])
      else $error("OwnHalf: W%0d begins at %0d", owner_i[active], base_i[owner_i[active]]);
      RegisterNumbers :
      assert (!kernel_start_i || registers_i <= 16'(NumNumbers))
      else $error("RegisterNumbers: %0d registers a thread", registers_i);
    end
  end

endmodule
