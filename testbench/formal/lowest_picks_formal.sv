// What each taker gets, by its rank among the takers and the rank of what it gets in the set.
module lowest_picks_formal #(
  parameter  int unsigned Width     = 16,
  parameter  int unsigned Picks     = 2,
  localparam int unsigned IndexBits = $clog2(Width)
) (
  input logic [Width-1:0]     set_i,
  input logic [Picks-1:0]     take_i,
  input logic [IndexBits-1:0] index_i [Picks],
  input logic [Width-1:0]     taken_i
);

  logic [Picks-1:0]            gets;
  logic [Picks-1:0][Width-1:0] got;
  logic [Width-1:0]            all;

  for (genvar p = 0; p < Picks; p++) begin : gen_pick
    logic [Width-1:0] below;
    int unsigned      rank;

    assign below   = (Width'(1) << index_i[p]) - Width'(1);
    assign rank    = $countones(take_i & ((Picks'(1) << p) - Picks'(1)));
    assign gets[p] = take_i[p] && rank < $countones(set_i);
    assign got[p]  = gets[p] ? Width'(1) << index_i[p] : '0;

    always_comb begin : checks
      RankForRank :
      assert (!gets[p] || (set_i[index_i[p]] && $countones(set_i & below) == rank));
      ZeroOfNone : assert (gets[p] || index_i[p] == '0);
    end
  end

  always_comb begin : sum
    all = '0;
    for (int unsigned p = 0; p < Picks; p++) all |= got[p];
  end

  always_comb begin : checks
    TakenTells : assert (taken_i == all);
    LastTwo : cover (gets == '1 && taken_i == set_i);
  end

endmodule

bind lowest_picks lowest_picks_formal #(
  .Width(Width),
  .Picks(Picks)
) u_formal (
  .set_i,
  .take_i,
  .index_i(index_o),
  .taken_i(taken_o)
);
