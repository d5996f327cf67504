// What the operand collectors must be seen to do: from none to all of them in use, instructions
// with no source and with three, and collectors that are taken while others leave.
module collector_array_covers
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter int unsigned IssueWidth    = 2,
  parameter int unsigned NumCollectors = 16,
  parameter int unsigned NumPorts      = 16
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input issue_t [IssueWidth-1:0]  issue_i,
  input logic [IssueWidth-1:0]    accept_i,
  input logic [NumCollectors-1:0] in_use_i,
  input logic [NumCollectors-1:0] dispatch_i,
  input source_set_t              pending_i [NumCollectors],
  input source_set_t              granted_i [NumCollectors],
  input logic [NumPorts-1:0]      deliver_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  logic [NumCollectors-1:0] all_at_once, some;  // of the sources that are left
  logic [IssueWidth-1:0]    no_source, three_sources;

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_collector
    assign all_at_once[c] = $countones(granted_i[c]) > 1 && granted_i[c] == pending_i[c];
    assign some[c]        = granted_i[c] != '0 && (pending_i[c] & ~granted_i[c]) != '0;
  end

  for (genvar s = 0; s < IssueWidth; s++) begin : gen_slot
    assign no_source[s]     = accept_i[s] && issue_i[s].source_valid == '0;
    assign three_sources[s] = accept_i[s] && $countones(issue_i[s].source_valid) == 3;
  end

  NoneInUse : cover property (in_use_i == '0);
  AllInUse : cover property (in_use_i == '1);
  EverySlotTaken : cover property (accept_i == '1);
  NoSource : cover property (no_source != '0);
  ThreeSources : cover property (three_sources != '0);
  AllSourcesAtOnce : cover property (all_at_once != '0);
  SomeSourcesFirst : cover property (some != '0);
  OperandsTogether : cover property ($countones(deliver_i) > 1);
  TakenWhileOneLeaves : cover property (accept_i != '0 && dispatch_i != '0);
  if (IssueWidth > 1) begin : gen_several
    SeveralLeave : cover property ($countones(dispatch_i) > 1);
  end

endmodule

bind collector_array collector_array_covers #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors),
  .NumPorts     (NumPorts)
) u_covers (
  .clk_i,
  .rst_ni,
  .issue_i,
  .accept_i (accept_o),
  .in_use_i (in_use_o),
  .dispatch_i,
  .pending_i(pending_q),
  .granted_i,
  .deliver_i
);
