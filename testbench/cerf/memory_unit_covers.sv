// What the memory unit must be seen to do: each kind of access carried out, and each reason for
// which the oldest one waits.
module memory_unit_covers
  import cerf_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic waits_i,    // an access is there
  input op_e  op_i,
  input logic done_i,
  input logic joins_i,
  input logic pending_i,  // its line is on its way
  input logic parked_i,
  input logic lookup_i,
  input logic selected_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  LoadDone : cover property (done_i && op_i == OpLoad && !joins_i);
  LoadJoins : cover property (done_i && op_i == OpLoad && joins_i);
  StoreDone : cover property (done_i && op_i == OpStore);
  BypassDone : cover property (done_i && op_i == OpBypass);
  LoadWaitsForLine : cover property (waits_i && op_i == OpLoad && pending_i && !joins_i);
  StoreWaitsForLine : cover property (waits_i && op_i == OpStore && pending_i);
  BypassWaitsForLine : cover property (waits_i && op_i == OpBypass && pending_i);
  Parked : cover property (waits_i && parked_i);
  WaitsForTags : cover property (lookup_i && !selected_i);

endmodule
