// One register a cache bank and cycle, and one of each warp.
module fill_arbiter_assertions import ltrf_pkg::*; (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic       [NumMainBanks-1:0]  valid_i,
  input cache_bank_t [NumMainBanks-1:0] cache_bank_i,
  input slot_t      [NumMainBanks-1:0]  slot_i,
  input logic       [NumMainBanks-1:0]  take_i,
  input logic       [NumCacheBanks-1:0] fill_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && valid_i != '0) begin
      FillOnlyArrived :
      assert ((take_i & ~valid_i) == '0)
      else $error("FillOnlyArrived: lanes %b of %b", take_i, valid_i);
      OneLaneABank :
      assert ($countones(take_i) == $countones(fill_i))
      else $error("OneLaneABank: lanes %b, banks %b", take_i, fill_i);
      for (int unsigned a = 0; a < NumMainBanks; a++) begin
        if (valid_i[a]) begin
          for (int unsigned b = a + 1; b < NumMainBanks; b++) begin
            OneRegisterOfAWarpABank :
            assert (!valid_i[b] || cache_bank_i[a] != cache_bank_i[b] || slot_i[a] != slot_i[b])
            else $error("OneRegisterOfAWarpABank: slot %0d, cache bank %0d",
                        slot_i[a], cache_bank_i[a]);
          end
        end
      end
    end
  end

endmodule
