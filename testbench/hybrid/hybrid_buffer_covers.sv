// What a write buffer must be seen to do: each change of its state, empty and full in both of the
// states in which it takes results, results over an entry and at the end, and write-back that
// waits, goes on and ends.
module hybrid_buffer_covers
  import hybrid_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input buffer_state_e state_i,
  input logic          open_i,
  input logic          close_i,
  input logic          drop_i,
  input logic          drained_i,
  input logic          request_i,
  input logic          full_i,         // no entry for the result
  input logic          accept_i,
  input logic          new_entry_i,
  input logic          waits_power_i,
  input logic          reads_i,
  input count_t        count_i,
  input count_t        taken_i,        // entries that are written back
  input logic          entry_valid_i,
  input logic          entry_take_i
);

  logic fills, drains, merge, append, has_all;

  assign fills   = state_i == BufferFill;
  assign drains  = state_i == BufferDrain;
  assign merge   = accept_i && !new_entry_i;
  assign append  = new_entry_i && drains;
  assign has_all = count_i == count_t'(BufferEntries);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- each transition of the state ----
  FreeToFill : cover property (open_i && state_i == BufferFree);
  FillToDrain : cover property (close_i && fills);
  FillToFree : cover property (drop_i && fills);
  DrainToFree : cover property (drained_i && !drop_i);

  // ---- results ----
  FirstEntry : cover property (new_entry_i && count_i == '0);
  LastEntry : cover property (new_entry_i && count_i == count_t'(BufferEntries - 1));
  Merge : cover property (merge);
  MergeWhenFull : cover property (merge && has_all);
  Append : cover property (append);
  AppendWhenDrained : cover property (append && taken_i == count_i);
  FullWhileFilling : cover property (fills && has_all);
  FullWhileDraining : cover property (drains && has_all);
  RefusedWhenFull : cover property (request_i && full_i);
  WaitsForPower : cover property (waits_power_i);
  ResultBesideClose : cover property (accept_i && close_i);
  ReadBesideResult : cover property (reads_i && accept_i);

  // ---- write-back ----
  NothingToWriteBack : cover property (close_i && count_i == '0 && !new_entry_i);
  WriteBack : cover property (entry_take_i);
  WriteBackWaits : cover property (entry_valid_i && !entry_take_i);
  WriteBackBesideAppend : cover property (entry_take_i && append);
  LastLeaves : cover property (entry_take_i && !append && taken_i + count_t'(1) == count_i);

endmodule
