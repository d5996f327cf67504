// Which write buffer belongs to which warp, and when a command is carried out.
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
  // from and to the command port
  input  command_t            command_i,
  output logic                carried_out_o,
  output logic                gating_o,
  // from and to the write buffers
  input  logic [Buffers-1:0]  free_i,
  input  logic [Buffers-1:0]  filling_i,
  input  warp_t               owner_i [Buffers],
  output logic [Buffers-1:0]  open_o,
  output logic [Buffers-1:0]  close_o,
  output logic [Buffers-1:0]  drop_o,
  output logic                youngest_o,      // the buffer that was opened last
  // from the result queue
  input  logic                held_i,          // the warp has results in it
  // to the events
  output logic                activation_waits_o,
  output logic                exit_waits_o
);

  logic               gating_q, youngest_q;
  logic [Buffers-1:0] own;
  logic               is_activate, is_exit, may_open, carried_out, choice;

  assign is_activate = command_i.op == CmdActivate;
  assign is_exit     = command_i.op == CmdExit;

  for (genvar b = 0; b < Buffers; b++) begin : gen_own
    assign own[b] = !free_i[b] && owner_i[b] == command_i.warp;
  end

  assign may_open    = free_i != '0 && own == '0;
  assign carried_out = command_i.valid && (is_activate ? may_open : is_exit ? !held_i : 1'b1);
  assign choice      = free_i[!youngest_q] ? !youngest_q : youngest_q;

  assign open_o  = (carried_out && is_activate) ? (Buffers'(1) << choice) : '0;
  assign close_o = (carried_out && command_i.op == CmdDeactivate) ? own & filling_i : '0;
  assign drop_o  = (carried_out && is_exit) ? own : '0;

  assign activation_waits_o = command_i.valid && is_activate && !carried_out;
  assign exit_waits_o       = command_i.valid && is_exit && !carried_out;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      gating_q   <= 1'b0;
      youngest_q <= 1'b1;
    end else begin
      if (carried_out && command_i.op == CmdKernelStart) gating_q <= command_i.gating;
      if (open_o != '0) youngest_q <= choice;
    end
  end

  assign carried_out_o = carried_out;
  assign gating_o      = gating_q;
  assign youngest_o    = youngest_q;

endmodule
