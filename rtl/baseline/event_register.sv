// Registers what happened in a cycle; the bits are named in design.toml.
module event_register
  import heddle_port_pkg::*;
  import baseline_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  bank_set_t                         bank_read_i,
  input  bank_set_t                         bank_write_i,
  input  collector_set_t                    collector_alloc_i,
  input  collector_set_t                    collector_dispatch_i,
  input  bank_set_t                         read_wait_bank_i,
  input  bank_set_t                         read_wait_write_i,
  input  logic [3:0]                        result_accept_i,
  input  logic [3:0]                        operand_stall_i,
  input  logic [3:0]                        issue_stall_i,
  input  logic [3:0]                        result_stall_i,
  input  logic [7:0]                        command_i,
  input  logic                              row_fault_i,
  input  logic [3:0]                        write_level_i,
  input  logic [NumBanks*CollectorBits-1:0] granted_collectors_i,
  input  logic [NumBanks*SourceBits-1:0]    granted_sources_i,
  input  logic [7:0]                        registers_per_thread_i,
  input  logic [7:0]                        collectors_in_use_i,
  output logic [EventBits-1:0]              events_o
);

  logic [EventBits-1:0] events_q;

  assign events_o = events_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= {
        collectors_in_use_i,     // 248
        registers_per_thread_i,  // 240
        granted_sources_i,       // 192
        granted_collectors_i,    // 128
        write_level_i,           // 124
        3'b000, row_fault_i,     // 120
        command_i,               // 112
        result_stall_i,          // 108
        issue_stall_i,           // 104
        operand_stall_i,         // 100
        result_accept_i,         // 96
        read_wait_write_i,       // 80
        read_wait_bank_i,        // 64
        collector_dispatch_i,    // 48
        collector_alloc_i,       // 32
        bank_write_i,            // 16
        bank_read_i              // 0
      };
    end
  end

endmodule
