// What the port of commands must be seen to do: the commands that every design carries out, and
// one in the cycle in which another is done.
module command_port_covers
  import heddle_port_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic [2:0] op_i,
  input logic       accept_i,
  input logic       done_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  KernelStarts : cover property (accept_i && op_i == CmdKernelStart);
  WarpIsPlaced : cover property (accept_i && op_i == CmdWarpBase);
  WarpBecomesActive : cover property (accept_i && op_i == CmdActivate);
  WarpBecomesInactive : cover property (accept_i && op_i == CmdDeactivate);
  WarpEnds : cover property (accept_i && op_i == CmdExit);
  OneBehindAnother : cover property (accept_i && done_i);

endmodule

bind command_port command_port_covers u_covers (
  .clk_i,
  .rst_ni,
  .op_i    (command_i.op),
  .accept_i(accept),
  .done_i  (done_q.valid)
);
