// What the walk of the exits must be seen to do: warps of no, one and several groups, banks that
// free their parts together and apart, exits that wait, and an answer that waits for the port.
module exit_walk_covers
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                is_exit_i,
  input logic [NumWarps-1:0] waiting_i,
  input logic                walks_i,
  input logic                holds_i,     // the warp has registers
  input logic                picks_i,
  input logic                over_i,      // with the group
  input logic                last_i,      // group of the warp
  input logic                first_i,
  input logic                ends_i,
  input tag_bank_set_t       left_i,      // banks that have not freed their part
  input tag_bank_set_t       freed_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Idle : cover property (!walks_i && waiting_i == '0);
  ExitWhenIdle : cover property (is_exit_i && !walks_i && waiting_i == '0);
  ExitWhileWalking : cover property (is_exit_i && walks_i);
  SeveralWait : cover property ($countones(waiting_i) > 1);
  PicksWhenIdle : cover property (picks_i && !walks_i);
  PicksAsOneEnds : cover property (picks_i && ends_i);
  EndsWithoutNext : cover property (ends_i && !picks_i);
  NoRegisters : cover property (ends_i && !holds_i);
  OneGroup : cover property (ends_i && holds_i && first_i);
  SeveralGroups : cover property (ends_i && holds_i && !first_i);
  NextGroup : cover property (walks_i && over_i && !last_i);
  BanksTogether : cover property (walks_i && freed_i == '1);
  BanksApart : cover property (walks_i && freed_i != '0 && !over_i);
  BankWaits : cover property (walks_i && left_i != '0 && freed_i == '0);
  AnswerWaitsForPort : cover property (walks_i && over_i && last_i && !ends_i);

endmodule
