// Events of ltrf, the first one in the lowest bits. Made from design.toml by
// `heddle check-design ltrf --write`; included in the parameter list of ltrf_top.
  localparam type events_t = struct packed {
    logic command_wait;
    logic [3:0] result_wait;
    logic [15:0] wcb_update;
    logic [Slots-1:0] slot_service;
    logic [15:0] cache_read_conflict;
    logic [Slots-1:0] transfer_wait;
    logic [15:0] write_back;
    logic exit;
    logic deactivate;
    logic activate;
    logic prefetch;
    logic offset_release;
    logic offset_alloc;
    logic [3:0] result_to_main;
    logic [3:0] result_to_cache;
    logic [3:0] wcb_result_lookup;
    logic [15:0] clean_drop;
    logic [15:0] dead_drop;
    logic [15:0] dead_alloc;
    logic [15:0] bank_alloc;
    logic [15:0] crossbar_beat_out;
    logic [15:0] crossbar_beat_in;
    logic [31:0] wcb_lookup;
    logic [15:0] collector_dispatch;
    logic [15:0] collector_alloc;
    logic [15:0] cache_bank_write;
    logic [15:0] cache_bank_read;
    logic [15:0] main_bank_write;
    logic [15:0] main_bank_read;
  }
