// What a request queue must be seen to do: empty, full, asked while full, in and out at once, and
// around its end.
module read_queue_covers
  import shell_pkg::*;
  import racetrack_pkg::*;
(
  input logic                          clk_i,
  input logic                          rst_ni,
  input collector_set_t                request_i,
  input logic                          grant_i,
  input logic                          pop_i,
  input logic [$clog2(QueueDepth)-1:0] head_i,
  input logic [$clog2(QueueDepth)-1:0] tail_i,
  input logic [$clog2(QueueDepth):0]   count_i
);

  logic full;

  assign full = 32'(count_i) == QueueDepth;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (count_i == '0);
  Full : cover property (full);
  RefusedWhenFull : cover property (full && request_i != '0);
  FullAndLeaves : cover property (full && pop_i);
  IntoEmpty : cover property (grant_i && count_i == '0);
  LastLeaves : cover property (pop_i && !grant_i && 32'(count_i) == 1);
  InAndOut : cover property (grant_i && pop_i);
  SeveralAsk : cover property ($countones(request_i) > 1);
  TailWraps : cover property (grant_i && tail_i == '1);
  HeadWraps : cover property (pop_i && head_i == '1);

endmodule
