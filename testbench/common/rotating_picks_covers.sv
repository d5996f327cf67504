// What rotating picks must be seen to do: an order that wraps around, takers without a request
// and requests without a taker.
module rotating_picks_covers #(
  parameter int unsigned Width = 16,
  parameter int unsigned Picks = 2
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Width-1:0] request_i,
  input logic [Picks-1:0] take_i,
  input logic [Width-1:0] taken_i,
  input logic [Width-1:0] mask_i  // ones at and above the pointer
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NoTaker : cover property (request_i != '0 && take_i == '0);
  NoRequest : cover property (request_i == '0);
  OneLeftOver : cover property (taken_i != '0 && (request_i & ~taken_i) != '0);
  LowerOneWaits : cover property ((taken_i & mask_i) != '0 &&
                                  (request_i & ~taken_i & ~mask_i) != '0);
  OrderWraps : cover property ((taken_i & ~mask_i) != '0);
  if (Picks > 1) begin : gen_several
    TakerWithoutRequest : cover property (request_i != '0 &&
                                          $countones(request_i) < $countones(take_i));
    SeveralTaken : cover property ($countones(taken_i) > 1);
    WrapsBetween : cover property ((taken_i & mask_i) != '0 && (taken_i & ~mask_i) != '0);
  end

endmodule

bind rotating_picks rotating_picks_covers #(
  .Width(Width),
  .Picks(Picks)
) u_covers (
  .clk_i,
  .rst_ni,
  .request_i,
  .take_i,
  .taken_i(taken_o),
  .mask_i (mask_q)
);
