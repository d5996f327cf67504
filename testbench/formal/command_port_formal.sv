// One command from its handshake to its done event, the base of a warp that the solver chooses, and
// the registers per thread.
module command_port_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input command_t   command_i,
  input logic       ready_i,
  input done_t      done_i,
  input command_t   given_i,
  input logic       carried_out_i,
  input index_t     base_i [NumWarps],
  input logic [7:0] registers_i,
  input logic [7:0] accepted_i,
  // what the port keeps
  input logic       waiting_i,
  input command_t   kept_i
);

  warp_t      warp_q;      // any: the command's in the cycle of reset
  logic       written_q;   // its base was set since reset
  index_t     base_q;
  logic [7:0] registers_q;
  logic       taken, open_q, ends_q;
  command_t   command_q;   // the one that was taken last
  done_t      answer_q;

  assign taken = command_i.valid && ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) begin
      open_q      <= 1'b0;
      ends_q      <= 1'b0;
      written_q   <= 1'b0;
      registers_q <= '0;
    end else begin
      open_q <= (open_q || taken) && !carried_out_i;
      ends_q <= (open_q || taken) && carried_out_i;
      if (taken && command_i.op == CmdWarpBase && command_i.warp == warp_q) written_q <= 1'b1;
      if (taken && command_i.op == CmdKernelStart) registers_q <= command_i.value[7:0];
    end
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) warp_q <= command_i.warp;
  end

  always_ff @(posedge clk_i) begin : past
    answer_q <= '{valid: 1'b1, op: given_i.op, warp: given_i.warp, interval: given_i.interval};
    if (taken) command_q <= command_i;
    if (taken && command_i.op == CmdWarpBase && command_i.warp == warp_q) base_q <= command_i.value;
  end

  always_comb begin : checks
    if (rst_ni) begin
      OneAtATime : assert (ready_i == !open_q);
      GivenUntilDone : assert (given_i.valid == (open_q || taken));
      GivenUnchanged :
      assert (!given_i.valid || given_i == (open_q ? command_q : command_i));
      DoneOnce : assert (done_i == (ends_q ? answer_q : '0));
      BaseIsLast : assert (!written_q || base_i[warp_q] == base_q);
      RegistersAreLast : assert (registers_i == registers_q);
      AcceptedTells : assert (accepted_i == (taken ? 8'd1 << command_i.op : 8'd0));
      WaitingIsOpen : assert (waiting_i == open_q);
      CommandIsKept : assert (!open_q || (kept_i == command_q && command_q.valid));
      NextWithDone : cover (done_i.valid && taken && written_q);
    end
  end

endmodule

bind command_port command_port_formal u_formal (
  .clk_i,
  .rst_ni,
  .command_i,
  .ready_i    (command_ready_o),
  .done_i     (done_o),
  .given_i    (command_o),
  .carried_out_i,
  .base_i     (base_o),
  .registers_i(registers_per_thread_o),
  .accepted_i (accepted_o),
  .waiting_i  (waiting_q),
  .kept_i     (command_q)
);
