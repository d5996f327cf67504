// Results are written once, the oldest of a bank first.
module cerf_write_buffer_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter  int unsigned ResultWidth = 2,
  localparam int unsigned Entries     = 2 * ResultWidth
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [Entries-1:0]     valid_i,
  input logic [Entries-1:0]     older_i [Entries],
  input logic [Entries-1:0]     target_i,
  input logic [ResultWidth-1:0] accept_i,
  input logic [ResultWidth-1:0] ready_i,
  input index_t                 index_i [Entries],
  input tag_bank_set_t          queued_i,
  input tag_bank_set_t          grant_i,
  input index_t                 offered_i [NumTagBanks],
  input logic                   row_fault_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      TakeOnlyFree :
      assert ((target_i & valid_i) == '0)
      else $error("TakeOnlyFree: %b of %b in use", target_i, valid_i);
      OneEntryAResult :
      assert ($countones(target_i) == $countones(accept_i))
      else $error("OneEntryAResult: %b for %b", target_i, accept_i);
      ReadyIsRoom :
      assert ($countones(~valid_i) >= $countones(ready_i))
      else $error("ReadyIsRoom: %b ready, %b in use", ready_i, valid_i);
      GrantOnlyQueued :
      assert ((grant_i & ~queued_i) == '0)
      else $error("GrantOnlyQueued: %b of %b", grant_i, queued_i);
      RegistersAreThere :
      assert (!row_fault_i)
      else $error("RegistersAreThere: a result lies beyond the warp registers");
      for (int unsigned b = 0; b < NumTagBanks; b++) begin
        OfferedIsOfTheBank :
        assert (!queued_i[b] || offered_i[b][TagBankBits-1:0] == tag_bank_t'(b))
        else $error("OfferedIsOfTheBank: bank %0d is offered warp register %0d", b, offered_i[b]);
      end
      for (int unsigned e = 0; e < Entries; e++) begin
        for (int unsigned o = 0; o < Entries; o++) begin
          OrderIsTotal :
          assert (!(valid_i[e] && valid_i[o] && e != o && index_i[e][TagBankBits-1:0] == index_i[o][TagBankBits-1:0])
                  || (older_i[e][o] != older_i[o][e]))
          else $error("OrderIsTotal: entries %0d and %0d", e, o);
        end
      end
    end
  end

endmodule
