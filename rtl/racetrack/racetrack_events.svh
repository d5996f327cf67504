// Events of racetrack, the first one in the lowest bits. Made from design.toml by
// `heddle check-design racetrack --write`; included in the parameter list of racetrack_top.
  localparam type events_t = struct packed {
    logic [(4 * NumBanks)-1:0] position;
    logic [3:0] staged_results;
    logic row_fault;
    logic [7:0] command;
    logic [3:0] result_stall;
    logic [3:0] issue_stall;
    logic [3:0] operand_stall;
    logic [3:0] result_accept;
    logic [NumBanks-1:0] read_wait;
    logic [NumBanks-1:0] read_queued;
    logic [NumBanks-1:0] write_buffer_read;
    logic [NumBanks-1:0] write_buffer_write;
    logic [15:0] collector_dispatch;
    logic [15:0] collector_alloc;
    logic [NumBanks-1:0] preshift;
    logic [NumBanks-1:0] shift;
    logic [NumBanks-1:0] main_bank_write;
    logic [NumBanks-1:0] main_bank_read;
  }
