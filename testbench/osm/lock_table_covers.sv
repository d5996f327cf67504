// What the lock bits must be seen to do: none and all ways locked, locks and unlocks of one line
// and of several, reads before the last one, and locked lines that leave.
module lock_table_covers
  import osm_pkg::*;
#(
  parameter int unsigned Sets        = 1,
  parameter bit          ReadCounter = 1'b0
) (
  input logic     clk_i,
  input logic     rst_ni,
  input logic     enable_i,
  input way_set_t written_i [Sets],
  input way_set_t read_i [Sets],
  input way_set_t dropped_i [Sets],
  input way_set_t locked_i [Sets],
  input way_set_t last_read_i [Sets]
);

  logic any, full, counts, again, leaves, reads_unlocked, writes;
  int unsigned locks, unlocks;

  always_comb begin : all_sets
    any            = 1'b0;
    full           = 1'b0;
    counts         = 1'b0;
    again          = 1'b0;
    leaves         = 1'b0;
    reads_unlocked = 1'b0;
    writes         = 1'b0;
    locks          = 0;
    unlocks        = 0;
    for (int unsigned s = 0; s < Sets; s++) begin
      any            |= locked_i[s] != '0;
      full           |= locked_i[s] == '1;
      counts         |= (read_i[s] & locked_i[s] & ~last_read_i[s]) != '0;
      again          |= (written_i[s] & locked_i[s]) != '0;
      leaves         |= (dropped_i[s] & locked_i[s]) != '0;
      reads_unlocked |= (read_i[s] & ~locked_i[s]) != '0;
      writes         |= written_i[s] != '0;
      locks           = locks + $countones(written_i[s] & ~locked_i[s]);
      unlocks         = unlocks + $countones(read_i[s] & locked_i[s] & last_read_i[s]);
    end
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NoneLocked : cover property (!any);
  AllWaysLocked : cover property (full);
  Lock : cover property (enable_i && locks == 1);
  SeveralLock : cover property (enable_i && locks > 1);
  WrittenAgain : cover property (enable_i && again);
  Unlock : cover property (enable_i && unlocks == 1);
  SeveralUnlock : cover property (enable_i && unlocks > 1);
  ReadUnlocked : cover property (reads_unlocked);
  LockedLeaves : cover property (leaves);
  WrittenWithoutLocks : cover property (!enable_i && writes);

  if (ReadCounter) begin : gen_counter
    ReadBeforeLast : cover property (enable_i && counts);
  end

endmodule
