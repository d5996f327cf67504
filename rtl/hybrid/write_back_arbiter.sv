// Who writes to the STT-RAM in this cycle: in each bank the oldest result, if it goes there
// directly, or else a write buffer that drains; of two that drain into one bank, the one of the
// warp that left first.
module write_back_arbiter
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input  logic [SttBanks-1:0] bank_open_i,     // neither occupied nor read in this cycle
  // the oldest result has no buffer
  input  logic                late_i,
  input  logic                late_bank_i,
  // by buffer: an entry to write back, and its bank
  input  logic [Buffers-1:0]  entry_i,
  input  logic [Buffers-1:0]  entry_bank_i,
  input  logic                youngest_i,      // the buffer that was opened last
  output logic                late_grant_o,
  output logic [Buffers-1:0]  entry_grant_o,
  output logic [SttBanks-1:0] write_o,
  output logic [SttBanks-1:0] from_buffer_o,   // else from the oldest result
  output logic [SttBanks-1:0] buffer_o         // which one
);

  logic older;
  assign older = !youngest_i;

  always_comb begin : choose
    late_grant_o  = late_i && bank_open_i[late_bank_i];
    entry_grant_o = '0;
    write_o       = '0;
    from_buffer_o = '0;
    buffer_o      = '0;
    if (late_grant_o) write_o[late_bank_i] = 1'b1;
    if (entry_i[older] && bank_open_i[entry_bank_i[older]] && !write_o[entry_bank_i[older]]) begin
      entry_grant_o[older]               = 1'b1;
      write_o[entry_bank_i[older]]       = 1'b1;
      from_buffer_o[entry_bank_i[older]] = 1'b1;
      buffer_o[entry_bank_i[older]]      = older;
    end
    if (entry_i[youngest_i] && bank_open_i[entry_bank_i[youngest_i]] &&
        !write_o[entry_bank_i[youngest_i]]) begin
      entry_grant_o[youngest_i]               = 1'b1;
      write_o[entry_bank_i[youngest_i]]       = 1'b1;
      from_buffer_o[entry_bank_i[youngest_i]] = 1'b1;
      buffer_o[entry_bank_i[youngest_i]]      = youngest_i;
    end
  end

endmodule
