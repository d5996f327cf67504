// The order of three lines of a set, any, against when they were used last, and the line that
// leaves. Which of two lines came first is a strict order: of some lines exactly one is the first.
module recency_order_formal
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  parameter  int unsigned Ways      = NumWays,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = $clog2(Ways)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [Ways-1:0]      used_i [Sets],
  input logic [SetBits-1:0]   set_i,
  input logic [Ways-1:0]      candidates_i,
  input logic [Ways-1:0]      locked_i,
  input logic [Ways-1:0]      first_i,
  input logic [IndexBits-1:0] oldest_i,
  input logic [Ways-1:0]      older_i [Sets][Ways]  // of the ways below each
);

  // For each way, all that are older than it: of the solver's set, and of the one that is asked.
  logic [Ways-1:0] older [Ways], older_asked [Ways];
  logic [Ways-1:0] kept [Ways], kept_asked [Ways];

  for (genvar w = 0; w < Ways; w++) begin : gen_older
    assign kept[w]       = older_i[set_q][w];
    assign kept_asked[w] = older_i[set_i][w];

    for (genvar v = 0; v < Ways; v++) begin : gen_other
      if (v < w) begin : gen_below
        assign older[w][v]       = kept[w][v];
        assign older_asked[w][v] = kept_asked[w][v];
      end else begin : gen_above
        assign older[w][v]       = v != w && !kept[v][w];
        assign older_asked[w][v] = v != w && !kept_asked[v][w];
      end
    end
  end

  // any set and lines of it: what inputs are in the cycle of reset
  logic [SetBits-1:0]   set_q;
  logic [IndexBits-1:0] a_q, b_q, c_q;
  logic                 a_before_b_q;  // by their last uses, unused ones by their ways
  logic [Ways-1:0]      used;
  logic [Ways-1:0]      may_leave, comes_first;  // those that may, and of these the first in order
  logic                 asked;
  logic                 ab, bc, ac;  // one is older than the other

  assign used  = used_i[set_q];
  assign asked = set_i == set_q;
  assign ab    = older[b_q][a_q];
  assign bc    = older[c_q][b_q];
  assign ac    = older[c_q][a_q];
  assign may_leave = ((candidates_i & ~locked_i) != '0) ? candidates_i & ~locked_i : candidates_i;

  for (genvar w = 0; w < Ways; w++) begin : gen_first
    assign comes_first[w] = may_leave[w] && (older_asked[w] & may_leave) == '0;
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      set_q        <= set_i;
      a_q          <= candidates_i[IndexBits-1:0];
      b_q          <= candidates_i[2*IndexBits-1:IndexBits];
      c_q          <= candidates_i[3*IndexBits-1:2*IndexBits];
      a_before_b_q <= candidates_i[IndexBits-1:0] < candidates_i[2*IndexBits-1:IndexBits];
    end else if (used[a_q] != used[b_q]) begin
      a_before_b_q <= used[b_q];
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      OrderOfUse : assert (a_q == b_q || ab == a_before_b_q);
      OnlyOfBelow : assert (a_q < b_q || !kept[b_q][a_q]);
      Transitive : assert (!(ab && bc) || ac);
      FirstOfOrder : assert (first_i == comes_first);
      FirstIsTaken : assert (first_i == '0 || first_i[oldest_i]);
      OnlyCandidates : assert ((first_i & ~candidates_i) == '0);
      UnlockedFirst : assert ((first_i & locked_i) == '0 || (candidates_i & ~locked_i) == '0);
      LeastRecentlyUsed :
      assert (!(asked && first_i[b_q] && candidates_i[a_q] && locked_i[a_q] == locked_i[b_q]) ||
              a_q == b_q || !a_before_b_q);
      HigherWayTaken :
      cover (asked && candidates_i[a_q] && candidates_i[b_q] && !locked_i[a_q] && a_q < b_q &&
             oldest_i == b_q);
    end
  end

endmodule

bind recency_order recency_order_formal #(
  .Sets(Sets),
  .Ways(Ways)
) u_formal (
  .clk_i,
  .rst_ni,
  .used_i,
  .set_i,
  .candidates_i,
  .locked_i,
  .first_i (first),
  .oldest_i(oldest_o),
  .older_i (older_q)
);
