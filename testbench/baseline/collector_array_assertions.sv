// Collectors are allocated once, read what they asked for, and leave only when complete.
module collector_array_assertions
  import heddle_port_pkg::*;
  import baseline_pkg::*;
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
  input source_set_t           missing_i [NumCollectors],
  input collector_set_t        request_i [NumBanks],
  input bank_set_t             grant_i,
  input collector_t            grant_collector_i [NumBanks],
  input source_t               grant_source_i [NumBanks],
  input bank_set_t             deliver_i,
  input collector_t            deliver_collector_i [NumBanks],
  input source_t               deliver_source_i [NumBanks],
  input collector_set_t        complete_i,
  input collector_set_t        dispatch_i
);

  always_ff @(posedge clk_i) begin : allocation
    if (rst_ni) begin
      NoDoubleAllocation :
      assert ((allocated_i & valid_i) == '0)
      else $error("NoDoubleAllocation: allocated %b, in use %b", allocated_i, valid_i);
      CollectorPerAccept :
      assert ($countones(allocated_i) == $countones(accept_i))
      else $error("CollectorPerAccept: allocated %b for accepted slots %b", allocated_i, accept_i);
      DispatchOnlyComplete :
      assert ((dispatch_i & ~complete_i) == '0)
      else $error("DispatchOnlyComplete: dispatched %b, complete %b", dispatch_i, complete_i);
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        ReadyCountsFree :
        assert (ready_i[slot] == ($countones(~valid_i) > slot))
        else $error("ReadyCountsFree: slot %0d ready %b, in use %b", slot, ready_i[slot], valid_i);
      end
    end
  end

  always_ff @(posedge clk_i) begin : reads
    if (rst_ni) begin
      for (int unsigned b = 0; b < NumBanks; b++) begin
        if (grant_i[b]) begin
          GrantHadRequest :
          assert (request_i[b][grant_collector_i[b]])
          else $error("GrantHadRequest: bank %0d granted collector %0d", b, grant_collector_i[b]);
          GrantedSourcePending :
          assert (pending_i[grant_collector_i[b]][grant_source_i[b]])
          else $error("GrantedSourcePending: bank %0d collector %0d source %0d", b,
                      grant_collector_i[b], grant_source_i[b]);
        end
        if (deliver_i[b]) begin
          DeliveryExpected :
          assert (missing_i[deliver_collector_i[b]][deliver_source_i[b]] &&
                  !pending_i[deliver_collector_i[b]][deliver_source_i[b]])
          else $error("DeliveryExpected: bank %0d collector %0d source %0d", b,
                      deliver_collector_i[b], deliver_source_i[b]);
        end
      end
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        PendingIsMissing :
        assert ((pending_i[c] & ~missing_i[c]) == '0)
        else $error("PendingIsMissing: collector %0d", c);
        FreeHasNoSources :
        assert (valid_i[c] || missing_i[c] == '0)
        else $error("FreeHasNoSources: collector %0d misses %b", c, missing_i[c]);
      end
    end
  end

endmodule
