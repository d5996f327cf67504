// Whose turn it is at a tag bank, with rotation for one collector that the solver chooses.
module tag_arbiter_formal
  import cerf_pkg::*;
(
  input logic           clk_i,
  input logic           rst_ni,
  input logic           fill_i,
  input line_t          fill_line_i,
  input logic           write_i,
  input line_t          write_line_i,
  input logic           access_i,
  input op_e            access_op_i,
  input line_t          access_line_i,
  input logic           flush_i,
  input line_t          flush_line_i,
  input collector_set_t read_i,
  input line_t          read_line_i,
  input collector_t     collector_i,
  input op_e            op_i,
  input line_t          line_i,
  input logic           wait_write_i,
  input logic           wait_bank_i,
  input collector_set_t mask_i
);

  collector_t     waiter_q;   // any: what the reads are in the cycle of reset
  collector_set_t granted_q;  // collectors that were served while this one waits
  collector_set_t winner, above;
  logic           waits, reads, refills;

  // What an access asks for is its own: any operation.
  assign reads   = op_i == OpReadReg && !access_i;
  assign refills = op_i == OpFill || op_i == OpRefill;
  assign winner  = reads ? collector_set_t'(1) << collector_i : '0;
  assign waits   = read_i[waiter_q] && !winner[waiter_q];
  assign above   = ~((collector_set_t'(2) << waiter_q) - collector_set_t'(1));

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) waiter_q <= collector_t'(read_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) granted_q <= '0;
    else granted_q <= waits ? granted_q | winner : '0;
  end

  always_comb begin : checks
    if (rst_ni) begin
      FillsFirst : assert (!fill_i || (refills && line_i == fill_line_i));
      FillsOnlyWhatCame : assert (!refills || fill_i || access_i);
      NoReadBeforeOlderWrite : assert (!(reads && write_i));
      WritesBehindFills :
      assert (fill_i || !write_i || (op_i == OpWriteReg && line_i == write_line_i));
      AccessesBehindWrites :
      assert (fill_i || write_i || !access_i ||
              (op_i == access_op_i && line_i == access_line_i));
      FlushesBehindAccesses :
      assert (fill_i || write_i || access_i || !flush_i ||
              (op_i == OpFlush && line_i == flush_line_i));
      ReadOnlyRequested : assert (!reads || (read_i[collector_i] && line_i == read_line_i));
      ServesWhenAsked :
      assert ((access_i && access_op_i == OpNone) || (op_i != OpNone) ==
              (fill_i || write_i || access_i || flush_i || read_i != '0));
      WaitsAreSaid : assert ((wait_write_i || wait_bank_i) == ((read_i & ~winner) != '0));
      Rotation : assert (!waits || (winner & granted_q) == '0);
      MaskIsThermometer : assert ((~mask_i & (~mask_i + collector_set_t'(1))) == '0);
      GrantedSinceChoice :
      assert ((granted_q & ~(mask_i[waiter_q] ? above | ~mask_i : above & ~mask_i)) == '0);
      WriteFirst : cover (write_i && wait_write_i && granted_q != '0);
    end
  end

endmodule

bind tag_arbiter tag_arbiter_formal u_formal (
  .clk_i,
  .rst_ni,
  .fill_i,
  .fill_line_i,
  .write_i,
  .write_line_i,
  .access_i,
  .access_op_i,
  .access_line_i,
  .flush_i,
  .flush_line_i,
  .read_i,
  .read_line_i,
  .collector_i (collector_o),
  .op_i        (op_o),
  .line_i      (line_o),
  .wait_write_i(wait_write_o),
  .wait_bank_i (wait_bank_o),
  .mask_i      (u_rotate.mask_q)
);
