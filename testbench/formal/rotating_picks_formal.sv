// What `make formal` proves of the rotating picks: all takers in every cycle, and the turn of one
// request that the solver chooses.
module rotating_picks_formal #(
  parameter  int unsigned Width     = 16,
  parameter  int unsigned Picks     = 2,
  localparam int unsigned IndexBits = $clog2(Width)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [Width-1:0]     request_i,
  input logic [Picks-1:0]     take_i,
  input logic [Picks-1:0]     valid_i,
  input logic [IndexBits-1:0] index_i [Picks],
  input logic [Width-1:0]     taken_i,
  input logic [Width-1:0]     mask_i
);

  logic [IndexBits-1:0] waiter_q;  // any: what the requests are in the cycle of reset
  logic [Width-1:0]     passed_q;  // that were taken while this one waits
  logic [Width-1:0]     above;
  logic                 waits;

  assign waits = request_i[waiter_q] && !taken_i[waiter_q];
  assign above = ~((Width'(2) << waiter_q) - Width'(1));

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) waiter_q <= IndexBits'(request_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) passed_q <= '0;
    else passed_q <= waits ? passed_q | taken_i : '0;
  end

  for (genvar p = 0; p < Picks; p++) begin : gen_pick
    always_comb begin : checks
      if (rst_ni) begin
        OnlyTakers : assert (!valid_i[p] || (take_i[p] && taken_i[index_i[p]]));
        ZeroOfNone : assert (valid_i[p] || index_i[p] == '0);
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      OnlyRequested : assert ((taken_i & ~request_i) == '0);
      OneOfEach : assert ($countones(taken_i) == $countones(valid_i));
      NoTakerLeftOut : assert ((take_i & ~valid_i) == '0 || taken_i == request_i);
      Rotation : assert (!waits || (taken_i & passed_q) == '0);
      MaskIsThermometer : assert ((~mask_i & (~mask_i + Width'(1))) == '0);
      PassedSinceChoice :
      assert ((passed_q & ~(mask_i[waiter_q] ? above | ~mask_i : above & ~mask_i)) == '0);
      FourPassed : cover ($countones(passed_q) == 4);
    end
  end

endmodule

bind rotating_picks rotating_picks_formal #(
  .Width(Width),
  .Picks(Picks)
) u_formal (
  .clk_i,
  .rst_ni,
  .request_i,
  .take_i,
  .valid_i(valid_o),
  .index_i(index_o),
  .taken_i(taken_o),
  .mask_i (mask_q)
);
