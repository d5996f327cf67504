// Every accepted command is answered by one done event of its own; one buffer at most changes hands
// at once; and nothing is offered to a unit that waits.
module hybrid_commands_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                accept_i,
  input logic [2:0]          op_i,
  input warp_t               warp_i,
  input logic                ready_i,
  input logic                done_i,
  input logic [2:0]          done_op_i,
  input warp_t               done_warp_i,
  input logic [Buffers-1:0]  open_i,
  input logic [Buffers-1:0]  close_i,
  input logic [Buffers-1:0]  drop_i,
  input logic [Buffers-1:0]  free_i,
  input warp_t               owner_i [Buffers],
  input warp_t               current_warp_i
);

  logic       open_q;  // a command was accepted and is not answered
  logic [2:0] op_q;
  warp_t      warp_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      open_q <= 1'b0;
      op_q   <= '0;
      warp_q <= '0;
    end else begin
      open_q <= accept_i || (open_q && !done_i);
      if (accept_i) begin
        op_q   <= op_i;
        warp_q <= warp_i;
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      DoneOnlyAsked :
      assert (!done_i || (open_q && done_op_i == op_q && done_warp_i == warp_q))
      else $error("DoneOnlyAsked: done of %0d for W%0d", done_op_i, done_warp_i);
      OneAtATime :
      assert (!accept_i || !open_q || done_i)
      else $error("OneAtATime: a command is taken while another is under way");
      ReadyOrWaiting :
      assert (ready_i == (!open_q || done_i))
      else $error("ReadyOrWaiting: ready %b", ready_i);
      OneBufferChanges :
      assert ($countones(open_i) + $countones(close_i) <= 1)
      else $error("OneBufferChanges: open %b, close %b", open_i, close_i);
      OwnIsWrittenBack :
      assert (open_i == '0 || ((free_i[0] || owner_i[0] != current_warp_i) &&
                               (free_i[1] || owner_i[1] != current_warp_i)))
      else $error("OwnIsWrittenBack: W%0d becomes active while its buffer drains", current_warp_i);
      DropOwn :
      assert ((!drop_i[0] || owner_i[0] == current_warp_i) &&
              (!drop_i[1] || owner_i[1] == current_warp_i))
      else $error("DropOwn: W%0d ends and another's buffer is emptied", current_warp_i);
    end
  end

endmodule
