// The entries that the walk offers, against a count of those that are done.
module flush_unit_formal
  import cerf_pkg::*;
(
  input logic  clk_i,
  input logic  rst_ni,
  input logic  start_i,
  input logic  flush_i,
  input line_t line_i,
  input logic  flushed_i
);

  logic                 started_q;
  logic [IndexBits:0]   done_q;  // entries since the last start

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) begin
      started_q <= 1'b0;
      done_q    <= '0;
    end else if (start_i) begin
      started_q <= 1'b1;
      done_q    <= '0;
    end else begin
      done_q <= done_q + (IndexBits + 1)'(flushed_i);
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      FlushedWalks : assume (!flushed_i || flush_i);
      WalksUntilAllDone :
      assert (flush_i == (started_q && 32'(done_q) != 2 ** IndexBits));
      NextEntry : assert (!flush_i || 32'(line_i) == 32'(done_q));
      DoneInRange : assert (32'(done_q) <= 2 ** IndexBits && (started_q || done_q == '0));
      SecondWalk : cover (flush_i && flushed_i && done_q == (IndexBits + 1)'(2));
    end
  end

endmodule

bind flush_unit flush_unit_formal u_formal (
  .clk_i,
  .rst_ni,
  .start_i,
  .flush_i(flush_o),
  .line_i (line_o),
  .flushed_i
);
