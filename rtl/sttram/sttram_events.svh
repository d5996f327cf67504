// Events of sttram, the first one in the lowest bits. Made from design.toml by
// `heddle check-design sttram --write`; included in the parameter list of sttram_top.
  localparam type events_t = struct packed {
    logic [7:0] registers_per_thread;
    logic [3:0] staged_results;
    logic [7:0] command;
    logic [3:0] result_stall;
    logic [3:0] issue_stall;
    logic [3:0] operand_stall;
    logic [3:0] result_accept;
    logic [15:0] collector_dispatch;
    logic [15:0] collector_alloc;
    logic read_wait;
    logic read_conflict;
    logic write_stall;
    logic [1:0] sttram_write;
    logic [15:0] sttram_read;
  }
