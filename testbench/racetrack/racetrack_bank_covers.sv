// What a bank must be seen to do: every order of two actions, an access without a shift, a shift at
// either end of a track, forwarding, and a read that waits for results.
module racetrack_bank_covers
  import racetrack_pkg::*;
#(
  parameter int unsigned Offsets = 16
) (
  input logic         clk_i,
  input logic         rst_ni,
  input bank_action_e starts_i,
  input bank_action_e before_i,  // what began last
  input logic         up_i,
  input logic         served_i,
  input logic         on_way_i,
  input logic         has_target_i,
  input logic         read_valid_i,
  input logic         write_valid_i,
  input logic         staged_i,
  input logic         forward_i,
  input logic         covered_i,
  input position_t    position_i
);

  logic shift, top, bottom;

  assign shift  = starts_i == BankShift;
  assign top    = 32'(position_i) == Offsets - 1;
  assign bottom = position_i == '0;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- each transition of what is under way ----
  ReadAfterRead : cover property (starts_i == BankRead && before_i == BankRead);
  ReadAfterWrite : cover property (starts_i == BankRead && before_i == BankWrite);
  ReadAfterShift : cover property (starts_i == BankRead && before_i == BankShift);
  WriteAfterRead : cover property (starts_i == BankWrite && before_i == BankRead);
  WriteAfterWrite : cover property (starts_i == BankWrite && before_i == BankWrite);
  WriteAfterShift : cover property (starts_i == BankWrite && before_i == BankShift);
  ShiftAfterRead : cover property (shift && before_i == BankRead);
  ShiftAfterWrite : cover property (shift && before_i == BankWrite);
  ShiftAfterShift : cover property (shift && before_i == BankShift);

  // ---- shifts ----
  ShiftFromBottom : cover property (shift && bottom);
  ShiftToTop : cover property (shift && up_i && 32'(position_i) == Offsets - 2);
  ShiftFromTop : cover property (shift && top);
  ShiftToBottom : cover property (shift && !up_i && position_i == position_t'(1));
  ShiftServed : cover property (shift && served_i);
  ShiftPreshifted : cover property (shift && !served_i && !on_way_i);
  ShiftReleased : cover property (shift && !served_i && on_way_i);

  // ---- conflicts ----
  TargetNotServed : cover property (has_target_i && !served_i && starts_i == BankIdle);
  ReadWaitsForStaged : cover property (read_valid_i && staged_i && !write_valid_i);
  ReadWaitsForBuffered : cover property (read_valid_i && write_valid_i && !covered_i);
  CoveredWaitsForStaged : cover property (read_valid_i && covered_i && staged_i);
  Forwards : cover property (forward_i);
  ForwardsWhileShifting : cover property (forward_i && shift);

endmodule
