// Attaches the assertions to the modules of LTRF.
bind address_allocation_unit address_allocation_unit_assertions #(
  .Depth      (Depth),
  .AddressBits(AddressBits),
  .SizeBits   (SizeBits)
) u_assertions (
  .clk_i,
  .rst_ni,
  .ready_i         (ready_q),
  .size_i,
  .allocate_i,
  .valid_i         (valid_o),
  .address_i       (address_o),
  .release_i,
  .release_address_i,
  .unused_count_i  (unused_count_q)
);

bind cache_bank_lists cache_bank_lists_assertions #(
  .ResultWidth(ResultWidth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .allocate_i,
  .allocate_slot_i,
  .allocate_held_i,
  .allocate_bank_i,
  .write_back_i,
  .write_back_slot_i,
  .drop_i,
  .drop_slot_i,
  .result_slot_i,
  .result_index_i,
  .result_located_i,
  .occupied_i(occupied_q),
  .held_i    (held_q)
);

bind cache_reader read_requests_assertions #(
  .NumBanks     (NumCacheBanks),
  .NumCollectors(NumCollectors)
) u_read_requests_assertions (
  .clk_i,
  .rst_ni,
  .readable_i,
  .bank_i,
  .request_i (request),
  .winner_i  (winner),
  .grant_i   (read_o),
  .source_i  (source)
);

bind cache_reader read_requests_covers #(
  .NumBanks     (NumCacheBanks),
  .NumCollectors(NumCollectors)
) u_read_requests_covers (
  .clk_i,
  .rst_ni,
  .readable_i,
  .bank_i,
  .request_i(request),
  .grant_i  (read_o)
);

bind crossbar_lane crossbar_lane_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .cycles_i,
  .start_i,
  .free_i (free_o),
  .beat_i (beat),
  .last_i (last),
  .valid_i(valid_q),
  .take_i
);

bind fetch_path fetch_path_assertions #(
  .Depth(Depth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .delay_i,
  .ready_i(ready_o),
  .read_i,
  .start_i(start_o)
);

bind fill_arbiter fill_arbiter_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .valid_i,
  .cache_bank_i,
  .slot_i,
  .take_i(take_o),
  .fill_i(fill_o)
);

bind warp_control_block warp_control_block_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .lookup_warp_i,
  .lookup_valid_i,
  .lookup_register_i,
  .valid_i(valid_q),
  .clear_i,
  .clear_warp_i,
  .clear_register_i,
  .fill_i,
  .fill_warp_i,
  .fill_register_i
);

bind transfer_allocator transfer_allocator_assertions #(
  .NumLaneBanks(NumLaneBanks)
) u_assertions (
  .clk_i,
  .rst_ni,
  .leave_i,
  .held_i,
  .arrive_i,
  .write_back_i     (write_back_o),
  .write_back_slot_i(write_back_slot_o),
  .inbound_i        (inbound_o),
  .inbound_bank_i   (inbound_bank_o),
  .inbound_free_i,
  .fetch_i,
  .read_i           (read_o),
  .read_slot_i      (read_slot_o),
  .read_ready_i,
  .pinned_hit_i     (pinned_hit),
  .pinned_miss_i    (pinned_miss),
  .pinned_lane_i    (pinned_lane)
);

bind prefetch_engine bank_matcher_assertions u_matcher_assertions (
  .clk_i,
  .rst_ni,
  .ask_i   (ask),
  .unused_i(unused_bank),
  .most_i  (decode_width_i),
  .take_i  (allocate_o),
  .taken_i (allocated_o)
);

bind prefetch_engine prefetch_engine_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .state_i      (state_q),
  .warp_i       (warp_q),
  .leave_warp_i (leave_warp_q),
  .arrive_list_i(u_lists.list_q),
  .leave_i      (leave_q),
  .coming_i     (coming_q),
  .occupied_i,
  .fill_i,
  .fill_slot_i,
  .reported_i,
  .early_release_i,
  .activate_i,
  .deactivate_i,
  .exit_i,
  .prefetch_i,
  .slot_i,
  .command_warp_i,
  .cache_banks_i,
  .vector_i
);

