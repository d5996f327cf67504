// Attaches assertions and covers to the register front.
bind register_front read_requests_assertions #(
  .NumBanks     (NumBanks),
  .NumCollectors(NumCollectors)
) u_read_requests_assertions (
  .clk_i,
  .rst_ni,
  .readable_i(readable),
  .bank_i    (bank_o),
  .request_i (request_o),
  .winner_i,
  .grant_i,
  .source_i  (read_source_o)
);

bind register_front read_requests_covers #(
  .NumBanks     (NumBanks),
  .NumCollectors(NumCollectors)
) u_read_requests_covers (
  .clk_i,
  .rst_ni,
  .readable_i(readable),
  .bank_i    (bank_o),
  .request_i (request_o),
  .grant_i
);
