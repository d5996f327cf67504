// Commands of the SM, and which write buffer belongs to which warp.
//
// An activation takes the buffer that was not opened last, or the other one if only that is free.
// It waits until one is free and until the warp's own registers are written back: that is where the
// pipeline stalls when an active period was too short for the write-back of the warp before it
// (section 4.3). An exit waits until the warp's results have left the result queue. All other
// commands are carried out in the cycle of the handshake.
module hybrid_commands
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // from and to the SM
  input  command_t            command_i,
  output logic                command_ready_o,
  output done_t               done_o,
  // to address generation and the buffers
  output index_t              base_o [NumWarps],
  output logic                gating_o,
  // from and to the write buffers
  input  logic [Buffers-1:0]  free_i,
  input  logic [Buffers-1:0]  filling_i,
  input  warp_t               owner_i [Buffers],
  output warp_t               warp_o,          // of the command that is carried out or waits
  output logic [Buffers-1:0]  open_o,
  output logic [Buffers-1:0]  close_o,
  output logic [Buffers-1:0]  drop_o,
  output logic                youngest_o,      // the buffer that was opened last
  // from the result queue
  input  logic                held_i,          // the warp has results in it
  // to the events
  output logic                activation_waits_o,
  output logic                exit_waits_o,
  output logic [7:0]          accepted_o       // one bit a command_op_e
);

  index_t             base_q [NumWarps];
  done_t              done_q;
  logic               ready_q, waiting_q, gating_q, youngest_q;
  logic [2:0]         op_q, op;
  warp_t              warp_q;
  logic [Buffers-1:0] own;
  logic               accept, present, is_activate, is_exit, may_open, carried_out, choice;

  assign accept      = command_i.valid && ready_q;
  assign present     = accept || waiting_q;
  assign op          = waiting_q ? op_q : command_i.op;
  assign warp_o      = waiting_q ? warp_q : command_i.warp;
  assign is_activate = op == CmdActivate;
  assign is_exit     = op == CmdExit;
  assign accepted_o  = 8'(accept) << command_i.op;

  for (genvar b = 0; b < Buffers; b++) begin : gen_own
    assign own[b] = !free_i[b] && owner_i[b] == warp_o;
  end

  assign may_open    = free_i != '0 && own == '0;
  assign carried_out = present && (is_activate ? may_open : is_exit ? !held_i : 1'b1);
  assign choice      = free_i[!youngest_q] ? !youngest_q : youngest_q;

  assign open_o  = (carried_out && is_activate) ? (Buffers'(1) << choice) : '0;
  assign close_o = (carried_out && op == CmdDeactivate) ? own & filling_i : '0;
  assign drop_o  = (carried_out && is_exit) ? own : '0;

  assign activation_waits_o = present && is_activate && !carried_out;
  assign exit_waits_o       = present && is_exit && !carried_out;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q    <= 1'b1;
      waiting_q  <= 1'b0;
      done_q     <= '0;
      gating_q   <= 1'b0;
      youngest_q <= 1'b1;
    end else begin
      ready_q   <= !present || carried_out;
      waiting_q <= present && !carried_out;
      done_q    <= '0;
      if (carried_out) begin
        done_q.valid    <= 1'b1;
        done_q.op       <= op;
        done_q.warp     <= warp_o;
        done_q.interval <= waiting_q ? '0 : command_i.interval;
      end
      if (accept && command_i.op == CmdKernelStart) gating_q <= command_i.gating;
      if (open_o != '0) youngest_q <= choice;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (accept) begin
      op_q   <= command_i.op;
      warp_q <= command_i.warp;
      if (command_i.op == CmdWarpBase) base_q[command_i.warp] <= command_i.value;
    end
  end

  assign command_ready_o = ready_q;
  assign done_o          = done_q;
  assign base_o          = base_q;
  assign gating_o        = gating_q;
  assign youngest_o      = youngest_q;

endmodule
