// The registers that get a cache bank, in order, against a walk over the registers and the banks.
module bank_matcher_formal
  import ltrf_pkg::*;
(
  input logic        [NumColumns-1:0]    ask_i,
  input logic        [NumCacheBanks-1:0] unused_i,
  input logic        [CacheBankBits:0]   most_i,
  input logic        [NumColumns-1:0]    take_i,
  input cache_bank_t [NumColumns-1:0]    bank_i,
  input logic        [NumCacheBanks-1:0] taken_i,
  // one-hot: how many are below each place
  input logic [NumColumns-1:0][NumColumns-1:0]       asked_i,
  input logic [NumCacheBanks-1:0][NumCacheBanks-1:0] unused_below_i
);

  localparam int unsigned CountBits = CacheBankBits + 1;

  logic [NumCacheBanks-1:0] given   [NumColumns+1];     // to the registers below
  logic [CountBits-1:0]     asked   [NumColumns+1];     // of the registers below
  logic [CountBits-1:0]     unused  [NumCacheBanks+1];  // of the banks below
  logic [CountBits-1:0]     room;

  assign given[0]  = '0;
  assign asked[0]  = '0;
  assign unused[0] = '0;
  // What is there to give in this cycle.
  assign room      = (unused[NumCacheBanks] < most_i) ? unused[NumCacheBanks] : most_i;

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_bank
    assign unused[c+1] = unused[c] + CountBits'(unused_i[c]);

    always_comb begin : checks
      UnusedAreCounted : assert (unused_below_i[c] == NumCacheBanks'(1) << unused[c]);
    end
  end

  for (genvar j = 0; j < NumColumns; j++) begin : gen_column
    logic [NumCacheBanks-1:0] mine;

    assign given[j+1] = given[j] | mine;
    assign asked[j+1] = asked[j] + CountBits'(ask_i[j]);

    for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_bank
      assign mine[c] = take_i[j] && bank_i[j] == CacheBankBits'(c);

      always_comb begin : checks
        RankOfBank : assert (!mine[c] || asked[j] == unused[c]);
        NoBankTwice : assert (!mine[c] || !given[j][c]);
      end
    end

    always_comb begin : checks
      AsksAreCounted : assert (asked_i[j] == NumColumns'(1) << asked[j]);
      OnlyWhoAsks : assert (!take_i[j] || ask_i[j]);
      OnlyUnused : assert (!take_i[j] || unused_i[bank_i[j]]);
      InOrder : assert (!take_i[j] || unused[bank_i[j]] == asked[j]);
      AllThatFit : assert (!ask_i[j] || take_i[j] == (asked[j] < room));
      ZeroOfNone : assert (take_i[j] || bank_i[j] == '0);
    end
  end

  always_comb begin : checks
    TakenTells : assert (taken_i == given[NumColumns]);
    AllGet : cover (take_i == '1);
  end

endmodule

bind bank_matcher bank_matcher_formal u_formal (
  .ask_i,
  .unused_i,
  .most_i,
  .take_i        (take_o),
  .bank_i        (bank_o),
  .taken_i       (taken_o),
  .asked_i       (asked),
  .unused_below_i(unused)
);
