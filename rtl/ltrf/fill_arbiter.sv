// Chooses, for the write port of every cache bank, the warp whose register is written next.
//
// The arbiter of figure 11, one bit for each active warp. A warp has at most one register on its
// way to a bank, because a bank holds one register of a warp.
module fill_arbiter import ltrf_pkg::*; (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic        [NumMainBanks-1:0]  valid_i,      // a register has crossed lane b
  input  cache_bank_t [NumMainBanks-1:0]  cache_bank_i,
  input  slot_t       [NumMainBanks-1:0]  slot_i,
  output logic        [NumMainBanks-1:0]  take_o,
  output logic        [NumCacheBanks-1:0] fill_o,
  output main_bank_t  [NumCacheBanks-1:0] fill_lane_o
);

  logic       [NumCacheBanks-1:0][NumSlots-1:0] request;
  main_bank_t                                   lane    [NumCacheBanks][NumSlots];
  slot_t      [NumCacheBanks-1:0]               winner;

  always_comb begin : sort
    request = '0;
    lane    = '{default: '{default: '0}};
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      if (valid_i[b]) begin
        request[cache_bank_i[b]][slot_i[b]] = 1'b1;
        lane[cache_bank_i[b]][slot_i[b]]    = main_bank_t'(b);
      end
    end
  end

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_banks
    logic [NumSlots-1:0] unused_grant;

    rr_arbiter #(.Width(NumSlots)) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request[c]),
      .advance_i(1'b1),
      .valid_o  (fill_o[c]),
      .grant_o  (unused_grant),
      .index_o  (winner[c])
    );
  end

  always_comb begin : take
    take_o = '0;
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      fill_lane_o[c] = lane[c][winner[c]];
      if (fill_o[c]) take_o[fill_lane_o[c]] = 1'b1;
    end
  end

endmodule
