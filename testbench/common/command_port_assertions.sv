// Every accepted command is a known one and is answered by one done event of its own; none is taken
// while another is under way.
module command_port_assertions
  import heddle_port_pkg::*;
(
  input logic     clk_i,
  input logic     rst_ni,
  input logic     accept_i,
  input command_t command_i,
  input logic     ready_i,
  input done_t    done_i
);

  done_t asked_q;  // the answer to a command that was accepted and is not answered

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      asked_q <= '0;
    end else if (accept_i) begin
      asked_q <= '{valid: 1'b1, op: command_i.op, warp: command_i.warp,
                   interval: command_i.interval};
    end else if (done_i.valid) begin
      asked_q.valid <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      KnownCommand :
      assert (!accept_i || command_i.op <= CmdPrefetch)
      else $error("KnownCommand: command number %0d", command_i.op);
      DoneOnlyAsked :
      assert (!done_i.valid || done_i == asked_q)
      else $error("DoneOnlyAsked: done of %0d for W%0d", done_i.op, done_i.warp);
      OneAtATime :
      assert (!accept_i || !asked_q.valid || done_i.valid)
      else $error("OneAtATime: a command is taken while another is under way");
      ReadyOrWaiting :
      assert (ready_i == (!asked_q.valid || done_i.valid))
      else $error("ReadyOrWaiting: ready %b", ready_i);
    end
  end

endmodule

bind command_port command_port_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .accept_i (accept),
  .command_i,
  .ready_i  (ready_q),
  .done_i   (done_q)
);
