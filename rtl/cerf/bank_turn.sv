// Which tag bank has the turn at what only one can use in a cycle: the lowest that asks.
module bank_turn
  import cerf_pkg::*;
(
  input  logic          open_i,     // it can be used at all
  input  tag_bank_set_t request_i,
  output tag_bank_set_t grant_o
);

  assign grant_o = open_i ? request_i & (~request_i + tag_bank_set_t'(1)) : '0;

endmodule
