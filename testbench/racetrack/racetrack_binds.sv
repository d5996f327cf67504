// Attaches the assertions to the racetrack register file's modules.
bind command_unit command_unit_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .accept_i   (accept),
  .op_i       (command_i.op),
  .warp_i     (command_i.warp),
  .done_i     (done_q.valid),
  .done_op_i  (done_q.op),
  .done_warp_i(done_q.warp)
);

bind collector_array collector_array_assertions #(
  .IssueWidth(IssueWidth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .valid_i       (valid_q),
  .allocated_i   (allocated),
  .accept_i      (accept),
  .ready_i       (ready_q),
  .pending_i     (pending_q),
  .missing_i     (missing_q),
  .request_i     (request_o),
  .grant_i,
  .grant_collector_i,
  .grant_source_i(grant_source_o),
  .deliver_i,
  .deliver_collector_i,
  .deliver_source_i,
  .complete_i    (complete_o),
  .dispatch_i
);

bind write_buffer write_buffer_assertions #(
  .ResultWidth(ResultWidth),
  .NumBanks   (NumBanks)
) u_assertions (
  .clk_i,
  .rst_ni,
  .valid_i (valid_q),
  .bank_i  (bank_q),
  .queued_i(queued_o),
  .oldest_i(oldest),
  .grant_i,
  .accept_i(accept),
  .ready_i (ready_q),
  .target_i(target),
  .taken_i (target_set),
  .beyond_i(beyond_o)
);

bind operand_dispatch operand_dispatch_assertions #(
  .IssueWidth(IssueWidth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .operands_i      (operands_q),
  .ready_i         (operands_ready_i),
  .complete_i,
  .load_i          (load_o),
  .load_collector_i(load_collector_o)
);

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

bind service_arbiter service_arbiter_assertions u_assertions (
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
  .read_cycles_i,
  .write_cycles_i,
  .shift_cycles_i,
  .preshift_i,
  .starts_i  (starts_o),
  .up_i      (up),
  .free_i    (free),
  .served_i,
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
