// What the unused queue must be seen to do: full, empty, in and out at once, and around its end.
module address_allocation_unit_covers #(
  parameter int unsigned AddressBits = 4,
  parameter int unsigned SizeBits    = 5
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   ready_i,
  input logic [SizeBits-1:0]    size_i,
  input logic                   allocate_i,
  input logic                   release_i,
  input logic [AddressBits-1:0] head_i,
  input logic [AddressBits-1:0] tail_i,
  input logic [SizeBits-1:0]    count_i  // unused
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  AllUnused : cover property (ready_i && count_i == size_i);
  NoneUnused : cover property (ready_i && count_i == '0);
  First : cover property (allocate_i && count_i == size_i);
  Last : cover property (allocate_i && count_i == SizeBits'(1));
  IntoEmpty : cover property (release_i && count_i == '0);
  LastComesBack : cover property (release_i && !allocate_i && count_i == size_i - SizeBits'(1));
  InAndOut : cover property (allocate_i && release_i);
  HeadWraps : cover property (allocate_i && head_i == '1);
  TailWraps : cover property (release_i && tail_i == '1);

endmodule
