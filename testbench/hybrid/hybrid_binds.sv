// Attaches the assertions to the modules that only the hybrid register file has.
bind register_control_module register_control_module_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .clear_i,
  .set_i,
  .number_i(set_number_i),
  .slot_i  (set_slot_i),
  .valid_i (valid_q)
);

bind hybrid_buffer hybrid_buffer_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .state_i      (state_q),
  .open_i,
  .close_i,
  .drop_i,
  .drained_i    (drained),
  .request_i,
  .owner_i      (owner_q),
  .accept_i     (accept_o),
  .new_entry_i  (new_entry_o),
  .slot_i       (slot_o),
  .count_i      (count_q),
  .take_i       (entry_take_i),
  .taken_i      (drained_q),
  .fetch_i      (fetch),
  .read_i,
  .read_slot_i,
  .gating_i,
  .upper_on_i   (upper_on_o)
);

bind buffer_store buffer_store_assertions #(
  .Rows(Rows)
) u_assertions (
  .clk_i,
  .rst_ni,
  .upper_on_i,
  .read_i,
  .read_slot_i,
  .kept_i(kept_q)
);

bind buffer_power buffer_power_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .gating_i,
  .wakeup_cycles_i,
  .needed_i,
  .release_i,
  .on_i(on_o)
);

// The arbiter has no clock of its own.
bind write_buffers write_back_arbiter_assertions u_write_back_assertions (
  .clk_i,
  .rst_ni,
  .bank_open_i,
  .late_i       (late),
  .late_bank_i  (oldest_i.warp[0]),
  .entry_i      (entry_valid),
  .entry_bank_i (entry_bank),
  .youngest_i,
  .late_grant_i (late_grant),
  .entry_grant_i(entry_take),
  .write_i      (write_o)
);

bind write_buffers write_buffers_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .request_i    (request),
  .owner_i      (owner_o),
  .result_warp_i(oldest_i.warp)
);

bind hybrid_commands hybrid_commands_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .open_i        (open_o),
  .close_i       (close_o),
  .drop_i        (drop_o),
  .free_i,
  .owner_i,
  .current_warp_i(command_i.warp)
);

bind hybrid_top hybrid_top_assertions #(
  .RowsPerBank(RowsPerBank)
) u_assertions (
  .clk_i,
  .rst_ni,
  .active_warps_i(settings.active_warps),
  .filling_i     (filling),
  .draining_i    (draining),
  .owner_i       (owner),
  .wanted_i      (wanted),
  .reader_warp_i (reader_warp),
  .rows_in_use_i (settings.rows_per_bank)
);

// And what they must be seen to do.
bind register_control_module register_control_module_covers u_covers (
  .clk_i,
  .rst_ni,
  .clear_i,
  .set_i,
  .set_number_i,
  .valid_i(valid_q)
);

bind hybrid_buffer hybrid_buffer_covers u_covers (
  .clk_i,
  .rst_ni,
  .state_i      (state_q),
  .open_i,
  .close_i,
  .drop_i,
  .drained_i    (drained),
  .request_i,
  .full_i       (full),
  .accept_i     (accept_o),
  .new_entry_i  (new_entry_o),
  .waits_power_i(waits_power_o),
  .reads_i      (read_i != '0),
  .count_i      (count_q),
  .taken_i      (drained_q),
  .entry_valid_i(entry_valid_o),
  .entry_take_i
);

bind buffer_power buffer_power_covers u_covers (
  .clk_i,
  .rst_ni,
  .off_i    (power_q == PowerOff),
  .waking_i (power_q == PowerWaking),
  .on_i     (power_q == PowerOn),
  .wakes_i  (wakes_o),
  .at_once_i(wakeup_cycles_i == 8'd1),
  .ends_i   (left_q == 8'd1),
  .release_i
);

bind write_buffers write_buffers_covers u_covers (
  .clk_i,
  .rst_ni,
  .draining_i   (draining_o),
  .late_i       (late),
  .late_bank_i  (oldest_i.warp[0]),
  .late_grant_i (late_grant),
  .entry_i      (entry_valid),
  .entry_bank_i (entry_bank),
  .entry_grant_i(entry_take),
  .youngest_i,
  .bank_open_i,
  .write_i      (write_o),
  .grant_i,
  .buffered_i   (buffered_o)
);

bind hybrid_commands hybrid_commands_covers u_covers (
  .clk_i,
  .rst_ni,
  .activate_i   (command_i.valid && is_activate),
  .exit_i       (command_i.valid && is_exit),
  .carried_out_i(carried_out),
  .free_i,
  .own_i        (own),
  .open_i       (open_o),
  .close_i      (close_o),
  .drop_i       (drop_o),
  .youngest_i   (youngest_q)
);
