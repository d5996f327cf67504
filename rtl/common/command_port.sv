// Commands of the SM, the warp bases and the registers per thread.
//
// A command is there from its handshake until the design says `carried_out_i`, which may be at
// once; the done event follows in the next cycle. While a command waits, no other one is taken.
// Base and registers per thread change with the handshake.
module command_port
  import heddle_port_pkg::*;
  import shell_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  // from and to the SM's warp scheduler and CTA launch
  input  command_t   command_i,
  output logic       command_ready_o,
  output done_t      done_o,
  // to and from the design
  output command_t   command_o,      // accepted in this cycle or waiting, as its `valid` says
  input  logic       carried_out_i,  // looked at with a command only
  // to address generation
  output index_t     base_o [NumWarps],
  output logic [7:0] registers_per_thread_o,
  // to the events
  output logic [7:0] accepted_o      // one bit a command_op_e
);

  index_t     base_q [NumWarps];
  command_t   command_q;
  done_t      done_q;
  logic [7:0] registers_per_thread_q;
  logic       ready_q, waiting_q, accept, is_warp_base, waits;

  assign accept       = command_i.valid && ready_q;
  assign accepted_o   = 8'(accept) << command_i.op;
  assign is_warp_base = command_i.op == CmdWarpBase;
  assign waits        = command_o.valid && !carried_out_i;

  always_comb begin : present
    command_o       = waiting_q ? command_q : command_i;
    command_o.valid = accept || waiting_q;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q                <= 1'b1;
      waiting_q              <= 1'b0;
      done_q                 <= '0;
      registers_per_thread_q <= '0;
    end else begin
      ready_q   <= !waits;
      waiting_q <= waits;
      done_q    <= '0;
      if (command_o.valid && !waits) begin
        done_q.valid    <= 1'b1;
        done_q.op       <= command_o.op;
        done_q.warp     <= command_o.warp;
        done_q.interval <= command_o.interval;
      end
      if (accept && command_i.op == CmdKernelStart) registers_per_thread_q <= command_i.value[7:0];
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (accept) command_q <= command_i;
    if (accept && is_warp_base) base_q[command_i.warp] <= command_i.value;
  end

  assign command_ready_o        = ready_q;
  assign done_o                 = done_q;
  assign base_o                 = base_q;
  assign registers_per_thread_o = registers_per_thread_q;

endmodule
