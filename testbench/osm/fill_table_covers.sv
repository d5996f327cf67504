// What the table of sectors on their way must be seen to do: empty, full, in and out at once.
module fill_table_covers
  import osm_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumFills-1:0] in_use_i,
  input logic                start_i,
  input logic                finish_i
);

  logic full;

  assign full = in_use_i == '1;

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Empty : cover property (in_use_i == '0);
  Full : cover property (full);
  IntoEmpty : cover property (start_i && in_use_i == '0);
  IntoLast : cover property (start_i && $countones(in_use_i) == NumFills - 1);
  FullAndLeaves : cover property (full && finish_i);
  LastLeaves : cover property (finish_i && !start_i && $onehot(in_use_i));
  InAndOut : cover property (start_i && finish_i);

endmodule
