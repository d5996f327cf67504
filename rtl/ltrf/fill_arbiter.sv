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

  // By cache bank: the lane whose register it is written with.
  logic [NumCacheBanks-1:0][NumMainBanks-1:0] taken;

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_banks
    logic [NumMainBanks-1:0] here;  // lanes with a register for this bank
    logic [NumSlots-1:0]     request, grant;
    slot_t                   unused_winner;

    for (genvar b = 0; b < NumMainBanks; b++) begin : gen_lanes
      assign here[b]     = valid_i[b] && cache_bank_i[b] == cache_bank_t'(c);
      assign taken[c][b] = here[b] && grant[slot_i[b]];
    end

    always_comb begin : warps
      request = '0;
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        if (here[b]) request = request | NumSlots'(1) << slot_i[b];
      end
    end

    always_comb begin : lane
      fill_lane_o[c] = '0;
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        if (taken[c][b]) fill_lane_o[c] = fill_lane_o[c] | main_bank_t'(b);
      end
    end

    rr_arbiter #(.Width(NumSlots)) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request),
      .advance_i(1'b1),
      .valid_o  (fill_o[c]),
      .grant_o  (grant),
      .index_o  (unused_winner)
    );
  end

  always_comb begin : take
    take_o = '0;
    for (int unsigned c = 0; c < NumCacheBanks; c++) take_o = take_o | taken[c];
  end

endmodule
