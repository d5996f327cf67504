// What the arbiter of a bank must be seen to do: results before reads, and reads that wait for
// the bank or for each other.
module bank_arbiter_covers #(
  parameter int unsigned NumCollectors = 16
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     bank_ready_i,
  input logic                     write_queued_i,
  input logic [NumCollectors-1:0] request_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NothingToDo : cover property (!write_queued_i && request_i == '0);
  WriteAlone : cover property (bank_ready_i && write_queued_i && request_i == '0);
  WriteBeforeRead : cover property (bank_ready_i && write_queued_i && request_i != '0);
  ReadAlone : cover property (bank_ready_i && !write_queued_i && $onehot(request_i));
  ReadBeforeRead : cover property (bank_ready_i && !write_queued_i && $countones(request_i) > 1);
  ReadWaitsForBank : cover property (!bank_ready_i && request_i != '0);
  WriteWaitsForBank : cover property (!bank_ready_i && write_queued_i);

endmodule

bind bank_arbiter bank_arbiter_covers #(
  .NumCollectors(NumCollectors)
) u_covers (
  .clk_i,
  .rst_ni,
  .bank_ready_i,
  .write_queued_i,
  .request_i
);
