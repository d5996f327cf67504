// What a lane of the crossbar must be seen to do: start when idle and with the last beat, hold its
// first beat while the receiver is full, and hand over as the next register begins to cross.
module crossbar_lane_covers (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       start_i,
  input logic       late_i,
  input logic       busy_i,
  input logic       beat_i,
  input logic       last_i,
  input logic       hold_i,
  input logic       valid_i,
  input logic       take_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Idle : cover property (!busy_i && !valid_i);
  StartWhenIdle : cover property (start_i && !busy_i);
  StartWithLastBeat : cover property (start_i && last_i);
  StartLate : cover property (start_i && late_i);
  Crosses : cover property (beat_i && !last_i);
  FirstBeatAsTaken : cover property (beat_i && valid_i && take_i);
  Holds : cover property (busy_i && hold_i);
  WaitsInReceiver : cover property (valid_i && !take_i);
  TakenAtOnce : cover property (valid_i && take_i && !busy_i);

endmodule
