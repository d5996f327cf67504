// What a tag bank must be seen to do: each transition of an entry (figure 6), look-ups that find no
// place, registers that leave for memory and come back, and the ends of warps.
module tag_bank_covers
  import cerf_pkg::*;
#(
  parameter int unsigned Ways = 4
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic             fair_i,
  input op_e              op_i,
  input logic             commit_i,
  input logic             full_i,       // a result of all lanes
  input logic             changes_i,    // the entry is the operation's
  input logic             hit_i,
  input logic             allocates_i,
  input logic             found_i,      // a way that may be replaced
  input logic             evict_i,
  input logic             spilled_i,    // the operation needs its register, which is in memory
  input logic             returning_i,  // or on its way back
  input logic             is_spilled_i, // its register is in memory
  input state_e           before_i,
  input state_e           after_i,
  input state_e           set_i [Ways],  // states of the set
  input exit_rows_t       ended_i,
  input logic             free_waits_i,
  input logic [RowBits:0] registers_i,
  input logic [RowBits:0] lines_i
);

  logic takes_over, of_register, all_registers;

  assign takes_over  = changes_i && !hit_i && !evict_i;
  assign of_register = op_i == OpReadReg || op_i == OpWriteReg;

  always_comb begin : kinds
    all_registers = 1'b1;
    for (int unsigned w = 0; w < Ways; w++) all_registers &= set_i[w] == StReg;
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- each transition of an entry ----
  InactiveToReg : cover property (takes_over && before_i == StInactive && after_i == StReg);
  InactiveToCache : cover property (takes_over && before_i == StInactive && after_i == StCache);
  CacheToReg : cover property (takes_over && before_i == StCache && after_i == StReg);
  CacheToOtherCache : cover property (takes_over && before_i == StCache && after_i == StCache);
  CacheToDirty : cover property (changes_i && before_i == StCache && after_i == StDirty);
  CacheToInactive : cover property (changes_i && before_i == StCache && after_i == StInactive);
  DirtyStays : cover property (changes_i && before_i == StDirty && after_i == StDirty);
  DirtyToInactive : cover property (changes_i && before_i == StDirty && after_i == StInactive);
  RegStays : cover property (changes_i && before_i == StReg && after_i == StReg);
  RegDies : cover property (changes_i && before_i == StReg && !evict_i && after_i == StInactive);
  RegToMemory : cover property (changes_i && before_i == StReg && evict_i);

  // ---- why a dirty line leaves ----
  DirtyLeavesForReg : cover property (changes_i && before_i == StDirty && op_i == OpWriteReg);
  DirtyLeavesForLine : cover property (changes_i && before_i == StDirty && op_i == OpFill);
  DirtyLeavesForBypass : cover property (changes_i && before_i == StDirty && op_i == OpBypass);
  DirtyLeavesAtEnd : cover property (changes_i && before_i == StDirty && op_i == OpFlush);

  // ---- no place ----
  FillRefused : cover property (op_i == OpFill && commit_i && !hit_i && !found_i);
  SetOfRegisters : cover property (all_registers);
  RegOverRegister : cover property (fair_i && allocates_i && all_registers && op_i == OpWriteReg);

  // ---- registers in memory ----
  FetchForRead : cover property (commit_i && spilled_i && op_i == OpReadReg);
  FetchForWrite : cover property (commit_i && spilled_i && op_i == OpWriteReg);
  WrittenAsAWhole : cover property (takes_over && is_spilled_i && full_i && op_i == OpWriteReg);
  ReadWhileReturning : cover property (commit_i && returning_i && op_i == OpReadReg);
  WriteWhileReturning : cover property (commit_i && returning_i && op_i == OpWriteReg);
  ComesBack : cover property (takes_over && op_i == OpRefill);
  ComesBackOverRegister : cover property (changes_i && evict_i && op_i == OpRefill);

  // ---- ends of warps ----
  OneEnds : cover property ($countones(ended_i) == 1);
  AllRowsEnd : cover property (ended_i == '1);
  EndsBesideLookUp : cover property (ended_i != '0 && commit_i && of_register);
  EndWaitsForReturn : cover property (free_waits_i);

  // ---- counts ----
  NoRegister : cover property (registers_i == '0);
  AllRegisters : cover property (32'(registers_i) == EntriesPerBank);
  NoLine : cover property (lines_i == '0);
  RegistersAndLinesFill : cover property (
      lines_i != '0 && 32'(registers_i) + 32'(lines_i) == EntriesPerBank);

endmodule
