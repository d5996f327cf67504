// The contract of the request arbitrator, with rotation for one bank that the solver chooses.
module service_arbiter_formal
  import racetrack_pkg::*;
#(
  parameter  int unsigned NumBanks  = shell_pkg::DefaultBanks,
  localparam int unsigned IndexBits = $clog2(NumBanks)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [NumBanks-1:0] request_i,
  input logic [NumBanks-1:0] done_i,
  input logic [NumBanks-1:0] served_i,
  input logic [NumBanks-1:0] serving_i,
  input logic [NumBanks-1:0] mask_i     // of the rotation: ones behind the last bank chosen
);

  logic [IndexBits-1:0] bank_q;   // any: what the requests are in the cycle of reset
  logic [NumBanks-1:0]  begun_q;  // banks that began to be served while this one waits
  logic [NumBanks-1:0]  open_q;   // served in the cycle before, and not done in it
  logic [NumBanks-1:0]  begins, above;
  logic                 waits;

  assign begins = served_i & ~open_q;
  assign waits  = request_i[bank_q] && !served_i[bank_q];
  assign above  = ~((NumBanks'(2) << bank_q) - NumBanks'(1));

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) bank_q <= IndexBits'(request_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      begun_q <= '0;
      open_q  <= '0;
    end else begin
      begun_q <= waits ? begun_q | begins : '0;
      open_q  <= served_i & ~done_i;
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      DoneOnlyServed : assume ((done_i & ~served_i) == '0);
      FourAtMost : assert ($countones(served_i) <= BanksServed);
      ServeOnlyRequested : assert ((served_i & ~request_i) == '0);
      NoPlaceWasted : assert ($countones(served_i) == BanksServed || (request_i & ~served_i) == '0);
      ServedUntilDone : assert ((open_q & request_i & ~served_i) == '0);
      Rotation : assert (!waits || (begins & begun_q) == '0);
      OpenIsServing : assert (open_q == serving_i);
      FourOpen : assert ($countones(open_q) <= BanksServed);
      MaskIsThermometer : assert ((~mask_i & (~mask_i + NumBanks'(1))) == '0);
      BegunSinceChoice :
      assert ((begun_q & ~(mask_i[bank_q] ? above | ~mask_i : above & ~mask_i)) == '0);
      NoneBegunWhileOpen : assert (!open_q[bank_q] || begun_q == '0);
      FourServed : cover ($countones(served_i) == BanksServed && request_i != served_i);
    end
  end

endmodule

bind service_arbiter service_arbiter_formal #(
  .NumBanks(NumBanks)
) u_formal (
  .clk_i,
  .rst_ni,
  .request_i,
  .done_i,
  .served_i (served_o),
  .serving_i(serving_q),
  .mask_i   (mask_q)
);
