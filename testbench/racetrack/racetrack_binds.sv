// Attaches the assertions to the racetrack register file's modules.
bind mapping_table mapping_table_assertions #(
  .Rows(Rows)
) u_assertions (
  .clk_i,
  .rst_ni,
  .clear_i,
  .load_i,
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
  .offset_i  (place.offset),
  .position_i(position_q),
  .deliver_i (deliver_o)
);

bind racetrack_top racetrack_top_assertions #(
  .RowsPerBank(RowsPerBank)
) u_assertions (
  .clk_i,
  .rst_ni,
  .rows_in_use_i(config_i.rows_per_bank),
  .row_fault_i  ((read_fault | write_fault) != '0)
);
