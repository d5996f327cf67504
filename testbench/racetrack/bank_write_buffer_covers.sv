// What the write buffer of a bank must be seen to do: empty, half full and full, in and out at
// once, and reads that it covers, from one entry or two, or covers in part.
module bank_write_buffer_covers
  import heddle_port_pkg::*;
  import racetrack_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                push_i,
  input logic                pop_i,
  input logic                valid_i [BufferEntries],
  input logic [NumLanes-1:0] hit_i   [BufferEntries],
  input logic                covered_i
);

  logic old_hit, young_hit;

  assign old_hit   = hit_i[0] != '0;
  assign young_hit = hit_i[1] != '0;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (!valid_i[0]);
  One : cover property (valid_i[0] && !valid_i[1]);
  Full : cover property (valid_i[1]);
  IntoEmpty : cover property (push_i && !valid_i[0]);
  IntoSecond : cover property (push_i && valid_i[0] && !pop_i);
  InAndOut : cover property (push_i && pop_i);
  FullAndLeaves : cover property (pop_i && valid_i[1]);
  LastLeaves : cover property (pop_i && !push_i && !valid_i[1]);
  CoveredByOld : cover property (covered_i && old_hit && !young_hit);
  CoveredByYoung : cover property (covered_i && hit_i[1] == '1);
  CoveredByBoth : cover property (covered_i && hit_i[0] != '1 && hit_i[1] != '1);
  CoveredInPart : cover property (!covered_i && (old_hit || young_hit));

endmodule
