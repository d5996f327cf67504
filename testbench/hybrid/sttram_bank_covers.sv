// What a bank of STT-RAM must be seen to do: one read and several at once, and accesses one
// behind the other.
module sttram_bank_covers
  import hybrid_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic       ready_i,
  input logic       busy_i,     // occupied in the cycle before
  input logic       writing_i,  // the last access was a write
  input array_set_t read_i,
  input logic       write_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  Idle : cover property (ready_i && read_i == '0 && !write_i);
  OneRead : cover property ($onehot(read_i));
  SeveralReads : cover property ($countones(read_i) > 1);
  ReadBehindWrite : cover property (busy_i && read_i != '0 && writing_i);
  ReadBehindRead : cover property (busy_i && read_i != '0 && !writing_i);
  WriteBehindRead : cover property (busy_i && write_i && !writing_i);
  WriteBehindWrite : cover property (busy_i && write_i && writing_i);
  WriteGoesOn : cover property (!ready_i && writing_i);
  ReadGoesOn : cover property (!ready_i && !writing_i);

endmodule

bind sttram_bank sttram_bank_covers u_covers (
  .clk_i,
  .rst_ni,
  .ready_i  (ready_o),
  .busy_i   (busy_q),
  .writing_i(writing_q),
  .read_i,
  .write_i
);
