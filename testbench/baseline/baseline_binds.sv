// Attaches the assertions to the baseline's modules.
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

bind bank_arbiter bank_arbiter_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .bank_ready_i,
  .write_queued_i,
  .request_i,
  .winner_i     (winner),
  .collector_i  (collector_o),
  .write_grant_i(write_grant_o),
  .read_grant_i (read_grant_o)
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

bind register_bank register_bank_assertions #(
  .RowsPerBank(RowsPerBank)
) u_assertions (
  .clk_i,
  .rst_ni,
  .bank_cycles_i,
  .rows_in_use_i,
  .ready_i    (ready_o),
  .write_grant_i,
  .read_grant_i,
  .row_fault_i(row_fault_o),
  .deliver_i  (deliver_o)
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
