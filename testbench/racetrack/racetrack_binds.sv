// Attaches the assertions to the racetrack register file's modules.
bind mapping_table mapping_table_assertions #(
  .Rows(Rows)
) u_assertions (
  .clk_i,
  .rst_ni,
  .clear_i,
  .load_i,
  .block_i,
  .entries_i
);

bind read_queue read_queue_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .request_i,
  .grant_i    (grant_o),
  .collector_i(collector_o),
  .winner_i   (winner),
  .pop_i,
  .count_i    (count_q)
);

bind bank_write_buffer bank_write_buffer_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .push_i,
  .pop_i,
  .valid_i(valid_q)
);

bind service_arbiter service_arbiter_assertions #(
  .NumBanks(NumBanks)
) u_assertions (
  .clk_i,
  .rst_ni,
  .request_i,
  .done_i,
  .served_i(served_o)
);

bind racetrack_bank racetrack_bank_assertions #(
  .Offsets(Offsets)
) u_assertions (
  .clk_i,
  .rst_ni,
  .timing_i,
  .starts_i  (starts_o),
  .up_i      (up),
  .free_i    (free),
  .served_i,
  .request_i (request_o),
  .target_i  (has_target),
  .staged_i,
  .write_valid_i,
  .forward_i (forward_o),
  .covered_i,
  .offset_i  (offset),
  .position_i(position_q),
  .deliver_i (deliver_o)
);

bind racetrack_top racetrack_top_assertions #(
  .RowsPerBank(RowsPerBank)
) u_assertions (
  .clk_i,
  .rst_ni,
  .rows_in_use_i(settings.rows_per_bank),
  .row_fault_i  (events.row_fault)
);

// And what they must be seen to do.
bind mapping_table mapping_table_covers u_covers (
  .clk_i,
  .rst_ni,
  .clear_i,
  .load_i,
  .block_i,
  .loaded_i(loaded_q)
);

bind read_queue read_queue_covers u_covers (
  .clk_i,
  .rst_ni,
  .request_i,
  .grant_i(grant_o),
  .pop_i,
  .head_i (head_q),
  .tail_i (tail_q),
  .count_i(count_q)
);

bind bank_write_buffer bank_write_buffer_covers u_covers (
  .clk_i,
  .rst_ni,
  .push_i,
  .pop_i,
  .valid_i  (valid_q),
  .hit_i    (hit),
  .covered_i(covered_o)
);

bind service_arbiter service_arbiter_covers #(
  .NumBanks(NumBanks)
) u_covers (
  .clk_i,
  .rst_ni,
  .request_i,
  .done_i,
  .served_i(served_o),
  .kept_i  (kept),
  .chosen_i(chosen),
  .behind_i(mask_q)
);

bind racetrack_bank racetrack_bank_covers #(
  .Offsets(Offsets)
) u_covers (
  .clk_i,
  .rst_ni,
  .starts_i    (starts_o),
  .before_i    (action_q),
  .up_i        (up),
  .served_i,
  .on_way_i    (on_way_q),
  .has_target_i(has_target),
  .read_valid_i,
  .write_valid_i,
  .staged_i,
  .forward_i   (forward_o),
  .covered_i,
  .position_i  (position_q)
);
