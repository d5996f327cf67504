// What the queue of results must be seen to do: from empty to full, both ends at once, and a ring
// that wraps.
module result_queue_covers #(
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned Places      = 4,
  localparam int unsigned PlaceBits   = $clog2(Places)
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [ResultWidth-1:0] accept_i,
  input logic                   pop_i,
  input logic [PlaceBits-1:0]   head_i,
  input logic [PlaceBits:0]     count_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (count_i == '0);
  Full : cover property (count_i == (PlaceBits + 1)'(Places));
  EveryPortTaken : cover property (accept_i == '1);
  TakenIntoEmpty : cover property (accept_i != '0 && count_i == '0);
  TakenWhileOneLeaves : cover property (accept_i != '0 && pop_i);
  LastLeaves : cover property (pop_i && count_i == (PlaceBits + 1)'(1) && accept_i == '0);
  RingWraps : cover property (pop_i && head_i == '1);

endmodule

bind result_queue result_queue_covers #(
  .ResultWidth(ResultWidth),
  .Places     (Places)
) u_covers (
  .clk_i,
  .rst_ni,
  .accept_i(accept),
  .pop_i,
  .head_i  (head_q),
  .count_i (count_q)
);
