// Collectors are allocated once, in the order of the ring where there is one, sources are read and
// delivered once, and an instruction leaves only when it is complete.
module collector_array_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned NumPorts      = DefaultBanks,
  parameter  bit          InOrder       = 1'b0,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [NumCollectors-1:0] valid_i,
  input logic [NumCollectors-1:0] allocated_i,
  input logic [IssueWidth-1:0]    accept_i,
  input logic [CollectorBits-1:0] collector_i [IssueWidth],
  input logic [IssueWidth-1:0]    ready_i,
  input source_set_t              pending_i [NumCollectors],
  input source_set_t              missing_i [NumCollectors],
  input source_set_t              granted_i [NumCollectors],
  input logic [NumPorts-1:0]      deliver_i,
  input logic [CollectorBits-1:0] deliver_collector_i [NumPorts],
  input source_t                  deliver_source_i [NumPorts],
  input logic [NumCollectors-1:0] complete_i,
  input logic [NumCollectors-1:0] dispatch_i
);

  logic [CollectorBits-1:0] next_q;  // place in the ring of the next instruction
  logic [CollectorBits-1:0] place [IssueWidth+1];
  logic [NumCollectors-1:0] entered;

  always_comb begin : places
    place[0] = next_q;
    entered  = '0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      place[slot+1] = place[slot] + CollectorBits'(accept_i[slot]);
      if (accept_i[slot]) entered[collector_i[slot]] = 1'b1;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : ring
    if (!rst_ni) begin
      next_q <= '0;
    end else begin
      next_q <= place[IssueWidth];
    end
  end

  always_ff @(posedge clk_i) begin : allocation
    if (rst_ni) begin
      NoDoubleAllocation :
      assert ((allocated_i & valid_i) == '0)
      else $error("NoDoubleAllocation: allocated %b, in use %b", allocated_i, valid_i);
      CollectorPerAccept :
      assert ($countones(allocated_i) == $countones(accept_i))
      else $error("CollectorPerAccept: allocated %b for accepted slots %b", allocated_i, accept_i);
      AllocatedTells :
      assert (allocated_i == entered)
      else $error("AllocatedTells: allocated %b, entered %b", allocated_i, entered);
      DispatchOnlyComplete :
      assert ((dispatch_i & ~complete_i) == '0)
      else $error("DispatchOnlyComplete: dispatched %b, complete %b", dispatch_i, complete_i);
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        ReadyIsFree :
        assert (!ready_i[slot] || (InOrder ? !valid_i[next_q+CollectorBits'(slot)] :
                                             $countones(~valid_i) > slot))
        else $error("ReadyIsFree: slot %0d ready, in use %b", slot, valid_i);
        RingOrder :
        assert (!InOrder || !accept_i[slot] || collector_i[slot] == place[slot])
        else $error("RingOrder: slot %0d, collector %0d, place %0d", slot, collector_i[slot],
                    place[slot]);
      end
      FreeIsOffered :
      assert (InOrder || $countones(ready_i) == IssueWidth ||
              $countones(~valid_i) <= $countones(ready_i))
      else $error("FreeIsOffered: ready %b, in use %b", ready_i, valid_i);
    end
  end

  always_ff @(posedge clk_i) begin : reads
    if (rst_ni) begin
      for (int unsigned p = 0; p < NumPorts; p++) begin
        if (deliver_i[p]) begin
          DeliveryExpected :
          assert (missing_i[deliver_collector_i[p]][deliver_source_i[p]] &&
                  !pending_i[deliver_collector_i[p]][deliver_source_i[p]])
          else $error("DeliveryExpected: port %0d collector %0d source %0d", p,
                      deliver_collector_i[p], deliver_source_i[p]);
        end
      end
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        GrantedIsPending :
        assert ((granted_i[c] & ~pending_i[c]) == '0)
        else $error("GrantedIsPending: collector %0d, %b of %b", c, granted_i[c], pending_i[c]);
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

bind collector_array collector_array_assertions #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors),
  .NumPorts     (NumPorts),
  .InOrder      (InOrder)
) u_assertions (
  .clk_i,
  .rst_ni,
  .valid_i    (valid_q),
  .allocated_i(allocated_o),
  .accept_i   (accept_o),
  .collector_i(collector_o),
  .ready_i    (ready_q),
  .pending_i  (pending_q),
  .missing_i  (missing_q),
  .granted_i,
  .deliver_i,
  .deliver_collector_i,
  .deliver_source_i,
  .complete_i (complete_o),
  .dispatch_i
);
