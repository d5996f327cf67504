// Counts enabled cycles; misbehaves on demand. `wide_o` repeats `wide_i` one cycle later, inverted.
module counter #(
  parameter int unsigned Limit = 100
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        enable_i,
  input  logic [2:0]  fail_i,  // 1 assertion, 2 $error, 3 $fatal, 4 $stop, 5 $finish, 6 $display
  input  logic [99:0] wide_i,
  output logic [31:0] count_o,
  output logic [31:0] unset_o,
  output logic [99:0] wide_o
);

  logic [31:0] count_q;
  logic [31:0] unset_q;
  logic [99:0] wide_q;

  always_ff @(posedge clk_i) begin : p_count
    if (!rst_ni) count_q <= '0;
    else if (enable_i) count_q <= count_q + 32'd1;
    if (enable_i) wide_q <= ~wide_i;
    if (enable_i && count_q == 32'(Limit)) unset_q <= '0;
  end : p_count

  always_ff @(posedge clk_i) begin : p_fail
    CountStaysBelow : assert (fail_i != 3'd1) else $error("count %0d is at its limit", count_q);
    if (fail_i == 3'd2) $error("asked for an error at count %0d", count_q);
    if (fail_i == 3'd3) $fatal(1, "asked for a fatal error at count %0d", count_q);
    if (fail_i == 3'd4) $stop;
    if (fail_i == 3'd5) $finish;
    if (fail_i == 3'd6) $display("count is %0d", count_q);
  end : p_fail

  logic announce;
  initial announce = $test$plusargs("announce") != 0;
  always_ff @(posedge clk_i) begin : p_announce
    if (announce && !rst_ni) $display("announced");
  end : p_announce

  final $display("final count %0d", count_q);

  assign count_o = count_q;
  assign unset_o = unset_q;
  assign wide_o = wide_q;

endmodule : counter
