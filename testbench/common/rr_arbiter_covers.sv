// What a rotating arbiter must be seen to do: an order that wraps around, and a winner that has
// to wait.
module rr_arbiter_covers #(
  parameter int unsigned Width = 16
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Width-1:0] request_i,
  input logic             advance_i,
  input logic [Width-1:0] mask_i  // ones at and above the pointer
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NoRequest : cover property (request_i == '0);
  SeveralRequests : cover property ($countones(request_i) > 1);
  WinnerWaits : cover property (request_i != '0 && !advance_i);
  LowerOneWaits : cover property (advance_i && (request_i & mask_i) != '0 &&
                                  (request_i & ~mask_i) != '0);
  OrderWraps : cover property (advance_i && request_i != '0 && (request_i & mask_i) == '0);

endmodule

bind rr_arbiter rr_arbiter_covers #(
  .Width(Width)
) u_covers (
  .clk_i,
  .rst_ni,
  .request_i,
  .advance_i,
  .mask_i(mask_q)
);
