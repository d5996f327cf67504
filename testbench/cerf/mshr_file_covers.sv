// What the miss-status holding registers must be seen to do: empty, full, in and out at once, and a
// register that takes its first and its last further load.
module mshr_file_covers
  import cerf_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumMshrs-1:0] in_use_i,
  input logic                allocate_i,
  input logic                fetches_i,
  input logic                join_i,
  input merge_t              slot_i,
  input logic                close_i,
  input logic                release_i
);

  logic full;

  assign full = in_use_i == '1;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (in_use_i == '0);
  Full : cover property (full);
  IntoEmpty : cover property (allocate_i && in_use_i == '0);
  IntoLast : cover property (allocate_i && $countones(in_use_i) == NumMshrs - 1);
  FullAndLeaves : cover property (full && release_i);
  LastLeaves : cover property (release_i && !allocate_i && $countones(in_use_i) == 1);
  InAndOut : cover property (allocate_i && release_i);
  ForLoad : cover property (allocate_i && fetches_i);
  ForOther : cover property (allocate_i && !fetches_i);
  FirstJoins : cover property (join_i && slot_i == merge_t'(1));
  LastJoins : cover property (join_i && slot_i == '1);
  JoinsWhenFull : cover property (join_i && full);
  JoinBesideClose : cover property (join_i && close_i);

endmodule
