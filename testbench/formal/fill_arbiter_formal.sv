// Which lane writes a cache bank: one lane and one bank, both of which the solver chooses.
module fill_arbiter_formal import ltrf_pkg::*; (
  input logic                            clk_i,
  input logic                            rst_ni,
  input logic        [NumMainBanks-1:0]  valid_i,
  input cache_bank_t [NumMainBanks-1:0]  cache_bank_i,
  input slot_t       [NumMainBanks-1:0]  slot_i,
  input logic        [NumMainBanks-1:0]  take_i,
  input logic        [NumCacheBanks-1:0] fill_i,
  input main_bank_t  [NumCacheBanks-1:0] fill_lane_i,
  // of the arbiter of each bank: the slot that it serves, and ones at and above its pointer
  input logic [NumCacheBanks-1:0][NumSlots-1:0] grant_i,
  input logic [NumCacheBanks-1:0][NumSlots-1:0] mask_i
);

  main_bank_t          lane_q;     // any: what inputs are in the cycle of reset
  cache_bank_t         bank_q;
  slot_t               slot_q;     // of that lane in the last cycle
  logic [NumSlots-1:0] granted_q;  // slots that the bank served since that one waits
  logic [NumSlots-1:0] seen, winner, above, mask;
  main_bank_t          fill_lane;
  // Pairs of lanes with registers of one warp for one bank.
  logic [NumMainBanks-1:0][NumMainBanks-1:0] twins;
  logic                asks, fill, taken;

  assign asks      = valid_i[lane_q] && cache_bank_i[lane_q] == bank_q;
  assign fill      = fill_i[bank_q];
  assign fill_lane = fill_lane_i[bank_q];
  assign taken     = take_i[lane_q];
  assign seen      = (slot_i[lane_q] == slot_q) ? granted_q : '0;
  assign winner    = grant_i[bank_q];
  assign mask      = mask_i[bank_q];
  assign above     = ~((NumSlots'(2) << slot_q) - NumSlots'(1));

  for (genvar a = 0; a < NumMainBanks; a++) begin : gen_lane
    for (genvar b = 0; b < NumMainBanks; b++) begin : gen_other
      assign twins[a][b] = a < b && valid_i[a] && valid_i[b] && slot_i[a] == slot_i[b] &&
                           cache_bank_i[a] == cache_bank_i[b];
    end
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      lane_q <= main_bank_t'(cache_bank_i[0]);
      bank_q <= cache_bank_i[1];
    end
    slot_q <= slot_i[lane_q];
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) granted_q <= '0;
    else granted_q <= (asks && !taken) ? seen | winner : '0;
  end

  always_comb begin : checks
    if (rst_ni) begin
      OneRegisterOfAWarpABank : assume (twins == '0);
      FillOnlyArrived : assert (!taken || valid_i[lane_q]);
      AlwaysFills : assert (!asks || fill);
      OneLaneABank : assert (!(taken && asks) || fill_lane == lane_q);
      FillTells : assert (!fill || (take_i[fill_lane] && cache_bank_i[fill_lane] == bank_q));
      WinnerOfFill : assert (fill == (winner != '0) && (winner & (winner - NumSlots'(1))) == '0);
      TakenWhenServed : assert (!asks || !winner[slot_i[lane_q]] || taken);
      Rotation : assert (!asks || taken || (winner & seen) == '0);
      MaskIsThermometer : assert ((~mask & (~mask + NumSlots'(1))) == '0);
      GrantedSinceChoice :
      assert ((granted_q & ~(mask[slot_q] ? above | ~mask : above & ~mask)) == '0);
      SecondOfTwo : cover (asks && taken && seen != '0);
    end
  end

endmodule

bind fill_arbiter fill_arbiter_formal u_formal (
  .clk_i,
  .rst_ni,
  .valid_i,
  .cache_bank_i,
  .slot_i,
  .take_i     (take_o),
  .fill_i     (fill_o),
  .fill_lane_i(fill_lane_o),
  .grant_i    ({
    gen_banks[15].grant, gen_banks[14].grant,
    gen_banks[13].grant, gen_banks[12].grant,
    gen_banks[11].grant, gen_banks[10].grant,
    gen_banks[9].grant, gen_banks[8].grant,
    gen_banks[7].grant, gen_banks[6].grant,
    gen_banks[5].grant, gen_banks[4].grant,
    gen_banks[3].grant, gen_banks[2].grant,
    gen_banks[1].grant, gen_banks[0].grant
  }),
  .mask_i     ({
    gen_banks[15].u_arbiter.mask_q, gen_banks[14].u_arbiter.mask_q,
    gen_banks[13].u_arbiter.mask_q, gen_banks[12].u_arbiter.mask_q,
    gen_banks[11].u_arbiter.mask_q, gen_banks[10].u_arbiter.mask_q,
    gen_banks[9].u_arbiter.mask_q, gen_banks[8].u_arbiter.mask_q,
    gen_banks[7].u_arbiter.mask_q, gen_banks[6].u_arbiter.mask_q,
    gen_banks[5].u_arbiter.mask_q, gen_banks[4].u_arbiter.mask_q,
    gen_banks[3].u_arbiter.mask_q, gen_banks[2].u_arbiter.mask_q,
    gen_banks[1].u_arbiter.mask_q, gen_banks[0].u_arbiter.mask_q
  })
);
