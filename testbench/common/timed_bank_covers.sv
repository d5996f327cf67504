// What a bank must be seen to do: accesses one behind the other, and accesses of several cycles.
module timed_bank_covers (
  input logic clk_i,
  input logic rst_ni,
  input logic request_i,
  input logic write_i,
  input logic ready_i,
  input logic busy_i,    // occupied in the cycle before
  input logic reading_i  // the access under way is a read
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Idle : cover property (!request_i && ready_i);
  OneBehindAnother : cover property (request_i && ready_i && busy_i);
  ReadBehindWrite : cover property (request_i && ready_i && busy_i && !write_i && !reading_i);
  WriteBehindRead : cover property (request_i && ready_i && busy_i && write_i && reading_i);
  ReadGoesOn : cover property (!ready_i && reading_i);
  WriteGoesOn : cover property (!ready_i && !reading_i);

endmodule

bind timed_bank timed_bank_covers u_covers (
  .clk_i,
  .rst_ni,
  .request_i,
  .write_i,
  .ready_i  (ready_o),
  .busy_i   (busy_q),
  .reading_i(reading_q)
);
