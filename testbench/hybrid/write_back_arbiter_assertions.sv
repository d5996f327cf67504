// Each bank is written by one at most, only when it is open, and by the right warp's parity.
module write_back_arbiter_assertions
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [SttBanks-1:0] bank_open_i,
  input logic                late_i,
  input logic                late_bank_i,
  input logic [Buffers-1:0]  entry_i,
  input logic [Buffers-1:0]  entry_bank_i,
  input logic                youngest_i,
  input logic                late_grant_i,
  input logic [Buffers-1:0]  entry_grant_i,
  input logic [SttBanks-1:0] write_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      WriteOnlyOpen :
      assert ((write_i & ~bank_open_i) == '0)
      else $error("WriteOnlyOpen: banks %b, open %b", write_i, bank_open_i);
      OneWriteABank :
      assert ($countones(write_i) == 32'(late_grant_i) + $countones(entry_grant_i))
      else $error("OneWriteABank: banks %b for %b and %b", write_i, late_grant_i, entry_grant_i);
      LateFirst :
      assert (!late_i || late_grant_i == bank_open_i[late_bank_i])
      else $error("LateFirst: a result waits for an open bank");
      EntryThere :
      assert ((entry_grant_i & ~entry_i) == '0)
      else $error("EntryThere: %b of %b", entry_grant_i, entry_i);
      FirstLeftFirst :
      assert (!(entry_grant_i[youngest_i] && entry_i[!youngest_i] && !entry_grant_i[!youngest_i] &&
                entry_bank_i[0] == entry_bank_i[1]))
      else $error("FirstLeftFirst: the buffer that was opened last goes first");
    end
  end

endmodule
