// Collectors hold one instruction at a time, and offered operands stay until they are taken.
module ltrf_collectors_assertions import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned IssueWidth = 2
) (
  input logic                                  clk_i,
  input logic                                  rst_ni,
  input logic                                  valid_i [NumCollectors],
  input logic      [NumSources-1:0]            look_i [NumCollectors],
  input logic      [NumSources-1:0]            read_i [NumCollectors],
  input logic      [NumSources-1:0]            missing_i [NumCollectors],
  input logic      [NumCollectors-1:0]         allocated_i,
  input logic      [NumCollectors-1:0]         dispatched_i,
  input logic      [IssueWidth-1:0]            accept_i,
  input logic      [IssueWidth-1:0]            ready_i,
  input logic      [NumCacheBanks-1:0]         bank_read_i,
  input logic      [NumCacheBanks-1:0]         bank_taken_i,
  input logic      [NumCollectors-1:0][NumSources-1:0] arrived_i,
  input logic      [IssueWidth-1:0]            output_load_i,
  input operands_t [IssueWidth-1:0]            operands_i,
  input logic      [IssueWidth-1:0]            operands_ready_i
);

  operands_t [IssueWidth-1:0] last_q;
  logic      [IssueWidth-1:0] held_q;

  always_ff @(posedge clk_i) begin : checks
    if (!rst_ni) begin
      held_q <= '0;
    end else begin
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        AllocateFree :
        assert (!(allocated_i[c] && valid_i[c]))
        else $error("AllocateFree: collector %0d holds an instruction", c);
        DispatchComplete :
        assert (!dispatched_i[c] || (valid_i[c] && missing_i[c] == '0))
        else $error("DispatchComplete: collector %0d", c);
        SourcesInOrder :
        assert (((look_i[c] | read_i[c]) & ~missing_i[c]) == '0 && (look_i[c] & read_i[c]) == '0)
        else $error("SourcesInOrder: collector %0d", c);
        ArriveOnce :
        assert ((arrived_i[c] & ~missing_i[c]) == '0 &&
                (arrived_i[c] & (look_i[c] | read_i[c])) == '0)
        else $error("ArriveOnce: collector %0d, sources %b", c, arrived_i[c]);
      end
      OneCollectorASlot :
      assert ($countones(allocated_i) == $countones(accept_i))
      else $error("OneCollectorASlot: %b for slots %b", allocated_i, accept_i);
      AcceptWhenReady :
      assert ((accept_i & ~ready_i) == '0)
      else $error("AcceptWhenReady: slots %b", accept_i);
      WriteBackFirst :
      assert ((bank_read_i & bank_taken_i) == '0)
      else $error("WriteBackFirst: cache banks %b", bank_read_i & bank_taken_i);
      for (int unsigned o = 0; o < IssueWidth; o++) begin
        OperandsStable :
        assert (!held_q[o] || operands_i[o] == last_q[o])
        else $error("OperandsStable: slot %0d", o);
        LoadFreeOutput :
        assert (!output_load_i[o] || !operands_i[o].valid || operands_ready_i[o])
        else $error("LoadFreeOutput: slot %0d", o);
        held_q[o] <= operands_i[o].valid && !operands_ready_i[o];
      end
      last_q <= operands_i;
    end
  end

endmodule
