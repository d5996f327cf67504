// Reads are taken and delivered once, and only where they are asked for.
module cerf_collectors_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input collector_set_t        valid_i,
  input collector_set_t        allocated_i,
  input logic [IssueWidth-1:0] accept_i,
  input logic [IssueWidth-1:0] ready_i,
  input source_set_t           pending_i [NumCollectors],
  input source_set_t           parked_i [NumCollectors],
  input source_set_t           missing_i [NumCollectors],
  input source_set_t           dead_i [NumCollectors],
  input tag_bank_set_t         grant_i,
  input collector_t            winner_i [NumTagBanks],
  input source_t               source_i [NumTagBanks],
  input tag_bank_set_t         park_i,
  input tag_bank_set_t         deliver_i,
  input collector_t            deliver_collector_i [NumTagBanks],
  input source_t               deliver_source_i [NumTagBanks],
  input collector_set_t        complete_i,
  input collector_set_t        dispatch_i,
  input logic                  row_fault_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      AllocateOnlyFree :
      assert ((allocated_i & valid_i) == '0)
      else $error("AllocateOnlyFree: %b of %b in use", allocated_i, valid_i);
      OneCollectorAnIssue :
      assert ($countones(allocated_i) == $countones(accept_i))
      else $error("OneCollectorAnIssue: %b for %b", allocated_i, accept_i);
      ReadyIsRoom :
      assert ($countones(~valid_i) >= $countones(ready_i))
      else $error("ReadyIsRoom: %b ready, %b in use", ready_i, valid_i);
      DispatchOnlyComplete :
      assert ((dispatch_i & ~complete_i) == '0)
      else $error("DispatchOnlyComplete: %b of %b", dispatch_i, complete_i);
      RegistersAreThere :
      assert (!row_fault_i)
      else $error("RegistersAreThere: a source lies beyond the warp registers");
      for (int unsigned b = 0; b < NumTagBanks; b++) begin
        GrantOnlyPending :
        assert (!(grant_i[b] || park_i[b]) || pending_i[winner_i[b]][source_i[b]])
        else $error("GrantOnlyPending: bank %0d, collector %0d, source %0d",
                    b, winner_i[b], source_i[b]);
        DeliverOnlyMissing :
        assert (!deliver_i[b] || missing_i[deliver_collector_i[b]][deliver_source_i[b]])
        else $error("DeliverOnlyMissing: collector %0d, source %0d",
                    deliver_collector_i[b], deliver_source_i[b]);
      end
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        PendingIsMissing :
        assert (((pending_i[c] | parked_i[c]) & ~missing_i[c]) == '0)
        else $error("PendingIsMissing: collector %0d, %b and %b of %b",
                    c, pending_i[c], parked_i[c], missing_i[c]);
        ParkedIsNotPending :
        assert ((pending_i[c] & parked_i[c]) == '0)
        else $error("ParkedIsNotPending: collector %0d, %b and %b", c, pending_i[c], parked_i[c]);
        DeadUntilRead :
        assert (!valid_i[c] || (dead_i[c] & ~missing_i[c] & pending_i[c]) == '0)
        else $error("DeadUntilRead: collector %0d, %b", c, dead_i[c]);
      end
    end
  end

endmodule
