// A use makes its way the youngest and leaves the order of the others; the ages stay a permutation.
module lru_order_formal #(
  parameter  int unsigned Ways    = 4,
  localparam int unsigned AgeBits = $clog2(Ways)
) (
  input logic [Ways-1:0][AgeBits-1:0] age_i,
  input logic [Ways-1:0]              used_i,
  input logic [Ways-1:0][AgeBits-1:0] next_i
);

  // Pairs of ways, the lower one first: of one age before, and after.
  logic [Ways-1:0][Ways-1:0] same, same_next, turned;
  logic                      permutation, one_used;

  for (genvar a = 0; a < Ways; a++) begin : gen_way
    for (genvar b = 0; b < Ways; b++) begin : gen_other
      assign same[a][b]      = a != b && age_i[a] == age_i[b];
      assign same_next[a][b] = a != b && next_i[a] == next_i[b];
      assign turned[a][b]    = !used_i[a] && !used_i[b] &&
                               (age_i[a] < age_i[b]) != (next_i[a] < next_i[b]);
    end

    always_comb begin : checks
      UsedIsYoungest : assert (!used_i[a] || next_i[a] == '0);
    end
  end

  assign permutation = same == '0;
  assign one_used    = (used_i & (used_i - Ways'(1))) == '0 && used_i != '0;

  always_comb begin : checks
    StaysPermutation : assert (!permutation || !one_used || same_next == '0);
    OthersKeepOrder : assert (!permutation || !one_used || turned == '0);
    OldestUsed : cover (permutation && one_used && used_i[0] && age_i[0] == '1);
  end

endmodule

bind lru_order lru_order_formal #(
  .Ways(Ways)
) u_formal (
  .age_i,
  .used_i,
  .next_i(age_o)
);
