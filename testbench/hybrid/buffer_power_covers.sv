// What the power of a write buffer's upper entries must be seen to do: each change of its state.
module buffer_power_covers (
  input logic clk_i,
  input logic rst_ni,
  input logic off_i,
  input logic waking_i,
  input logic on_i,
  input logic wakes_i,
  input logic at_once_i,  // on in the next cycle
  input logic ends_i,     // the last cycle of waking
  input logic release_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  OffToWaking : cover property (wakes_i && !at_once_i && !release_i);
  OffToOn : cover property (wakes_i && at_once_i && !release_i);
  WakingStays : cover property (waking_i && !ends_i && !release_i);
  WakingToOn : cover property (waking_i && ends_i && !release_i);
  WakingToOff : cover property (waking_i && release_i);
  OnToOff : cover property (on_i && release_i);
  OffReleased : cover property (off_i && release_i);

endmodule
