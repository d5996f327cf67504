// Attaches the assertions to the modules that the hybrid register file and that of STT-RAM alone
bind operand_reader operand_reader_assertions #(
  .IssueWidth(IssueWidth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .valid_i           (valid_q),
  .tail_i            (tail_q),
  .allocated_i       (allocated_o),
  .accept_i          (accept),
  .ready_i           (ready_q),
  .stop_i,
  .wanted_i          (wanted_o),
  .pending_i,
  .grant_i           (grant_o),
  .address_i         (address_o),
  .arrive_i,
  .arrive_collector_i(note_collector_q),
  .arrive_sources_i  (note_sources_q),
  .missing_i         (missing_q),
  .complete_i        (complete_o),
  .dispatch_i
);

bind result_queue result_queue_assertions #(
  .ResultWidth(ResultWidth),
  .Places     (Places)
) u_assertions (
  .clk_i,
  .rst_ni,
  .accept_i(accept),
  .ready_i (ready_q),
  .place_i (place),
  .pop_i,
  .head_i  (head_q),
  .count_i (count_q)
);

bind sttram_bank sttram_bank_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .read_cycles_i,
  .write_cycles_i,
  .ready_i     (ready_o),
  .reads_i     (reads),
  .write_i,
  .read_valid_i(read_valid_q)
);
