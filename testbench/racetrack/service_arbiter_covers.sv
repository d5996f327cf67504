// What the request arbitrator must be seen to do: from no request to more than it serves, banks
// that stay served beside new ones, and an order that wraps around.
module service_arbiter_covers
  import racetrack_pkg::*;
#(
  parameter int unsigned NumBanks = shell_pkg::DefaultBanks
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumBanks-1:0] request_i,
  input logic [NumBanks-1:0] done_i,
  input logic [NumBanks-1:0] served_i,
  input logic [NumBanks-1:0] kept_i,    // served in the cycle before and still asking
  input logic [NumBanks-1:0] chosen_i,  // newly served
  input logic [NumBanks-1:0] behind_i   // those behind the last one chosen
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NoRequest : cover property (request_i == '0);
  OneServed : cover property ($countones(served_i) == 1);
  TwoServed : cover property ($countones(served_i) == 2);
  ThreeServed : cover property ($countones(served_i) == 3);
  AllPlacesTaken : cover property ($countones(served_i) == BanksServed);
  MoreThanPlaces : cover property ($countones(request_i) > BanksServed);
  EveryBankAsks : cover property (request_i == '1);
  AllPlacesKept : cover property ($countones(kept_i) == BanksServed);
  KeptBesideChosen : cover property (kept_i != '0 && chosen_i != '0);
  AllPlacesNew : cover property ($countones(chosen_i) == BanksServed);
  OrderWraps : cover property ((chosen_i & ~behind_i) != '0 && (chosen_i & behind_i) != '0);
  FirstAfterLast : cover property (chosen_i[0] && behind_i == '0);
  SeveralDone : cover property ($countones(done_i) > 1);

endmodule
