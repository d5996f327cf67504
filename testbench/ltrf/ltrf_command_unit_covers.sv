// What the command unit must be seen to do: each command started, waits for registers that leave
// and for results, and an end that is reported before it.
module ltrf_command_unit_covers
  import heddle_port_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic       full_i,       // a command is there
  input logic [2:0] op_i,
  input logic       start_i,
  input logic       accept_i,
  input logic       match_i,      // its warp has a slot
  input logic       leaves_i,     // registers of its warp leave
  input logic       queued_i,     // results of its warp wait
  input logic       immediate_i,
  input logic       finished_i    // the end of another one is reported
);

  logic activate, exits;

  assign activate = full_i && op_i == CmdActivate;
  assign exits    = full_i && op_i == CmdExit;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Activate : cover property (activate && start_i);
  ActivateWaitsForLeaving : cover property (activate && !match_i && leaves_i);
  Deactivate : cover property (full_i && op_i == CmdDeactivate && start_i);
  Prefetch : cover property (full_i && op_i == CmdPrefetch && start_i);
  ExitOfActive : cover property (exits && start_i && match_i);
  ExitWaitsForResults : cover property (exits && queued_i);
  WaitsForReport : cover property (immediate_i && finished_i);
  Accept : cover property (accept_i);

endmodule
