// Registers what happened in a cycle; the bits are named in design.toml.
module racetrack_events
  import heddle_port_pkg::*;
  import baseline_pkg::*;
  import racetrack_pkg::*;
(
  input  logic                             clk_i,
  input  logic                             rst_ni,
  input  bank_set_t                        read_i,
  input  bank_set_t                        write_i,
  input  bank_set_t                        shift_i,
  input  bank_set_t                        preshift_i,
  input  bank_set_t                        buffer_write_i,
  input  bank_set_t                        buffer_read_i,
  input  bank_set_t                        read_queued_i,
  input  bank_set_t                        read_waits_i,
  input  collector_set_t                   collector_alloc_i,
  input  collector_set_t                   collector_dispatch_i,
  input  logic [3:0]                       result_accept_i,
  input  logic [3:0]                       operand_stall_i,
  input  logic [3:0]                       issue_stall_i,
  input  logic [3:0]                       result_stall_i,
  input  logic [7:0]                       command_i,
  input  logic                             row_fault_i,
  input  logic [3:0]                       staged_i,
  input  logic [NumBanks*PositionBits-1:0] position_i,
  output logic [EventBits-1:0]             events_o
);

  logic [EventBits-1:0] events_q;

  assign events_o = events_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= {
        position_i,            // 192
        staged_i,              // 188
        3'b000, row_fault_i,   // 184
        command_i,             // 176
        result_stall_i,        // 172
        issue_stall_i,         // 168
        operand_stall_i,       // 164
        result_accept_i,       // 160
        read_waits_i,          // 144
        read_queued_i,         // 128
        buffer_read_i,         // 112
        buffer_write_i,        // 96
        collector_dispatch_i,  // 80
        collector_alloc_i,     // 64
        preshift_i,            // 48
        shift_i,               // 32
        write_i,               // 16
        read_i                 // 0
      };
    end
  end

endmodule
