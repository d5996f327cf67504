// Attaches the assertions to the modules of CERF.
bind tag_bank tag_bank_assertions #(
  .Ways     (Ways),
  .TagWidth (TagWidth),
  .TagBits  ($bits(tag_q)),
  .StateBits($bits(state_q))
) u_assertions (
  .clk_i,
  .rst_ni,
  .fair_i,
  .op_i,
  .line_i,
  .dead_i,
  .commit_i,
  .match_i    (match),
  .hit_i      (hit_o),
  .evict_i    (evict_o),
  .placed_i   (placed_o),
  .spilled_i  (spilled_q[register]),
  .returning_i(returning_q[register]),
  .before_i   (before_o),
  .after_i    (after),
  .leaves_i   (leaves),
  .age_i      (age),
  .registers_i(registers_q),
  .lines_i    (lines_q),
  .state_i    (state_q),
  .set_i      (set),
  .chosen_i   (chosen),
  .frees_i,
  .group_i    (free_group_i),
  .rows_i     (free_rows_i),
  .ends_i     (ends),
  .tag_i      (tag_q),
  .away_i     (spilled_q | returning_q)
);

bind register_reads register_reads_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .pending_i,
  .parked_i(parked_q),
  .grant_i,
  .park_i,
  .winner_i,
  .source_i
);

bind memory_unit memory_unit_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .head_i   (head),
  .line_i   (line_o),
  .lookup_i (lookup_o),
  .pending_i,
  .joins_i  (joins_o),
  .selected_i,
  .done_i
);

bind mshr_file mshr_file_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .in_use_i    (in_use),
  .closed_i    (closed_q),
  .match_i     (match),
  .joinable_i  (joinable_o),
  .allocate_i,
  .allocate_line_i,
  .line_i      (line_q),
  .join_i,
  .returned_i,
  .close_i,
  .release_i
);

bind fill_unit fill_unit_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .arrives_i(lower_response_i.valid),
  .fill_i   (fill_o),
  .filled_i,
  .answer_i (answer_o),
  .answered_i,
  .deposit_i,
  .deposit_mshr_i,
  .start_i  (start),
  .next_id_i(next_id)
);

bind cerf_top cerf_top_assertions #(
  .Ways(Ways)
) u_assertions (
  .clk_i,
  .rst_ni,
  .config_i      (settings),
  .push_i        (push),
  .pushed_i      (pushed),
  .room_i        (room),
  .selected_i    (selected),
  .deposited_i   (deposited),
  .refill_start_i(refill_start),
  .mshr_free_i   (mshr_free),
  .request_i     (memory_request_i.valid),
  .idle_i        (memory_idle_o),
  .start_i       (memory_flush_i),
  .flush_i       (flush),
  .activity_i    (activity),
  .front_done_i  (front_done),
  .exit_done_i   (exit_done)
);

bind lower_side lower_side_assertions u_side_assertions (
  .clk_i,
  .rst_ni,
  .interleaved_i,
  .line_i        (line_o),
  .memory_line_i (memory_line),
  .push_i        (pushed_o != '0),
  .kind_i        (kind),
  .entry_i       (entry_o),
  .written_back_i(written_back),
  .late_i        (late),
  .late_entry_i  (late_entry)
);

bind cerf_top register_values_assertions u_register_values (
  .clk_i,
  .rst_ni,
  .done_i   (done),
  .line_i   (op_line),
  .dead_i   (read_dead),
  .mask_i   (write_mask),
  .result_i (write_data),
  .placed_i (fill_data),
  .pushed_i (pushed),
  .evict_i  (evict),
  .evicted_i(evicted_line),
  .freed_i  (freed),
  .group_i  (free_group),
  .rows_i   (free_rows),
  .entry_i  (push_entry),
  .request_i(lower_request_o),
  .data_i   (lower_request_data_o),
  .taken_i  (popped)
);

bind exit_walk exit_walk_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .interleaved_i,
  .is_exit_i  (is_exit),
  .exits_i    (command_i.warp),
  .registers_i(registers_per_thread_i),
  .base_i,
  .picks_i    (picks),
  .warp_i     (warp_q),
  .free_i     (free_o),
  .group_i    (group_o),
  .rows_i     (rows_o),
  .freed_i,
  .ends_i     (ends)
);

bind flush_unit flush_unit_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .flush_i(flush_o),
  .flushed_i
);

// And what they must be seen to do.
bind tag_bank tag_bank_covers #(
  .Ways(Ways)
) u_covers (
  .clk_i,
  .rst_ni,
  .fair_i,
  .op_i,
  .commit_i,
  .full_i,
  .changes_i   (changes),
  .hit_i       (hit_o),
  .allocates_i (allocates),
  .found_i     (found),
  .evict_i     (evict_o),
  .spilled_i   (spilled_o),
  .returning_i (returning_o),
  .is_spilled_i(spilled_q[register]),
  .before_i    (before_o),
  .after_i     (after),
  .set_i       (state),
  .ended_i     (ended_o),
  .free_waits_i(free_waits_o),
  .registers_i (registers_q),
  .lines_i     (lines_q)
);

bind mshr_file mshr_file_covers u_covers (
  .clk_i,
  .rst_ni,
  .in_use_i(in_use),
  .allocate_i,
  .fetches_i,
  .join_i,
  .slot_i  (slot_o),
  .close_i,
  .release_i
);

bind memory_unit memory_unit_covers u_covers (
  .clk_i,
  .rst_ni,
  .waits_i  (waits),
  .op_i     (op_o),
  .done_i,
  .joins_i  (joins_o),
  .pending_i,
  .parked_i (parked_q),
  .lookup_i (lookup_o),
  .selected_i
);

bind fill_unit fill_unit_covers u_covers (
  .clk_i,
  .rst_ni,
  .start_i   (start),
  .fetches_i,
  .register_i,
  .fill_i    (fill_o),
  .filled_i,
  .answer_i  (answer_o),
  .answered_i,
  .last_i    (last),
  .waits_i   (waits),
  .arrives_i (lower_response_i.valid),
  .deposit_i,
  .fresh_i   (deposit_fresh_i)
);

bind exit_walk exit_walk_covers u_covers (
  .clk_i,
  .rst_ni,
  .is_exit_i(is_exit),
  .waiting_i(waiting_q),
  .walks_i  (walks_q),
  .holds_i  (holds_q),
  .picks_i  (picks),
  .over_i   (over),
  .last_i   (last),
  .first_i  (group_q == first_q[IndexBits-1:PlaceBits]),
  .ends_i   (ends),
  .left_i   (left_q),
  .freed_i
);
