// What the write buffers must be seen to do together: results with and without a buffer, write-back
// of both kinds in one cycle, conflicts at a bank of STT-RAM, and sources of which some are
// buffered.
module write_buffers_covers
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [Buffers-1:0]  draining_i,
  input logic                late_i,          // the oldest result has no buffer
  input logic                late_bank_i,
  input logic                late_grant_i,
  input logic [Buffers-1:0]  entry_i,
  input logic [Buffers-1:0]  entry_bank_i,
  input logic [Buffers-1:0]  entry_grant_i,
  input logic                youngest_i,      // the buffer that was opened last
  input logic [SttBanks-1:0] bank_open_i,
  input logic [SttBanks-1:0] write_i,
  input source_set_t         grant_i,
  input source_set_t         buffered_i
);

  logic               same_bank;
  logic [Buffers-1:0] behind_late;  // entries for the bank of the oldest result

  assign same_bank   = entry_i == '1 && entry_bank_i[0] == entry_bank_i[1];
  assign behind_late = entry_i & ~(entry_bank_i ^ {Buffers{late_bank_i}});

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- writes to the STT-RAM ----
  LateResult : cover property (late_grant_i);
  LateResultWaits : cover property (late_i && !late_grant_i);
  WriteBack : cover property (entry_grant_i != '0);
  BothDrain : cover property (draining_i == '1);
  BothWriteBack : cover property (entry_grant_i == '1);
  LateBesideWriteBack : cover property (late_grant_i && entry_grant_i != '0);
  BothBanksWritten : cover property (write_i == '1);
  LateBeforeEntry : cover property (late_grant_i && behind_late != '0);
  OlderBeforeYounger : cover property (same_bank && entry_grant_i[!youngest_i]);
  BankNotOpen : cover property (entry_i != '0 && bank_open_i == '0);

  // ---- sources ----
  NoneBuffered : cover property (grant_i != '0 && buffered_i == '0);
  SomeBuffered : cover property (buffered_i != '0 && buffered_i != grant_i);
  AllBuffered : cover property (buffered_i != '0 && buffered_i == grant_i);
  SeveralBuffered : cover property ($countones(buffered_i) > 1);

endmodule
