// The write buffer neither loses nor reorders results of a bank. The order is checked by time
// stamps, independently of the buffer's own order sets.
module write_buffer_assertions #(
  parameter  int unsigned ResultWidth = 2,
  parameter  int unsigned NumBanks    = 16,
  localparam int unsigned BankBits    = $clog2(NumBanks),
  localparam int unsigned Entries     = 2 * ResultWidth,
  localparam int unsigned EntryBits   = $clog2(Entries)
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [Entries-1:0]     valid_i,
  input logic [BankBits-1:0]    bank_i [Entries],
  input logic [NumBanks-1:0]    queued_i,
  input logic [EntryBits-1:0]   oldest_i [NumBanks],
  input logic [NumBanks-1:0]    grant_i,
  input logic [ResultWidth-1:0] accept_i,
  input logic [ResultWidth-1:0] ready_i,
  input logic [EntryBits-1:0]   target_i [ResultWidth],
  input logic [Entries-1:0]     taken_i,   // the targets of this cycle
  input logic                   beyond_i
);

  logic [31:0] stamp_q [Entries];
  logic [31:0] now_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : stamps
    if (!rst_ni) begin
      now_q <= '0;
    end else begin
      now_q <= now_q + 32'(ResultWidth);
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        if (accept_i[p]) stamp_q[target_i[p]] <= now_q + 32'(p);
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        NoOverflow :
        assert (!accept_i[p] || !valid_i[target_i[p]])
        else $error("NoOverflow: port %0d overwrites entry %0d", p, target_i[p]);
        ReadyCountsFree :
        assert (ready_i[p] == ($countones(~valid_i) > p))
        else $error("ReadyCountsFree: port %0d ready %b, in use %b", p, ready_i[p], valid_i);
      end
      OneEntryAResult :
      assert ($countones(taken_i) == $countones(accept_i))
      else $error("OneEntryAResult: %b for %b", taken_i, accept_i);
      RegistersAreThere :
      assert (!beyond_i)
      else $error("RegistersAreThere: a result lies beyond the warp registers");
      NoUnderflow :
      assert ((grant_i & ~queued_i) == '0)
      else $error("NoUnderflow: granted %b, queued %b", grant_i, queued_i);
      for (int unsigned e = 0; e < Entries; e++) begin
        if (valid_i[e]) begin
          QueuedIsSeen :
          assert (queued_i[bank_i[e]])
          else $error("QueuedIsSeen: entry %0d for bank %0d", e, bank_i[e]);
          OldestFirst :
          assert (oldest_i[bank_i[e]] == EntryBits'(e) ||
                  stamp_q[e] - stamp_q[oldest_i[bank_i[e]]] < 32'h8000_0000)
          else $error("OldestFirst: bank %0d takes entry %0d before %0d", bank_i[e],
                      oldest_i[bank_i[e]], e);
        end
      end
    end
  end

endmodule

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
