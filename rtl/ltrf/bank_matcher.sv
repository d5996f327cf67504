// Gives the k-th register that asks the k-th unused cache bank, up to `most_i` registers.
module bank_matcher import ltrf_pkg::*; (
  input  logic        [NumColumns-1:0]    ask_i,
  input  logic        [NumCacheBanks-1:0] unused_i,
  input  logic        [CacheBankBits:0]   most_i,
  output logic        [NumColumns-1:0]    take_o,
  output cache_bank_t [NumColumns-1:0]    bank_o,
  output logic        [NumCacheBanks-1:0] taken_o
);

  // How many ask, or are unused, below each place: one-hot.
  logic [NumColumns-1:0][NumColumns-1:0]       asked;
  logic [NumCacheBanks-1:0][NumCacheBanks-1:0] unused;

  place_counts #(
    .Places(NumColumns)
  ) u_asked (
    .set_i  (ask_i),
    .below_o(asked)
  );

  place_counts #(
    .Places(NumCacheBanks)
  ) u_unused (
    .set_i  (unused_i),
    .below_o(unused)
  );

  // The k-th unused bank, where there is one that may be given, and whether a register gets it.
  logic        [NumCacheBanks-1:0] may, given;
  cache_bank_t                     bank [NumCacheBanks];

  always_comb begin : banks
    for (int unsigned k = 0; k < NumCacheBanks; k++) begin
      may[k]  = 1'b0;
      bank[k] = '0;
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (unused_i[c] && unused[c][k] && (CacheBankBits+1)'(k) < most_i) begin
          may[k]  = 1'b1;
          bank[k] = bank[k] | cache_bank_t'(c);
        end
      end
    end
  end

  always_comb begin : match
    given  = '0;
    take_o = '0;
    bank_o = '0;
    for (int unsigned j = 0; j < NumColumns; j++) begin
      for (int unsigned k = 0; k < NumCacheBanks; k++) begin
        if (ask_i[j] && asked[j][k] && may[k]) begin
          given[k]  = 1'b1;
          take_o[j] = 1'b1;
          bank_o[j] = bank_o[j] | bank[k];
        end
      end
    end
  end

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_taken
    assign taken_o[c] = unused_i[c] && (unused[c] & given) != '0;
  end

endmodule
