// Collectors are taken only when they are free, sources are read once and only when nothing stands
// in their way, and data arrive only where they were asked for.
module operand_reader_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input collector_set_t        valid_i,
  input collector_t            tail_i,
  input collector_set_t        allocated_i,
  input logic [IssueWidth-1:0] accept_i,
  input logic [IssueWidth-1:0] ready_i,
  input logic                  stop_i,
  input source_set_t           wanted_i,
  input source_set_t           pending_i,
  input source_set_t           grant_i,
  input address_t              address_i [NumSources],
  input logic [SttBanks-1:0]   arrive_i,
  input collector_t            arrive_collector_i [SttBanks],
  input source_set_t           arrive_sources_i [SttBanks],
  input source_set_t           missing_i [NumCollectors],
  input collector_set_t        complete_i,
  input collector_set_t        dispatch_i
);

  array_set_t used;
  logic       used_twice;

  always_comb begin : arrays
    used       = '0;
    used_twice = 1'b0;
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (grant_i[s]) begin
        if (used[address_i[s].array]) used_twice = 1'b1;
        used[address_i[s].array] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      AllocateOnlyFree :
      assert ((allocated_i & valid_i) == '0)
      else $error("AllocateOnlyFree: %b are in use", allocated_i & valid_i);
      OneCollectorEach :
      assert ($countones(allocated_i) == $countones(accept_i))
      else $error("OneCollectorEach: %b for slots %b", allocated_i, accept_i);
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        ReadyIsFree :
        assert (!ready_i[slot] || !valid_i[tail_i+collector_t'(slot)])
        else $error("ReadyIsFree: slot %0d ready %b", slot, ready_i[slot]);
      end
      GrantOnlyWanted :
      assert ((grant_i & ~wanted_i) == '0)
      else $error("GrantOnlyWanted: %b of %b", grant_i, wanted_i);
      NoGrantInStop :
      assert (!stop_i || grant_i == '0)
      else $error("NoGrantInStop: sources %b", grant_i);
      ReadSeesResults :
      assert ((grant_i & pending_i) == '0)
      else $error("ReadSeesResults: sources %b pass their results", grant_i & pending_i);
      OneReadAnArray :
      assert (!used_twice)
      else $error("OneReadAnArray: sources %b", grant_i);
      for (int unsigned b = 0; b < SttBanks; b++) begin
        ArriveOnlyMissing :
        assert (!arrive_i[b] || (arrive_sources_i[b] & ~missing_i[arrive_collector_i[b]]) == '0)
        else $error("ArriveOnlyMissing: bank %0d, sources %b", b, arrive_sources_i[b]);
      end
      DispatchOnlyComplete :
      assert ((dispatch_i & ~complete_i) == '0)
      else $error("DispatchOnlyComplete: %b of %b", dispatch_i, complete_i);
    end
  end

endmodule
