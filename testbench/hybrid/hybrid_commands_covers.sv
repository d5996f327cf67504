// What the command unit must be seen to do: both buffers opened, activations that wait for either
// reason, and exits with, without and before the last of their warp's results.
module hybrid_commands_covers
  import hybrid_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input logic               activate_i,     // one is there
  input logic               exit_i,
  input logic               carried_out_i,
  input logic [Buffers-1:0] free_i,
  input logic [Buffers-1:0] own_i,          // buffers of the command's warp
  input logic [Buffers-1:0] open_i,
  input logic [Buffers-1:0] close_i,
  input logic [Buffers-1:0] drop_i,
  input logic               youngest_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  OpensFirst : cover property (open_i[0]);
  OpensSecond : cover property (open_i[1]);
  OpensOlder : cover property (open_i[!youngest_i]);
  OpensYoungest : cover property (open_i[youngest_i]);
  ActivationWaitsForBuffer : cover property (activate_i && free_i == '0);
  ActivationWaitsForOwn : cover property (activate_i && free_i != '0 && own_i != '0);
  Closes : cover property (close_i != '0);
  ExitWithBuffer : cover property (drop_i != '0);
  ExitWithoutBuffer : cover property (exit_i && carried_out_i && own_i == '0);
  ExitWaits : cover property (exit_i && !carried_out_i);

endmodule
