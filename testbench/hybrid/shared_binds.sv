// Attaches the assertions to the modules that the hybrid register file and that of STT-RAM alone
// share.
bind stt_front stt_front_assertions u_assertions (
  .clk_i,
  .rst_ni,
  .wanted_i      (wanted_o),
  .reader_warp_i (reader_warp_o),
  .number_i      (number_o),
  .base_i        (base_o),
  .kernel_start_i(events_o.port.command[heddle_port_pkg::CmdKernelStart]),
  .registers_i   (command_i.value)
);

bind oldest_reader oldest_reader_assertions #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors)
) u_assertions (
  .clk_i,
  .rst_ni,
  .accept_i,
  .collector_i,
  .unread_i (unread_q),
  .stop_i,
  .wanted_i (wanted_o),
  .pending_i,
  .grant_i  (grant_o),
  .address_i(address_o)
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
