// Registers what happened in a cycle; the bits are named in design.toml.
module sttram_events
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  array_set_t           stt_read_i [SttBanks],
  input  logic [SttBanks-1:0]  stt_write_i,
  input  logic                 write_stall_i,
  input  logic                 conflict_i,
  input  logic                 read_wait_i,
  input  collector_set_t       collector_alloc_i,
  input  collector_set_t       collector_dispatch_i,
  input  logic [3:0]           result_accept_i,
  input  logic [3:0]           operand_stall_i,
  input  logic [3:0]           issue_stall_i,
  input  logic [3:0]           result_stall_i,
  input  logic [7:0]           command_i,
  input  logic [3:0]           staged_i,
  input  logic [7:0]           registers_per_thread_i,
  output logic [EventBits-1:0] events_o
);

  logic [EventBits-1:0] events_q;

  assign events_o = events_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= {
        112'b0,                       // 144
        registers_per_thread_i,       // 136
        4'b0, staged_i,               // 128
        8'b0, command_i,              // 112
        result_stall_i,               // 108
        issue_stall_i,                // 104
        operand_stall_i,              // 100
        result_accept_i,              // 96
        collector_dispatch_i,         // 80
        collector_alloc_i,            // 64
        43'b0,                        // 21
        read_wait_i,                  // 20
        conflict_i,                   // 19
        write_stall_i,                // 18
        stt_write_i,                  // 16
        stt_read_i[1], stt_read_i[0]  // 0
      };
    end
  end

endmodule
