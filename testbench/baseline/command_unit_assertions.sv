// Every accepted command is a known one and is answered by one done event in the next cycle.
module command_unit_assertions
  import heddle_port_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                accept_i,
  input logic [2:0]          op_i,
  input logic [WarpBits-1:0] warp_i,
  input logic                done_i,
  input logic [2:0]          done_op_i,
  input logic [WarpBits-1:0] done_warp_i
);

  logic                accepted_q;
  logic [2:0]          op_q;
  logic [WarpBits-1:0] warp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      accepted_q <= 1'b0;
      op_q       <= '0;
      warp_q     <= '0;
    end else begin
      accepted_q <= accept_i;
      op_q       <= op_i;
      warp_q     <= warp_i;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      KnownCommand :
      assert (!accept_i || op_i <= CmdPrefetch)
      else $error("KnownCommand: command number %0d", op_i);
      DonePerCommand :
      assert (done_i == accepted_q)
      else $error("DonePerCommand: done %0b after accept %0b", done_i, accepted_q);
      DoneNamesCommand :
      assert (!accepted_q || (done_op_i == op_q && done_warp_i == warp_q))
      else $error("DoneNamesCommand: op %0d warp %0d, expected op %0d warp %0d",
                  done_op_i, done_warp_i, op_q, warp_q);
    end
  end

endmodule
