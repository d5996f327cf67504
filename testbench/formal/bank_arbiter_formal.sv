// Who uses a bank, with rotation for one collector that the solver chooses.
module bank_arbiter_formal #(
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input logic                     bank_ready_i,
  input logic                     write_queued_i,
  input logic [NumCollectors-1:0] request_i,
  input logic                     write_grant_i,
  input logic                     read_grant_i,
  input logic [CollectorBits-1:0] collector_i,
  input logic                     wait_write_i,
  input logic                     wait_bank_i,
  input logic [NumCollectors-1:0] mask_i
);

  logic [CollectorBits-1:0] waiter_q;   // any: what the requests are in the cycle of reset
  logic [NumCollectors-1:0] granted_q;  // collectors that were served while this one waits
  logic [NumCollectors-1:0] winner, above;
  logic                     waits;

  assign winner = read_grant_i ? NumCollectors'(1) << collector_i : '0;
  assign waits  = request_i[waiter_q] && !winner[waiter_q];
  assign above  = ~((NumCollectors'(2) << waiter_q) - NumCollectors'(1));

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) waiter_q <= CollectorBits'(request_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) granted_q <= '0;
    else granted_q <= waits ? granted_q | winner : '0;
  end

  always_comb begin : checks
    if (rst_ni) begin
      SinglePort : assert (!(write_grant_i && read_grant_i));
      GrantOnlyRequested : assert (!read_grant_i || request_i[collector_i]);
      GrantOnlyFreeBank : assert (bank_ready_i || !(write_grant_i || read_grant_i));
      NoReadBeforeOlderWrite : assert (!(read_grant_i && write_queued_i));
      FreeBankServes :
      assert (!bank_ready_i || write_grant_i || read_grant_i ||
              (!write_queued_i && request_i == '0));
      WaitsAreSaid :
      assert ((wait_write_i || wait_bank_i) == ((request_i & ~winner) != '0));
      Rotation : assert (!waits || (winner & granted_q) == '0);
      MaskIsThermometer : assert ((~mask_i & (~mask_i + NumCollectors'(1))) == '0);
      GrantedSinceChoice :
      assert ((granted_q & ~(mask_i[waiter_q] ? above | ~mask_i : above & ~mask_i)) == '0);
      WriteFirst : cover (write_grant_i && wait_write_i);
    end
  end

endmodule

bind bank_arbiter bank_arbiter_formal #(
  .NumCollectors(NumCollectors)
) u_formal (
  .clk_i,
  .rst_ni,
  .bank_ready_i,
  .write_queued_i,
  .request_i,
  .write_grant_i(write_grant_o),
  .read_grant_i (read_grant_o),
  .collector_i  (collector_o),
  .wait_write_i (wait_write_o),
  .wait_bank_i  (wait_bank_o),
  .mask_i       (u_rotate.mask_q)
);
