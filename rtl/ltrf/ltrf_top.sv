// LTRF: a latency-tolerant register file with a software-prefetched register cache (ACM TOCS,
// figure 11).
//
// Operands are read from the register cache only; a prefetch brings the working set of a
// register-interval there, and a warp's working set leaves the cache and returns as the warp
// becomes inactive and active.
module ltrf_top import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 128,
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
  logic                                           set_write, exit_event, command_wait;
  vector_t                                        set_value;
  slot_t                                          command_slot, offset;
  index_t                                         command_base;
  logic                                           offset_valid, offset_release;
  logic        [NumSlots-1:0]                     reported;
  slot_view_t  [NumSlots-1:0]                     slots;
  queue_view_t [ResultWidth-1:0][QueueDepth-1:0]  queue;

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
    .exit_event_o  (exit_event),
    .wait_o        (command_wait)
  );

  // ---- warp tables ----
  warp_t       [ResultWidth-1:0]                   arriving_warp, result_warp;
  index_t      [ResultWidth-1:0]                   arriving_base;
  reg_t        [ResultWidth-1:0]                   result_register;
  logic        [ResultWidth-1:0]                   result_hit, result_lookup;
  cache_bank_t [ResultWidth-1:0]                   result_bank;
  slot_t       [ResultWidth-1:0]                   result_slot;
  warp_t       [NumCollectors-1:0]                 lookup_warp;
  logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid;
  reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register;
  cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank;
  slot_t       [NumCollectors-1:0]                 lookup_slot;
  warp_t       [NumSlots-1:0]                      slot_warp;
  reg_t        [NumSlots-1:0]                      decode_register, leave_register, arrive_register;
  cache_bank_t [NumSlots-1:0]                      decode_bank, fetch_bank;
  candidate_t  [NumSlots-1:0]                      leave, arrive;
  logic        [NumSlots-1:0]                      slot_release, slot_write_back, slot_fetch,
      bank_free;
  vector_t                                         vector_valid, vector_set;
  logic        [NumMainBanks-1:0]                  outbound_take;
  slot_t       [NumMainBanks-1:0]                  outbound_slot;
  reg_t        [NumMainBanks-1:0]                  outbound_register;

  always_comb begin : names
    for (int unsigned p = 0; p < ResultWidth; p++) arriving_warp[p] = result_i[p].warp;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      slot_warp[s]       = slots[s].warp;
      leave_register[s]  = leave[s].reg_no;
      arrive_register[s] = arrive[s].reg_no;
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

  warp_control_block #(.ResultWidth(ResultWidth)) u_wcb (
    .clk_i,
    .rst_ni,
    .lookup_warp_i      (lookup_warp),
    .lookup_valid_i     (lookup_valid),
    .lookup_register_i  (lookup_register),
    .lookup_bank_o      (lookup_bank),
    .lookup_slot_o      (lookup_slot),
    .result_warp_i      (result_warp),
    .result_register_i  (result_register),
    .result_hit_o       (result_hit),
    .result_bank_o      (result_bank),
    .result_slot_o      (result_slot),
    .slot_warp_i        (slot_warp),
    .decode_register_i  (decode_register),
    .decode_bank_o      (decode_bank),
    .allocate_i         (slot_fetch),
    .allocate_register_i(arrive_register),
    .allocate_bank_i    (fetch_bank),
    .clear_i            (slot_release),
    .clear_register_i   (leave_register),
    .fill_i             (outbound_take),
    .fill_slot_i        (outbound_slot),
    .fill_register_i    (outbound_register),
    .vector_warp_i      (command_warp),
    .vector_valid_o     (vector_valid),
    .vector_set_o       (vector_set),
    .set_write_i        (set_write),
    .set_warp_i         (command_warp),
    .set_i              (set_value),
    .offset_write_i     (activate),
    .offset_warp_i      (command_warp),
    .offset_i           (offset)
  );

  // ---- prefetch engine ----
  logic  [NumMainBanks-1:0] written;
  slot_t [NumMainBanks-1:0] written_slot;

  prefetch_engine u_engine (
    .clk_i,
    .rst_ni,
    .cache_banks_i    (settings.registers_per_interval[4:0]),
    .active_warps_i   (settings.active_warps[3:0]),
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
    .reported_i       (reported),
    .slot_o           (slots),
    .offset_valid_o   (offset_valid),
    .offset_o         (offset),
    .offset_release_o (offset_release),
    .decode_register_o(decode_register),
    .decode_bank_i    (decode_bank),
    .leave_o          (leave),
    .arrive_o         (arrive),
    .bank_free_o      (bank_free),
    .bank_o           (fetch_bank),
    .release_i        (slot_release),
    .write_back_i     (slot_write_back),
    .fetch_i          (slot_fetch),
    .written_i        (written),
    .written_slot_i   (written_slot),
    .filled_i         (outbound_take),
    .filled_slot_i    (outbound_slot)
  );

  // ---- transfers ----
  logic       [NumMainBanks-1:0]  inbound_busy, inbound_valid, inbound_free, inbound_beat;
  row_t       [NumMainBanks-1:0]  inbound_busy_row, inbound_row;
  logic       [NumMainBanks-1:0]  read_ready, main_read, main_write_back;
  slot_t      [NumMainBanks-1:0]  main_read_slot, main_write_back_slot;
  logic       [NumCacheBanks-1:0] evict_read;
  slot_t      [NumCacheBanks-1:0] evict_read_slot;
  logic       [NumMainBanks-1:0]  pending, outbound_busy, outbound_valid, outbound_beat;
  row_t       [NumMainBanks-1:0]  pending_row, outbound_busy_row, outbound_row;
  outbound_t  [NumMainBanks-1:0]  outbound;
  data_t      [NumMainBanks-1:0]  outbound_data;
  logic       [ResultWidth-1:0]   to_cache, to_main, result_wait;
  location_t  [ResultWidth-1:0]   head_location;
  index_t     [ResultWidth-1:0]   head_index;
  lanes_t     [ResultWidth-1:0]   head_mask;
  data_t      [ResultWidth-1:0]   head_data;

  // Results have the inbound lanes before write-backs.
  always_comb begin : free_lanes
    inbound_free = ~inbound_busy;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      if (to_main[p]) inbound_free[head_index[p].bank] = 1'b0;
    end
  end

  transfer_allocator #(.ResultWidth(ResultWidth)) u_allocator (
    .clk_i,
    .rst_ni,
    .slot_i            (slots),
    .leave_i           (leave),
    .arrive_i          (arrive),
    .bank_free_i       (bank_free),
    .queue_i           (queue),
    .inbound_free_i    (inbound_free),
    .inbound_busy_i    (inbound_busy),
    .inbound_busy_row_i(inbound_busy_row),
    .inbound_valid_i   (inbound_valid),
    .inbound_row_i     (inbound_row),
    .read_ready_i      (read_ready),
    .release_o         (slot_release),
    .write_back_o      (slot_write_back),
    .fetch_o           (slot_fetch),
    .inbound_o         (main_write_back),
    .inbound_slot_o    (main_write_back_slot),
    .read_o            (main_read),
    .read_slot_o       (main_read_slot),
    .cache_read_o      (evict_read),
    .cache_read_slot_o (evict_read_slot)
  );

  // ---- results ----
  logic [NumCacheBanks-1:0] fill;

  result_router #(.ResultWidth(ResultWidth)) u_results (
    .*,
    .result_base_i      (arriving_base),
    .lookup_warp_o      (result_warp),
    .lookup_register_o  (result_register),
    .lookup_hit_i       (result_hit),
    .lookup_bank_i      (result_bank),
    .lookup_slot_i      (result_slot),
    .lookup_o           (result_lookup),
    .leave_i            (leave),
    .release_i          (slot_release),
    .arrive_i           (arrive),
    .fetch_i            (slot_fetch),
    .pending_i          (pending),
    .pending_row_i      (pending_row),
    .outbound_busy_i    (outbound_busy),
    .outbound_busy_row_i(outbound_busy_row),
    .outbound_valid_i   (outbound_valid),
    .outbound_row_i     (outbound_row),
    .cache_free_i       (~fill),
    .inbound_free_i     (~inbound_busy),
    .to_cache_o         (to_cache),
    .to_main_o          (to_main),
    .head_location_o    (head_location),
    .head_index_o       (head_index),
    .head_mask_o        (head_mask),
    .head_data_o        (head_data),
    .queue_o            (queue),
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
      cache_read[c]      = evict_read[c] || operand_read[c];
      cache_read_slot[c] = evict_read[c] ? evict_read_slot[c] : operand_read_slot[c];
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
  logic [NumMainBanks-1:0] bank_read, bank_write, bank_busy;

  main_register_file #(
    .ResultWidth(ResultWidth),
    .RowsPerBank(RowsPerBank)
  ) u_main (
    .clk_i,
    .rst_ni,
    .bank_cycles_i      (settings.bank_cycles),
    .crossbar_cycles_i  (settings.crossbar_cycles),
    .write_back_i       (main_write_back),
    .write_back_slot_i  (main_write_back_slot),
    .leave_i            (leave),
    .cache_data_i       (cache_data),
    .result_i           (to_main),
    .result_index_i     (head_index),
    .result_mask_i      (head_mask),
    .result_data_i      (head_data),
    .inbound_busy_o     (inbound_busy),
    .inbound_busy_row_o (inbound_busy_row),
    .inbound_valid_o    (inbound_valid),
    .inbound_row_o      (inbound_row),
    .inbound_beat_o     (inbound_beat),
    .written_o          (written),
    .written_slot_o     (written_slot),
    .read_ready_o       (read_ready),
    .read_i             (main_read),
    .read_slot_i        (main_read_slot),
    .arrive_i           (arrive),
    .read_cache_bank_i  (fetch_bank),
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
  logic [IssueWidth-1:0]    accept;
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
    .taken_i            (evict_read),
    .read_o             (operand_read),
    .read_slot_o        (operand_read_slot),
    .deliver_o          (deliver),
    .deliver_collector_o(deliver_collector),
    .deliver_source_o   (deliver_source),
    .conflict_o         (read_conflict)
  );

  // ---- status and events ----
  events_t events;

  always_comb begin : happened
    events = '{
      main_bank_read:      bank_read,
      main_bank_write:     bank_write,
      cache_bank_read:     cache_read,
      cache_bank_write:    cache_write,
      collector_alloc:     allocated,
      collector_dispatch:  dispatched,
      wcb_lookup:          lookup_valid,
      crossbar_beat_in:    inbound_beat,
      crossbar_beat_out:   outbound_beat,
      bank_alloc:          slot_fetch,
      bank_release:        slot_release,
      wcb_result_lookup:   shell_pkg::MaxWidth'(result_lookup),
      result_to_cache:     shell_pkg::MaxWidth'(to_cache),
      result_to_main:      shell_pkg::MaxWidth'(to_main),
      offset_alloc:        activate,
      offset_release:      offset_release,
      prefetch:            prefetch,
      activate:            activate,
      deactivate:          deactivate,
      exit:                exit_event,
      write_back:          slot_write_back,
      cache_read_conflict: read_conflict,
      wcb_update:          outbound_take,
      result_wait:         shell_pkg::MaxWidth'(result_wait),
      command_wait:        command_wait,
      default:             '0
    };
    for (int unsigned s = 0; s < NumSlots; s++) begin
      events.transfer_wait[s] = (leave[s].valid && !slot_release[s]) ||
                                (arrive[s].valid && !slot_fetch[s]);
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
