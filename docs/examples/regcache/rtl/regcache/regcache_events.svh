// Events of regcache, the first one in the lowest bits. Made from design.toml by
// `heddle check-design regcache --write`; included in the parameter list of regcache_top.
  localparam type events_t = struct packed {
    logic [4:0] hits_kept;
    logic [ResultWidth-1:0] cache_allocate;
    logic [ResultWidth-1:0] cache_update;
    logic [(IssueWidth * 6)-1:0] cache_miss;
    logic [(IssueWidth * 6)-1:0] cache_hit;
    logic [7:0] collectors_in_use;
    logic [7:0] registers_per_thread;
    logic [(3 * ((NumBanks * (NumBanks <= 32)) + (32 * (NumBanks > 32))))-1:0] granted_source;
    logic [(4 * ((NumBanks * (NumBanks <= 32)) + (32 * (NumBanks > 32))))-1:0] granted_collector;
    logic [3:0] write_buffer_level;
    logic row_fault;
    logic [7:0] command;
    logic [3:0] result_stall;
    logic [3:0] issue_stall;
    logic [3:0] operand_stall;
    logic [3:0] result_accept;
    logic [NumBanks-1:0] read_behind_write;
    logic [NumBanks-1:0] bank_conflict;
    logic [15:0] collector_dispatch;
    logic [15:0] collector_alloc;
    logic [NumBanks-1:0] main_bank_write;
    logic [NumBanks-1:0] main_bank_read;
  }
