// Control commands and the warp base table.
//
// Every command is carried out in the cycle in which it is accepted and answered in the next one,
// so the unit is ready in every cycle. Only two commands have an effect on a conventional register
// file: a kernel start latches the registers per thread, a warp base sets where the registers of a
// warp slot begin. Registers stay in place when a warp is activated, deactivated or ends.
module command_unit
  import heddle_port_pkg::*;
  import baseline_pkg::*;
(
  input  logic       clk_i,
  input  logic       rst_ni,
  // from the SM's warp scheduler and CTA launch
  input  command_t   command_i,
  output logic       command_ready_o,
  output done_t      done_o,
  // to address generation
  output index_t     base_o [NumWarps],
  // to the events
  output logic [7:0] registers_per_thread_o,
  output logic [7:0] accepted_o              // one bit a command_op_e
);

  index_t     base_q [NumWarps];
  logic [7:0] registers_per_thread_q;
  done_t      done_q;
  logic       ready_q;
  logic       accept, is_warp_base, is_kernel_start;

  assign accept          = command_i.valid && ready_q;
  assign is_warp_base    = command_i.op == CmdWarpBase;
  assign is_kernel_start = command_i.op == CmdKernelStart;
  assign accepted_o      = 8'(accept) << command_i.op;

  assign command_ready_o        = ready_q;
  assign done_o                 = done_q;
  assign base_o                 = base_q;
  assign registers_per_thread_o = registers_per_thread_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q                <= 1'b1;
      done_q                 <= '0;
      registers_per_thread_q <= '0;
    end else begin
      ready_q <= 1'b1;
      done_q  <= '0;
      if (accept) begin
        done_q.valid    <= 1'b1;
        done_q.op       <= command_i.op;
        done_q.warp     <= command_i.warp;
        done_q.interval <= command_i.interval;
        if (is_kernel_start) registers_per_thread_q <= command_i.value[7:0];
      end
    end
  end

  always_ff @(posedge clk_i) begin : bases
    if (accept && is_warp_base) base_q[command_i.warp] <= command_i.value;
  end

endmodule
