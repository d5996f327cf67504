// LTRF: a latency-tolerant register file with a software-prefetched register cache (ACM TOCS,
// figure 11).
//
// Operands are read from the register cache only; a prefetch brings the working set of a
// register-interval there, and a warp's working set leaves the cache and returns as the warp
// becomes inactive and active.
module ltrf_top import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumBanks    = NumMainBanks,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned Slots       = NumSlots,
  parameter bit          Liveness    = 1'b0,
  parameter bit          DirtyBits   = 1'b0,
  `include "ltrf_events.svh"
) (
  input  logic                                                       clk_i,
  input  logic                                                       rst_ni,
  input  config_t                                                    config_i,
  // from issue
  input  issue_t    [IssueWidth-1:0]                                 issue_i,
  output logic      [IssueWidth-1:0]                                 issue_ready_o,
  // to dispatch
  output operands_t [IssueWidth-1:0]                                 operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][31:0] operand_data_o,
  input  logic      [IssueWidth-1:0]                                 operands_ready_i,
  // from write-back
  input  result_t   [ResultWidth-1:0]                                result_i,
  input  logic      [ResultWidth-1:0][NumLanes-1:0][31:0]            result_data_i,
  output logic      [ResultWidth-1:0]                                result_ready_o,
  // from and to the warp scheduler
  input  command_t                                                   command_i,
  output logic                                                       command_ready_o,
  output done_t                                                      done_o,
  output status_t                                                    status_o,
  output logic [$bits(events_t)-1:0]                               events_o
);

  `include "ltrf_config.svh"

  if (Slots != NumSlots) begin : gen_bad_slots
    $fatal(1, "there are %0d warp offsets, not %0d", NumSlots, Slots);
  end

  localparam int unsigned NumLaneBanks = NumBanks / NumMainBanks;
  localparam int unsigned PathDepth    = 4;  // fetches on their way to a main bank, at most
  localparam int unsigned NumPending   = (NumLaneBanks == 1) ? PathDepth + 1 : NumLaneBanks;

  if (NumLaneBanks * NumMainBanks != NumBanks || 2 ** $clog2(NumBanks) != NumBanks)
  begin : gen_bad_banks
    $fatal(1, "%0d main banks, expected a power of two from %0d on", NumBanks, NumMainBanks);
  end

  // Sizes are elaborated; the configuration chooses how much is in use.
  config_t settings;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  // ---- commands ----
  warp_t                                          command_warp;
  logic        [IntervalBits-1:0]                 command_interval;
  index_t                                         command_value;
  vector_t                                        command_vector;
  logic                                           activate, deactivate, exit_start, prefetch,
      base_write;
  logic                                           set_write, command_wait;
  vector_t                                        set_value;
  slot_t                                          command_slot, offset;
  index_t                                         command_base;
  logic                                           offset_valid, offset_release;
  logic        [NumSlots-1:0]                     reported;
  slot_view_t  [NumSlots-1:0]                     slots;
  queue_view_t [ResultWidth-1:0][QueueDepth-1:0]  queue;
  pin_t        [ResultWidth-1:0][QueueDepth-1:0]  pin;

  ltrf_command_unit #(.ResultWidth(ResultWidth)) u_command (
    .*,
    .slot_i        (slots),
    .offset_valid_i(offset_valid),
    .offset_i      (offset),
    .queue_i       (queue),
    .reported_o    (reported),
    .command_warp_o    (command_warp),
    .command_interval_o(command_interval),
    .command_value_o   (command_value),
    .command_vector_o  (command_vector),
    .activate_o    (activate),
    .deactivate_o  (deactivate),
    .exit_o        (exit_start),
    .prefetch_o    (prefetch),
    .base_o        (base_write),
    .slot_o        (command_slot),
    .set_write_o   (set_write),
    .set_o         (set_value),
    .wait_o        (command_wait)
  );

  // ---- warp tables ----
  warp_t       [ResultWidth-1:0]                   arriving_warp, result_warp;
  index_t      [ResultWidth-1:0]                   arriving_base;
  reg_t        [ResultWidth-1:0]                   result_register;
  index_t      [ResultWidth-1:0]                   result_index;
  logic        [ResultWidth-1:0]                   result_hit, result_lookup, result_located;
  cache_bank_t [ResultWidth-1:0]                   result_bank;
  slot_t       [ResultWidth-1:0]                   result_slot;
  warp_t       [NumCollectors-1:0]                 lookup_warp;
  logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid;
  reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register;
  cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank;
  slot_t       [NumCollectors-1:0]                 lookup_slot;
  logic        [NumColumns-1:0]                    allocate;
  slot_t                                           allocate_slot;
  held_t       [NumColumns-1:0]                    allocate_held;
  cache_bank_t [NumColumns-1:0]                    allocate_bank;
  logic        [NumSlots-1:0][NumCacheBanks-1:0]   occupied, dirty, leave;
  held_t       [NumSlots-1:0][NumCacheBanks-1:0]   held;
  logic        [NumCacheBanks-1:0]                 allocated_bank, write_back;
  slot_t       [NumCacheBanks-1:0]                 write_back_slot;
  warp_t       [NumCacheBanks-1:0]                 leaving_warp;
  reg_t        [NumCacheBanks-1:0]                 leaving_register;
  vector_t                                         vector_valid, vector_set, vector_live;
  logic        [NumColumns-1:0]                    allocate_dead;
  logic        [NumCacheBanks-1:0]                 drop, drop_clean;
  vector_t                                         clean_registers;
  logic        [IssueWidth-1:0]                    accept;
  logic        [NumMainBanks-1:0]                  outbound_take;
  slot_t       [NumMainBanks-1:0]                  outbound_slot;
  warp_t       [NumMainBanks-1:0]                  outbound_warp;
  reg_t        [NumMainBanks-1:0]                  outbound_register;

  always_comb begin : names
    for (int unsigned p = 0; p < ResultWidth; p++) arriving_warp[p] = result_i[p].warp;
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      leaving_warp[c]     = slots[write_back_slot[c]].leave_warp;
      leaving_register[c] = held[write_back_slot[c]][c].reg_no;
    end
    clean_registers = '0;
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      if (drop_clean[c]) clean_registers[held[command_slot][c].reg_no] = 1'b1;
    end
  end

  warp_base_table #(.ResultWidth(ResultWidth)) u_base (
    .clk_i,
    .write_i       (base_write),
    .write_warp_i  (command_warp),
    .write_base_i  (command_value),
    .result_warp_i (arriving_warp),
    .result_base_o (arriving_base),
    .command_warp_i(command_warp),
    .command_base_o(command_base)
  );

  warp_control_block #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .Liveness   (Liveness)
  ) u_wcb (
    .clk_i,
    .rst_ni,
    .issue_i,
    .accept_i           (accept),
    .lookup_warp_i      (lookup_warp),
    .lookup_valid_i     (lookup_valid),
    .lookup_register_i  (lookup_register),
    .lookup_bank_o      (lookup_bank),
    .lookup_slot_o      (lookup_slot),
    .result_warp_i      (result_warp),
    .result_register_i  (result_register),
    .result_hit_o       (result_hit),
    .result_slot_o      (result_slot),
    .allocate_i         (allocate),
    .allocate_warp_i    (slots[allocate_slot].warp),
    .allocate_held_i    (allocate_held),
    .allocate_bank_i    (allocate_bank),
    .allocate_dead_i    (allocate_dead),
    .clear_i            (write_back),
    .clear_warp_i       (leaving_warp),
    .clear_register_i   (leaving_register),
    .fill_i             (outbound_take),
    .fill_warp_i        (outbound_warp),
    .fill_register_i    (outbound_register),
    .vector_warp_i      (command_warp),
    .vector_valid_o     (vector_valid),
    .vector_set_o       (vector_set),
    .vector_live_o      (vector_live),
    .begin_i            (base_write),
    .drop_dead_i        (prefetch || deactivate),
    .keep_i             (prefetch ? command_vector : '0),
    .drop_clean_i       (clean_registers),
    .set_write_i        (set_write),
    .set_i              (set_value),
    .clear_all_i        (exit_start),
    .offset_write_i     (activate),
    .offset_i           (offset)
  );

  cache_bank_lists #(
    .ResultWidth(ResultWidth),
    .DirtyBits  (DirtyBits)
  ) u_lists (
    .clk_i,
    .rst_ni,
    .allocate_i       (allocate),
    .allocate_slot_i  (allocate_slot),
    .allocate_held_i  (allocate_held),
    .allocate_bank_i  (allocate_bank),
    .write_back_i     (write_back),
    .write_back_slot_i(write_back_slot),
    .drop_i           (drop),
    .drop_slot_i      (command_slot),
    .result_slot_i    (result_slot),
    .result_index_i   (result_index),
    .result_located_i (result_located),
    .result_bank_o    (result_bank),
    .occupied_o       (occupied),
    .held_o           (held),
    .dirty_o          (dirty)
  );

  // ---- prefetch engine ----
  logic early_release;

  assign early_release = settings.own[EarlyReleaseWord] != '0;

  logic   [NumMainBanks-1:0][NumSlots-1:0] arrive;
  fetch_t [NumMainBanks-1:0][NumSlots-1:0] fetch;
  logic   [NumMainBanks-1:0]               main_read;
  slot_t  [NumMainBanks-1:0]               main_read_slot;
  logic   [NumCacheBanks-1:0]              fill;
  slot_t  [NumCacheBanks-1:0]              fill_slot;

  prefetch_engine #(
    .Liveness(Liveness)
  ) u_engine (
    .clk_i,
    .rst_ni,
    .cache_banks_i    (settings.registers_per_interval[4:0]),
    .active_warps_i   (settings.active_warps[3:0]),
    .decode_width_i   (settings.own[DecodeWidthWord][4:0]),
    .early_release_i  (early_release),
    .command_warp_i   (command_warp),
    .interval_i       (command_interval),
    .vector_i         (command_vector),
    .command_base_i   (command_base),
    .activate_i       (activate),
    .deactivate_i     (deactivate),
    .exit_i           (exit_start),
    .prefetch_i       (prefetch),
    .slot_i           (command_slot),
    .warp_valid_i     (vector_valid),
    .warp_set_i       (vector_set),
    .warp_live_i      (vector_live),
    .reported_i       (reported),
    .slot_o           (slots),
    .offset_valid_o   (offset_valid),
    .offset_o         (offset),
    .offset_release_o (offset_release),
    .occupied_i       (occupied),
    .held_i           (held),
    .dirty_i          (dirty),
    .allocate_o       (allocate),
    .allocate_slot_o  (allocate_slot),
    .allocate_held_o  (allocate_held),
    .allocate_bank_o  (allocate_bank),
    .allocate_dead_o  (allocate_dead),
    .allocated_o      (allocated_bank),
    .drop_o           (drop),
    .drop_clean_o     (drop_clean),
    .leave_o          (leave),
    .arrive_o         (arrive),
    .fetch_o          (fetch),
    .write_back_i     (write_back),
    .write_back_slot_i(write_back_slot),
    .read_i           (main_read),
    .read_slot_i      (main_read_slot),
    .fill_i           (fill),
    .fill_slot_i      (fill_slot)
  );

  // ---- transfers ----
  logic       [NumMainBanks-1:0]  inbound_busy, inbound_valid, inbound_free, inbound_beat;
  logic       [NumMainBanks-1:0]  lane_free;
  row_t       [NumMainBanks-1:0]  inbound_busy_row, inbound_row;
  logic       [NumMainBanks-1:0][NumLaneBanks-1:0] read_ready;
  logic       [NumMainBanks-1:0]  main_write_back;
  cache_bank_t [NumMainBanks-1:0] main_write_back_bank;
  row_t       [NumMainBanks-1:0]  main_write_back_row, main_read_row;
  outbound_t  [NumMainBanks-1:0]  main_read_meta;
  logic       [NumMainBanks-1:0]  outbound_busy, outbound_valid, outbound_beat;
  row_t       [NumMainBanks-1:0]  outbound_busy_row, outbound_row;
  logic       [NumMainBanks-1:0][NumPending-1:0] pending;
  row_t       [NumMainBanks-1:0][NumPending-1:0] pending_row;
  outbound_t  [NumMainBanks-1:0]  outbound;
  data_t      [NumMainBanks-1:0]  outbound_data;
  logic       [ResultWidth-1:0]   to_cache, to_main, result_wait;
  location_t  [ResultWidth-1:0]   head_location;
  index_t     [ResultWidth-1:0]   head_index;
  lanes_t     [ResultWidth-1:0]   head_mask;
  data_t      [ResultWidth-1:0]   head_data;

  // Results have the inbound lanes before write-backs.
  always_comb begin : free_lanes
    inbound_free = lane_free;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (to_main[p]) inbound_free[head_index[p].bank] = 1'b0;
    end
  end

  transfer_allocator #(
    .ResultWidth (ResultWidth),
    .NumLaneBanks(NumLaneBanks)
  ) u_allocator (
    .clk_i,
    .rst_ni,
    .leave_i           (leave),
    .held_i            (held),
    .arrive_i          (arrive),
    .fetch_i           (fetch),
    .pin_i             (pin),
    .inbound_free_i    (inbound_free),
    .inbound_busy_i    (inbound_busy),
    .inbound_busy_row_i(inbound_busy_row),
    .inbound_valid_i   (inbound_valid),
    .inbound_row_i     (inbound_row),
    .read_ready_i      (read_ready),
    .write_back_o      (write_back),
    .write_back_slot_o (write_back_slot),
    .inbound_o         (main_write_back),
    .inbound_bank_o    (main_write_back_bank),
    .read_o            (main_read),
    .read_slot_o       (main_read_slot)
  );

  always_comb begin : transfers
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      main_write_back_row[b] =
          held[write_back_slot[main_write_back_bank[b]]][main_write_back_bank[b]].index.row;
      main_read_row[b]       = fetch[b][main_read_slot[b]].row;
      main_read_meta[b]      = '{slot: main_read_slot[b],
                                 reg_no: fetch[b][main_read_slot[b]].reg_no,
                                 cache_bank: fetch[b][main_read_slot[b]].cache_bank};
    end
  end

  // ---- results ----
  result_router #(
    .ResultWidth(ResultWidth),
    .NumPending (NumPending)
  ) u_results (
    .*,
    .result_base_i      (arriving_base),
    .lookup_warp_o      (result_warp),
    .lookup_register_o  (result_register),
    .lookup_index_o     (result_index),
    .lookup_hit_i       (result_hit),
    .lookup_bank_i      (result_bank),
    .lookup_slot_i      (result_slot),
    .lookup_o           (result_lookup),
    .located_o          (result_located),
    .write_back_i       (write_back),
    .write_back_slot_i  (write_back_slot),
    .read_i             (main_read),
    .read_row_i         (main_read_row),
    .pending_i          (pending),
    .pending_row_i      (pending_row),
    .outbound_busy_i    (outbound_busy),
    .outbound_busy_row_i(outbound_busy_row),
    .outbound_valid_i   (outbound_valid),
    .outbound_row_i     (outbound_row),
    .cache_free_i       (~fill),
    .inbound_free_i     (lane_free),
    .to_cache_o         (to_cache),
    .to_main_o          (to_main),
    .head_location_o    (head_location),
    .head_index_o       (head_index),
    .head_mask_o        (head_mask),
    .head_data_o        (head_data),
    .queue_o            (queue),
    .pin_o              (pin),
    .wait_o             (result_wait)
  );

  // ---- register cache ----
  main_bank_t  [NumCacheBanks-1:0] fill_lane;
  cache_bank_t [NumMainBanks-1:0]  outbound_bank;
  logic        [NumCacheBanks-1:0] operand_read, cache_read, cache_write;
  slot_t       [NumCacheBanks-1:0] operand_read_slot, cache_read_slot;
  data_t       [NumCacheBanks-1:0] cache_data;

  always_comb begin : outbound_names
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      outbound_slot[b]     = outbound[b].slot;
      outbound_warp[b]     = slots[outbound[b].slot].warp;
      outbound_register[b] = outbound[b].reg_no;
      outbound_bank[b]     = outbound[b].cache_bank;
    end
  end

  fill_arbiter u_fill (
    .clk_i,
    .rst_ni,
    .valid_i     (outbound_valid),
    .cache_bank_i(outbound_bank),
    .slot_i      (outbound_slot),
    .take_o      (outbound_take),
    .fill_o      (fill),
    .fill_lane_o (fill_lane)
  );

  always_comb begin : cache_reads
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      fill_slot[c]       = outbound_slot[fill_lane[c]];
      cache_read[c]      = write_back[c] || operand_read[c];
      cache_read_slot[c] = write_back[c] ? write_back_slot[c] : operand_read_slot[c];
    end
  end

  register_cache #(.ResultWidth(ResultWidth)) u_cache (
    .clk_i,
    .read_i           (cache_read),
    .read_slot_i      (cache_read_slot),
    .read_data_o      (cache_data),
    .fill_i           (fill),
    .fill_lane_i      (fill_lane),
    .lane_slot_i      (outbound_slot),
    .lane_data_i      (outbound_data),
    .result_i         (to_cache),
    .result_location_i(head_location),
    .result_mask_i    (head_mask),
    .result_data_i    (head_data),
    .write_o          (cache_write)
  );

  // ---- main register file ----
  logic [NumLaneBanks-1:0][NumMainBanks-1:0] bank_read, bank_write, bank_busy;
  logic [7:0]              bank_busy_cycles;

  // 0: a bank is busy until the word is there.
  assign bank_busy_cycles = (settings.own[BankBusyCyclesWord] == '0) ?
                            settings.bank_cycles : settings.own[BankBusyCyclesWord][7:0];

  main_register_file #(
    .ResultWidth (ResultWidth),
    .NumLaneBanks(NumLaneBanks),
    .RowsPerBank (RowsPerBank),
    .PathDepth   (PathDepth)
  ) u_main (
    .clk_i,
    .rst_ni,
    .bank_cycles_i      (settings.bank_cycles),
    .bank_busy_cycles_i (bank_busy_cycles),
    .bank_eighths_i     (settings.own[BankEighthsWord][2:0]),
    .crossbar_cycles_i  (settings.crossbar_cycles),
    .write_back_i       (main_write_back),
    .write_back_row_i   (main_write_back_row),
    .write_back_bank_i  (main_write_back_bank),
    .cache_data_i       (cache_data),
    .result_i           (to_main),
    .result_index_i     (head_index),
    .result_mask_i      (head_mask),
    .result_data_i      (head_data),
    .inbound_free_o     (lane_free),
    .inbound_busy_o     (inbound_busy),
    .inbound_busy_row_o (inbound_busy_row),
    .inbound_valid_o    (inbound_valid),
    .inbound_row_o      (inbound_row),
    .inbound_beat_o     (inbound_beat),
    .read_ready_o       (read_ready),
    .read_i             (main_read),
    .read_row_i         (main_read_row),
    .read_meta_i        (main_read_meta),
    .pending_o          (pending),
    .pending_row_o      (pending_row),
    .outbound_busy_o    (outbound_busy),
    .outbound_busy_row_o(outbound_busy_row),
    .outbound_beat_o    (outbound_beat),
    .outbound_valid_o   (outbound_valid),
    .outbound_row_o     (outbound_row),
    .outbound_o         (outbound),
    .outbound_data_o    (outbound_data),
    .outbound_take_i    (outbound_take),
    .bank_read_o        (bank_read),
    .bank_write_o       (bank_write),
    .bank_busy_o        (bank_busy)
  );

  // ---- operands ----
  collector_t               collector [IssueWidth];
  source_set_t              unread [NumCollectors];
  source_set_t              not_looked_up [NumCollectors];
  source_set_t              readable [NumCollectors];
  source_set_t              granted [NumCollectors];
  cache_bank_t              source_bank [NumCollectors][NumSources];
  slot_t                    source_slot [NumCollectors];
  logic [NumCacheBanks-1:0] deliver, read_conflict;
  collector_t               deliver_collector [NumCacheBanks];
  source_t                  deliver_source [NumCacheBanks];
  data_t                    deliver_data [NumCacheBanks];
  collector_set_t           allocated, dispatched;

  operand_front #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors),
    .NumPorts     (NumCacheBanks)
  ) u_operands (
    .*,
    .accept_o           (accept),
    .collector_o        (collector),
    .pending_o          (unread),
    .granted_i          (granted),
    .hold_i             ('0),
    .deliver_i          (deliver),
    .deliver_collector_i(deliver_collector),
    .deliver_source_i   (deliver_source),
    .deliver_data_i     (deliver_data),
    .allocated_o        (allocated),
    .dispatched_o       (dispatched),
    .in_use_o           (),
    .issue_stall_o      (),
    .operand_stall_o    ()
  );

  operand_lookup #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth)
  ) u_lookup (
    .clk_i,
    .rst_ni,
    .issue_i,
    .accept_i         (accept),
    .collector_i      (collector),
    .lookup_warp_o    (lookup_warp),
    .lookup_valid_o   (lookup_valid),
    .lookup_register_o(lookup_register),
    .lookup_bank_i    (lookup_bank),
    .lookup_slot_i    (lookup_slot),
    .queue_i          (queue),
    .waits_o          (not_looked_up),
    .bank_o           (source_bank),
    .slot_o           (source_slot)
  );

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_readable
    assign readable[c] = unread[c] & ~not_looked_up[c];
  end

  for (genvar b = 0; b < NumCacheBanks; b++) begin : gen_deliver
    assign deliver_data[b] = cache_data[b];
  end

  cache_reader u_reader (
    .clk_i,
    .rst_ni,
    .readable_i         (readable),
    .bank_i             (source_bank),
    .slot_i             (source_slot),
    .granted_o          (granted),
    .taken_i            (write_back),
    .read_o             (operand_read),
    .read_slot_o        (operand_read_slot),
    .deliver_o          (deliver),
    .deliver_collector_o(deliver_collector),
    .deliver_source_o   (deliver_source),
    .conflict_o         (read_conflict)
  );

  // ---- status and events ----
  events_t events;

  // Transfers of each slot that wait.
  logic [NumSlots-1:0][NumCacheBanks-1:0] leaves;
  logic [NumSlots-1:0][NumMainBanks-1:0]  fetches;

  always_comb begin : waits
    leaves = leave;
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      if (write_back[c]) leaves[write_back_slot[c]][c] = 1'b0;
    end
    for (int unsigned s = 0; s < NumSlots; s++) begin
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        fetches[s][b] = arrive[b][s] && !(main_read[b] && main_read_slot[b] == slot_t'(s));
      end
    end
  end

  // A lane's banks start one read and one write in a cycle at most.
  logic [NumMainBanks-1:0] lane_read, lane_write;

  always_comb begin : lanes
    lane_read  = '0;
    lane_write = '0;
    for (int unsigned k = 0; k < NumLaneBanks; k++) begin
      lane_read  = lane_read | bank_read[k];
      lane_write = lane_write | bank_write[k];
    end
  end

  always_comb begin : happened
    events = '{
      main_bank_read:      lane_read,
      main_bank_write:     lane_write,
      cache_bank_read:     cache_read,
      cache_bank_write:    cache_write,
      collector_alloc:     allocated,
      collector_dispatch:  dispatched,
      wcb_lookup:          lookup_valid,
      crossbar_beat_in:    inbound_beat,
      crossbar_beat_out:   outbound_beat,
      bank_alloc:          allocated_bank,
      dead_alloc:          allocate & allocate_dead,
      dead_drop:           drop & ~drop_clean & {NumCacheBanks{!exit_start}},
      clean_drop:          drop_clean,
      wcb_result_lookup:   shell_pkg::MaxWidth'(result_lookup),
      result_to_cache:     shell_pkg::MaxWidth'(to_cache),
      result_to_main:      shell_pkg::MaxWidth'(to_main),
      offset_alloc:        activate,
      offset_release:      offset_release,
      prefetch:            prefetch,
      activate:            activate,
      deactivate:          deactivate,
      exit:                exit_start,
      write_back:          write_back,
      cache_read_conflict: read_conflict,
      wcb_update:          outbound_take,
      result_wait:         shell_pkg::MaxWidth'(result_wait),
      command_wait:        command_wait,
      default:             '0
    };
    for (int unsigned s = 0; s < NumSlots; s++) begin
      events.transfer_wait[s] = leaves[s] != '0 || fetches[s] != '0;
      events.slot_service[s]  = slots[s].state != SlotIdle && slots[s].state != SlotReady;
    end
  end

  event_register #(
    .Width($bits(events_t))
  ) u_events (
    .*,
    .events_i(events)
  );

  assign status_o.bank_busy = MaxBanks'(bank_busy);

endmodule
