// What the fill unit must be seen to do: each change of its phase, waits in both, and lines and
// results that come while it works.
module fill_unit_covers (
  input logic clk_i,
  input logic rst_ni,
  input logic start_i,
  input logic fetches_i,
  input logic register_i,
  input logic fill_i,
  input logic filled_i,
  input logic answer_i,
  input logic answered_i,
  input logic last_i,      // request of its line
  input logic waits_i,     // a line has come
  input logic arrives_i,
  input logic deposit_i,
  input logic fresh_i      // a deposit that fetches its register
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- each transition of the phase ----
  IdleToPlace : cover property (start_i && fetches_i);
  IdleToAnswer : cover property (start_i && !fetches_i);
  PlaceToAnswer : cover property (fill_i && filled_i && !register_i);
  PlaceToIdle : cover property (fill_i && filled_i && register_i);
  AnswerToNext : cover property (answer_i && answered_i && !last_i);
  AnswerToIdle : cover property (answer_i && answered_i && last_i);

  // ---- waits ----
  PlaceWaits : cover property (fill_i && !filled_i);
  AnswerWaits : cover property (answer_i && !answered_i);
  LineWaits : cover property (waits_i && !start_i);

  // ---- what comes ----
  ArrivesWhileWorking : cover property (arrives_i && (fill_i || answer_i));
  FirstDeposit : cover property (deposit_i && fresh_i);
  FurtherDeposit : cover property (deposit_i && !fresh_i);

endmodule
