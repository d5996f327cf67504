// Which operation one tag bank carries out in this cycle.
//
// A line that came back goes first, so that the MSHRs empty; then queued results, so that no read
// overtakes an older write; then loads and stores; then the walk of a flush; then operand
// reads, rotating over the collectors.
module tag_arbiter
  import cerf_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           fill_i,
  input  line_t          fill_line_i,
  input  logic           write_i,
  input  line_t          write_line_i,
  input  logic           access_i,
  input  op_e            access_op_i,
  input  line_t          access_line_i,
  input  logic           flush_i,
  input  line_t          flush_line_i,
  input  collector_set_t read_i,
  input  line_t          read_line_i,  // of the collector that wins
  output collector_t     collector_o,
  output op_e            op_o,
  output line_t          line_o,
  // to the events
  output logic           wait_write_o,  // a read waits behind a queued result
  output logic           wait_bank_o    // a read waits for another operation of the bank
);

  logic           reads, others, take_read;
  collector_set_t winner;

  assign others    = fill_i || write_i || access_i || flush_i;
  assign take_read = reads && !others;

  rr_arbiter #(
    .Width(NumCollectors)
  ) u_rotate (
    .clk_i,
    .rst_ni,
    .request_i(read_i),
    .advance_i(take_read),
    .valid_o  (reads),
    .grant_o  (winner),
    .index_o  (collector_o)
  );

  always_comb begin : choose
    op_o   = OpNone;
    line_o = read_line_i;
    if (fill_i) begin
      op_o   = is_register(fill_line_i) ? OpRefill : OpFill;
      line_o = fill_line_i;
    end else if (write_i) begin
      op_o   = OpWriteReg;
      line_o = write_line_i;
    end else if (access_i) begin
      op_o   = access_op_i;
      line_o = access_line_i;
    end else if (flush_i) begin
      op_o   = OpFlush;
      line_o = flush_line_i;
    end else if (reads) begin
      op_o = OpReadReg;
    end
  end

  assign wait_write_o = reads && write_i;
  assign wait_bank_o  = !write_i && (others ? reads : (read_i & ~winner) != '0);

endmodule
