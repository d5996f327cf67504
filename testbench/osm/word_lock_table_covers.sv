// What the lock bits of words must be seen to do: lines that get locked, that stay locked for a
// word that is not read, that are unlocked with their last one, and that leave locked.
module word_lock_table_covers
  import osm_pkg::*;
#(
  parameter int unsigned Sets = 1
) (
  input logic     clk_i,
  input logic     rst_ni,
  input way_set_t written_i [Sets],
  input way_set_t read_i [Sets],
  input way_set_t dropped_i [Sets],
  input way_set_t locked_i [Sets],
  input logic     lock_i,
  input logic     unlock_i
);

  logic any, full, again, reads, leaves;

  always_comb begin : all_sets
    any    = 1'b0;
    full   = 1'b0;
    again  = 1'b0;
    reads  = 1'b0;
    leaves = 1'b0;
    for (int unsigned s = 0; s < Sets; s++) begin
      any    |= locked_i[s] != '0;
      full   |= locked_i[s] == '1;
      again  |= (written_i[s] & locked_i[s]) != '0;
      reads  |= (read_i[s] & locked_i[s]) != '0;
      leaves |= (dropped_i[s] & locked_i[s]) != '0;
    end
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NoneLocked : cover property (!any);
  AllWaysLocked : cover property (full);
  Lock : cover property (lock_i);
  WrittenAgain : cover property (again);
  ReadStaysLocked : cover property (reads && !unlock_i);
  Unlock : cover property (unlock_i);
  LockedLeaves : cover property (leaves);

endmodule
