// Control commands, the warp base table and the walk over the registers of a warp that has ended.
//
// A kernel start latches the registers per thread, a warp base sets where the registers of a warp
// slot begin. An exit asks the tag banks to free the warp's registers, one a cycle, and is answered
// when the last one has been looked up; until then no other command is taken. All other commands
// are answered in the next cycle.
module cerf_command_unit
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic        clk_i,
  input  logic        rst_ni,
  // from the SM's warp scheduler and CTA launch
  input  command_t    command_i,
  output logic        command_ready_o,
  output done_t       done_o,
  // to register re-indexing
  output logic [15:0] base_o [NumWarps],
  // to and from the tag banks
  output logic        kill_o,
  output index_t      kill_index_o,
  input  logic        killed_i,
  // to the events
  output logic [7:0]  registers_per_thread_o,
  output logic [7:0]  accepted_o              // one bit a command_op_e
);

  logic [15:0]         base_q [NumWarps];
  logic [7:0]          registers_per_thread_q, left_q;
  index_t              index_q;
  logic [WarpBits-1:0] warp_q;
  done_t               done_q;
  logic                ready_q, accept, walks, last;

  assign accept     = command_i.valid && ready_q;
  assign accepted_o = 8'(accept) << command_i.op;
  assign walks      = accept && command_i.op == CmdExit && registers_per_thread_q != '0;
  assign kill_o     = left_q != '0;
  assign last       = killed_i && left_q == 8'd1;

  assign kill_index_o           = index_q;
  assign command_ready_o        = ready_q;
  assign done_o                 = done_q;
  assign base_o                 = base_q;
  assign registers_per_thread_o = registers_per_thread_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q                <= 1'b1;
      done_q                 <= '0;
      registers_per_thread_q <= '0;
      left_q                 <= '0;
    end else begin
      done_q <= '0;
      if (walks) begin
        ready_q <= 1'b0;
        left_q  <= registers_per_thread_q;
      end else if (accept) begin
        done_q.valid    <= 1'b1;
        done_q.op       <= command_i.op;
        done_q.warp     <= command_i.warp;
        done_q.interval <= command_i.interval;
        if (command_i.op == CmdKernelStart) registers_per_thread_q <= command_i.value[7:0];
      end else if (killed_i) begin
        left_q <= left_q - 8'd1;
        if (last) begin
          ready_q      <= 1'b1;
          done_q.valid <= 1'b1;
          done_q.op    <= CmdExit;
          done_q.warp  <= warp_q;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (accept && command_i.op == CmdWarpBase) base_q[command_i.warp] <= command_i.value;
    if (walks) begin
      warp_q  <= command_i.warp;
      index_q <= index_t'(base_q[command_i.warp]);
    end else if (killed_i) begin
      index_q <= index_q + index_t'(1);
    end
  end

endmodule
