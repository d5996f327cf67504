// Attaches the assertions to the baseline's modules.
bind bank_arbiter bank_arbiter_assertions #(
  .NumCollectors(NumCollectors)
) u_assertions (
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

bind register_bank register_bank_assertions #(
  .RowsPerBank(RowsPerBank)
) u_assertions (
  .clk_i,
  .rst_ni,
  .bank_cycles_i,
  .bank_eighths_i,
  .rows_in_use_i,
  .ready_i    (ready_o),
  .write_grant_i,
  .read_grant_i,
  .deliver_i  (deliver_o)
);

bind baseline_top baseline_top_assertions #(
  .IssueWidth (IssueWidth),
  .ResultWidth(ResultWidth),
  .SubCores   (SubCores)
) u_assertions (
  .clk_i,
  .rst_ni,
  .issue_i,
  .issue_ready_i  (issue_ready_o),
  .operands_i     (operands_o),
  .result_i,
  .command_i,
  .command_ready_i(command_ready_o),
  .done_i         (done_o),
  .core_done_i    (done),
  .core_ready_i   (command_ready),
  .row_fault_i    (events.row_fault)
);