bind result_router result_router_assertions #(
  .ResultWidth(ResultWidth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .accept_i       (accept),
  .leave_i        (leave),
  .to_cache_i     (to_cache_o),
  .to_main_i      (to_main_o),
  .count_i        (count_q),
  .located_i      (located_q),
  .head_i         (head_q),
  .head_location_i(head_location_o),
  .head_index_i   (head_index_o),
  .cache_free_i,
  .inbound_free_i,
  .lookup_hit_i,
  .found_i        (found),
  .look_index_i   (look_index),
  .pin_i          (pin_o)
);

bind operand_lookup operand_lookup_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .look_i        (look_q),
  .looked_i      (looked),
  .warp_i        (lookup_warp_o),
  .lookup_valid_i(lookup_valid_o)
);

bind cache_reader cache_reader_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .read_i(read_o),
  .taken_i
);

bind ltrf_top ltrf_top_assertions #(
  .ResultWidth (ResultWidth),
  .NumLaneBanks(NumLaneBanks)
) u_assertions (
  .clk_i,
  .rst_ni,
  .active_warps_i (settings.active_warps),
  .cache_banks_i  (settings.registers_per_interval),
  .rows_in_use_i  (settings.rows_per_bank),
  .bank_cycles_i  (settings.bank_cycles),
  .busy_cycles_i  (settings.own[BankBusyCyclesWord]),
  .slot_i         (slots),
  .read_i         (bank_read),
  .write_i        (bank_write),
  .allocate_i     (allocate),
  .allocate_slot_i(allocate_slot),
  .allocate_held_i(allocate_held),
  .fill_i         (fill),
  .to_cache_i     (to_cache),
  .head_location_i(head_location),
  .drop_i         (drop),
  .drop_slot_i    (command_slot),
  .pin_i          (pin),
  .located_i      (result_located),
  .located_bank_i (result_bank),
  .located_slot_i (result_slot),
  .exit_i         (exit_start),
  .warp_queued_i  (u_command.warp_queued)
);

// And what they must be seen to do.
bind prefetch_engine prefetch_engine_covers u_covers (
  .clk_i,
  .rst_ni,
  .decode_width_i,
  .state_i       (state_q),
  .finished_i    (finished),
  .reported_i,
  .listed_i      (~arrive_empty),
  .leave_i       (leave_q),
  .coming_i      (coming_q),
  .activate_i,
  .deactivate_i,
  .exit_i,
  .prefetch_i,
  .slot_i,
  .start_leave_i (start_leave),
  .start_arrive_i(start_arrive),
  .drop_i        (drop_o),
  .drop_clean_i  (drop_clean_o),
  .decode_i      (list != '0),
  .chosen_i      (chosen),
  .ask_i         (ask),
  .allocate_i    (allocate_o),
  .dead_i        (allocate_dead_o),
  .unused_i      (unused_bank)
);

bind transfer_allocator transfer_allocator_covers u_covers (
  .clk_i,
  .rst_ni,
  .leave_i,
  .arrive_i,
  .wanted_i     (wanted),
  .read_i       (read_o),
  .pinned_miss_i(pinned_miss),
  .pinned_lane_i(pinned_lane),
  .pinned_hit_i (pinned_hit),
  .chosen_i     (chosen),
  .request_i    (request),
  .inbound_i    (inbound_o),
  .write_back_i (write_back_o)
);

bind crossbar_lane crossbar_lane_covers u_covers (
  .clk_i,
  .rst_ni,
  .start_i,
  .late_i,
  .busy_i (busy_q),
  .beat_i (beat),
  .last_i (last),
  .hold_i (hold),
  .valid_i(valid_q),
  .take_i
);

bind address_allocation_unit address_allocation_unit_covers #(
  .AddressBits(AddressBits),
  .SizeBits   (SizeBits)
) u_covers (
  .clk_i,
  .rst_ni,
  .ready_i   (ready_q),
  .size_i,
  .allocate_i(allocate),
  .release_i,
  .head_i    (head_q),
  .tail_i    (tail_q),
  .count_i   (unused_count_q)
);

bind ltrf_command_unit ltrf_command_unit_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .full_i (full_q),
  .op_i   (command_q.op),
  .match_i(match),
  .base_i (base_o)
);

bind ltrf_command_unit ltrf_command_unit_covers u_covers (
  .clk_i,
  .rst_ni,
  .full_i        (full_q),
  .op_i          (command_q.op),
  .start_i       (start),
  .accept_i      (accept),
  .match_i       (match),
  .leaves_i      (leaves),
  .queued_i      (warp_queued),
  .immediate_i   (immediate),
  .finished_i    (any_finished)
);
