// Gives the k-th register that asks the k-th unused cache bank, up to `most_i` registers.
module bank_matcher import ltrf_pkg::*; (
  input  logic        [NumColumns-1:0]    ask_i,
  input  logic        [NumCacheBanks-1:0] unused_i,
  input  logic        [CacheBankBits:0]   most_i,
  output logic        [NumColumns-1:0]    take_o,
  output cache_bank_t [NumColumns-1:0]    bank_o,
  output logic        [NumCacheBanks-1:0] taken_o
);

  // Members of a set below each of its places.
  function automatic logic [NumColumns-1:0][CacheBankBits-1:0] ranks(logic [NumColumns-1:0] set);
    logic [NumColumns-1:0] below;
    for (int unsigned i = 0; i < NumColumns; i++) begin
      below    = NumColumns'((32'd1 << i) - 32'd1);
      ranks[i] = CacheBankBits'($countones(set & below));
    end
  endfunction

  logic [NumColumns-1:0][CacheBankBits-1:0]    ask_rank;
  logic [NumCacheBanks-1:0][CacheBankBits-1:0] unused_rank;

  assign ask_rank    = ranks(ask_i);
  assign unused_rank = ranks(unused_i);

  logic [NumColumns-1:0] may;

  for (genvar j = 0; j < NumColumns; j++) begin : gen_may
    assign may[j] = ask_i[j] && {1'b0, ask_rank[j]} < most_i;
  end

  always_comb begin : match
    take_o  = '0;
    bank_o  = '0;
    taken_o = '0;
    for (int unsigned j = 0; j < NumColumns; j++) begin
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (may[j] && unused_i[c] && ask_rank[j] == unused_rank[c]) begin
          take_o[j]  = 1'b1;
          bank_o[j]  = bank_o[j] | cache_bank_t'(c);
          taken_o[c] = 1'b1;
        end
      end
    end
  end

endmodule
