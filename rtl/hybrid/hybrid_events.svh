// Events of hybrid, the first one in the lowest bits. Made from design.toml by
// `heddle check-design hybrid --write`; included in the parameter list of hybrid_top.
  localparam type events_t = struct packed {
    logic [63:0] dropped_entries;
    logic [15:0] buffer_entries;
    logic [15:0] buffer_owner;
    logic [15:0] entries_written_back;
    logic [3:0] staged_results;
    logic [1:0] draining_cycles;
    logic [1:0] filling_cycles;
    logic [1:0] upper_on_cycles;
    logic [1:0] wakeup;
    logic [7:0] command;
    logic [3:0] result_stall;
    logic [3:0] issue_stall;
    logic [3:0] operand_stall;
    logic [3:0] result_accept;
    logic [15:0] collector_dispatch;
    logic [15:0] collector_alloc;
    logic period_entries_49_to_64;
    logic period_entries_33_to_48;
    logic period_entries_17_to_32;
    logic period_entries_13_to_16;
    logic period_entries_9_to_12;
    logic period_entries_5_to_8;
    logic period_entries_1_to_4;
    logic period_entries_0;
    logic result_wait_bank;
    logic result_wait_full;
    logic result_wait_power;
    logic read_behind_write;
    logic read_behind_result;
    logic read_conflict;
    logic exit_wait;
    logic activation_wait;
    logic rcm_write;
    logic [5:0] rcm_read;
    logic [5:0] buffer_read;
    logic [1:0] buffer_drop;
    logic [1:0] buffer_append;
    logic [1:0] buffer_merge;
    logic [1:0] buffer_write;
    logic [1:0] late_write;
    logic [1:0] write_back;
    logic [1:0] sttram_write;
    logic [15:0] sttram_read;
  }
