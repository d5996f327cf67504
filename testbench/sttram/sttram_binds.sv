// Attaches the assertions to the modules that only the register file of STT-RAM alone has.
bind sttram_top sttram_top_assertions #(
  .RowsPerBank(RowsPerBank)
) u_assertions (
  .clk_i,
  .rst_ni,
  .staged_i     (staged),
  .writing_i    (writing),
  .write_i      (write),
  .pop_i        (pop),
  .result_bank_i(oldest.warp[0]),
  .reads_i      (read_array),
  .rows_in_use_i(settings.rows_per_bank)
);
