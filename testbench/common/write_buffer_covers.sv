// What the buffer of results must be seen to do: from empty to full, several results of one bank,
// and younger ones that are written before older ones of another bank.
module write_buffer_covers #(
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned Entries     = 4
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [ResultWidth-1:0] accept_i,
  input logic [Entries-1:0]     valid_i,
  input logic [Entries-1:0]     first_i,  // no older entry goes to the same bank
  input logic [Entries-1:0]     written_i,
  input logic [Entries-1:0]     older_i [Entries]
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  logic [Entries-1:0] overtakes;

  for (genvar e = 0; e < Entries; e++) begin : gen_entry
    assign overtakes[e] = written_i[e] && (older_i[e] & valid_i & ~written_i) != '0;
  end

  Empty : cover property (valid_i == '0);
  Full : cover property (valid_i == '1);
  EveryPortTaken : cover property (accept_i == '1);
  SeveralOfOneBank : cover property ((valid_i & ~first_i) != '0);
  SeveralWritten : cover property ($countones(written_i) > 1);
  YoungerFirst : cover property (overtakes != '0);
  TakenWhileWritten : cover property (accept_i != '0 && written_i != '0);
  FullAndNoneWritten : cover property (valid_i == '1 && written_i == '0);

endmodule

bind write_buffer write_buffer_covers #(
  .ResultWidth(ResultWidth),
  .Entries    (Entries)
) u_covers (
  .clk_i,
  .rst_ni,
  .accept_i (accept),
  .valid_i  (valid_q),
  .first_i  (first),
  .written_i(written),
  .older_i  (older_q)
);
