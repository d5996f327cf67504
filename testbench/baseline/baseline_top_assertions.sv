// With sub-cores, a slot carries what belongs to its own sub-core only, in every direction; and the
// design has no fault to tell.
module baseline_top_assertions
  import heddle_port_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned SubCores    = 1
) (
  input logic                        clk_i,
  input logic                        rst_ni,
  input issue_t    [IssueWidth-1:0]  issue_i,
  input logic      [IssueWidth-1:0]  issue_ready_i,
  input operands_t [IssueWidth-1:0]  operands_i,
  input result_t   [ResultWidth-1:0] result_i,
  input command_t                    command_i,
  input logic                        command_ready_i,
  input done_t                       done_i,
  input done_t     [SubCores-1:0]    core_done_i,
  input logic      [SubCores-1:0]    core_ready_i,
  input logic                        row_fault_i
);

  logic [7:0] owner_q [2**TagBits];  // sub-core whose slot took the instruction of a tag
  logic       kernel_q;              // the command answered in this cycle is one of the kernel

  always_ff @(posedge clk_i) begin : past
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (issue_i[slot].valid && issue_ready_i[slot]) begin
        owner_q[issue_i[slot].tag] <= 8'(slot * SubCores / IssueWidth);
      end
    end
    kernel_q <= command_i.valid && command_ready_i &&
                (command_i.op == CmdKernelStart || command_i.op == CmdMapEntry);
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      RowInUse :
      assert (!row_fault_i)
      else $error("RowInUse: access beyond the rows in use");
      for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
        IssueOfOwnWarp :
        assert (!issue_i[slot].valid ||
                32'(issue_i[slot].warp) % SubCores == slot * SubCores / IssueWidth)
        else $error("IssueOfOwnWarp: slot %0d is offered W%0d", slot, issue_i[slot].warp);
        OperandsOfOwnSlot :
        assert (!operands_i[slot].valid ||
                owner_q[operands_i[slot].tag] == 8'(slot * SubCores / IssueWidth))
        else $error("OperandsOfOwnSlot: slot %0d gives T%0d of sub-core %0d", slot,
                    operands_i[slot].tag, owner_q[operands_i[slot].tag]);
      end
      for (int unsigned port = 0; port < ResultWidth; port++) begin
        ResultOfOwnWarp :
        assert (!result_i[port].valid ||
                32'(result_i[port].warp) % SubCores == port * SubCores / ResultWidth)
        else $error("ResultOfOwnWarp: port %0d is offered W%0d", port, result_i[port].warp);
      end
      for (int unsigned s = 0; s < SubCores; s++) begin
        DoneOfOwnWarp :
        assert (!core_done_i[s].valid || kernel_q || 32'(core_done_i[s].warp) % SubCores == s)
        else $error("DoneOfOwnWarp: sub-core %0d answers for W%0d", s, core_done_i[s].warp);
        AllAnswerKernel :
        assert (!kernel_q || core_done_i[s] == done_i)
        else $error("AllAnswerKernel: sub-core %0d does not answer a command of the kernel", s);
      end
      AllReady :
      assert (core_ready_i == '1 || core_ready_i == '0)
      else $error("AllReady: sub-cores ready for a command %b", core_ready_i);
    end
  end

endmodule
