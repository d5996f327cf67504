// What reading in the order of issue must be seen to do: sources at once and one after the other,
// instructions without any, and reads that are stopped.
module oldest_reader_covers
  import shell_pkg::*;
#(
  parameter int unsigned NumCollectors = 16,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic [NumCollectors-1:0] unread_i,
  input logic [CollectorBits-1:0] head_i,
  input logic [NumCollectors-1:0] hold_i,
  input source_set_t              wanted_i,
  input source_set_t              grant_i,
  input logic                     stop_i,
  input logic                     conflict_i,
  input logic                     passes_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NothingToRead : cover property (unread_i == '0);
  AllUnread : cover property (unread_i == '1);
  AllSourcesAtOnce : cover property ($countones(grant_i) > 1 && grant_i == wanted_i);
  SomeSourcesFirst : cover property (grant_i != '0 && (wanted_i & ~grant_i) != '0);
  NoSource : cover property (passes_i && wanted_i == '0);
  ReadIsStopped : cover property (stop_i && wanted_i != '0);
  SourceWaitsForLower : cover property (conflict_i);
  YoungerOnesWait : cover property (hold_i != '0);
  RingWraps : cover property (passes_i && head_i == '1);

endmodule

bind oldest_reader oldest_reader_covers #(
  .NumCollectors(NumCollectors)
) u_covers (
  .clk_i,
  .rst_ni,
  .unread_i  (unread_q),
  .head_i    (head_q),
  .hold_i    (hold_o),
  .wanted_i  (wanted_o),
  .grant_i   (grant_o),
  .stop_i,
  .conflict_i(conflict_o),
  .passes_i  (passes)
);
