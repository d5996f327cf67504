// What the output registers of the operands must be seen to do: to wait for the units, and to be
// filled again as they are taken.
module operand_dispatch_covers #(
  parameter int unsigned IssueWidth    = 2,
  parameter int unsigned NumCollectors = 16
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [NumCollectors-1:0] complete_i,
  input logic [IssueWidth-1:0]    full_i,
  input logic [IssueWidth-1:0]    can_load_i,
  input logic [IssueWidth-1:0]    load_i,
  input logic [IssueWidth-1:0]    stall_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  AllEmpty : cover property (full_i == '0);
  AllFull : cover property (full_i == '1);
  OneWaits : cover property (stall_i != '0);
  AllWait : cover property (stall_i == '1);
  FilledAsTaken : cover property ((full_i & load_i) != '0);
  TakenForNone : cover property ((full_i & can_load_i & ~load_i) != '0);
  MoreThanRoom : cover property (can_load_i != '0 &&
                                 $countones(complete_i) > $countones(can_load_i));
  WaitsBehindFull : cover property (complete_i != '0 && can_load_i == '0);

endmodule

bind operand_dispatch operand_dispatch_covers #(
  .IssueWidth   (IssueWidth),
  .NumCollectors(NumCollectors)
) u_covers (
  .clk_i,
  .rst_ni,
  .complete_i,
  .full_i    (full),
  .can_load_i(can_load),
  .load_i    (load_o),
  .stall_i   (stall_o)
);
