// Registers what happened in a cycle; the bits are named in design.toml.
module hybrid_events
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  array_set_t                        stt_read_i [SttBanks],
  input  logic [SttBanks-1:0]               stt_write_i,
  input  logic [SttBanks-1:0]               late_write_i,
  input  buffer_cycle_t                     buffers_i,
  input  logic [Buffers-1:0]                buffer_drop_i,
  input  source_set_t                       buffer_read_i,
  input  source_set_t                       source_lookup_i,
  input  logic                              activation_wait_i,
  input  logic                              exit_wait_i,
  input  logic                              conflict_i,
  input  logic                              read_behind_result_i,
  input  logic                              read_behind_write_i,
  input  collector_set_t                    collector_alloc_i,
  input  collector_set_t                    collector_dispatch_i,
  input  logic [3:0]                        result_accept_i,
  input  logic [3:0]                        operand_stall_i,
  input  logic [3:0]                        issue_stall_i,
  input  logic [3:0]                        result_stall_i,
  input  logic [7:0]                        command_i,
  input  logic [Buffers-1:0]                upper_on_i,
  input  logic [Buffers-1:0]                filling_i,
  input  logic [Buffers-1:0]                draining_i,
  input  logic [3:0]                        staged_i,
  input  warp_t                             owner_i [Buffers],
  input  count_t                            count_i [Buffers],
  input  count_t                            drained_i [Buffers],
  output logic [EventBits-1:0]              events_o
);

  logic [EventBits-1:0] events_q;

  assign events_o = events_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= {
        buffers_i.lost,                        // 192
        1'b0, count_i[1], 1'b0, count_i[0],    // 176
        2'b0, owner_i[1], 2'b0, owner_i[0],    // 160
        9'b0, drained_i[1], 1'b0, drained_i[0], // 136
        4'b0, staged_i,                        // 128
        draining_i,                            // 126
        filling_i,                             // 124
        upper_on_i,                            // 122
        buffers_i.wakes,                       // 120
        command_i,                             // 112
        result_stall_i,                        // 108
        issue_stall_i,                         // 104
        operand_stall_i,                       // 100
        result_accept_i,                       // 96
        collector_dispatch_i,                  // 80
        collector_alloc_i,                     // 64
        buffers_i.period,                      // 56
        buffers_i.waits_bank,                  // 55
        buffers_i.waits_full,                  // 54
        buffers_i.waits_power,                 // 53
        read_behind_write_i,                   // 52
        read_behind_result_i,                  // 51
        conflict_i,                            // 50
        exit_wait_i,                           // 49
        activation_wait_i,                     // 48
        3'b0, buffers_i.look_up,               // 44
        source_lookup_i,                       // 38
        buffer_read_i,                         // 32
        2'b0, buffer_drop_i,                   // 28
        buffers_i.append,                      // 26
        buffers_i.merge,                       // 24
        buffers_i.write,                       // 22
        late_write_i,                          // 20
        buffers_i.write_back,                  // 18
        stt_write_i,                           // 16
        stt_read_i[1], stt_read_i[0]           // 0
      };
    end
  end

endmodule
