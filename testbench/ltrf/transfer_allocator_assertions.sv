// A transfer has all its resources for itself, and does not separate a result from its register.
module transfer_allocator_assertions import ltrf_pkg::*; #(
  parameter int unsigned NumLaneBanks = 1
) (
  input logic                                         clk_i,
  input logic                                         rst_ni,
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] leave_i,
  input held_t       [NumSlots-1:0][NumCacheBanks-1:0] held_i,
  input logic        [NumMainBanks-1:0][NumSlots-1:0] arrive_i,
  input logic        [NumCacheBanks-1:0]              write_back_i,
  input slot_t       [NumCacheBanks-1:0]              write_back_slot_i,
  input logic        [NumMainBanks-1:0]               inbound_i,
  input cache_bank_t [NumMainBanks-1:0]               inbound_bank_i,
  input logic        [NumMainBanks-1:0]               inbound_free_i,
  input logic        [NumMainBanks-1:0]               read_i,
  input slot_t       [NumMainBanks-1:0]               read_slot_i,
  input fetch_t      [NumMainBanks-1:0][NumSlots-1:0] fetch_i,
  input logic        [NumMainBanks-1:0][NumLaneBanks-1:0] read_ready_i,
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] pinned_hit_i,
  input logic        [NumMainBanks-1:0]               pinned_miss_i,
  input logic        [NumMainBanks-1:0]               pinned_lane_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        WriteBackOnlyLeaving :
        assert (!write_back_i[c] || leave_i[write_back_slot_i[c]][c])
        else $error("WriteBackOnlyLeaving: cache bank %0d of slot %0d", c, write_back_slot_i[c]);
        ResultBeforeWriteBack :
        assert (!write_back_i[c] || !pinned_hit_i[write_back_slot_i[c]][c])
        else $error("ResultBeforeWriteBack: cache bank %0d of slot %0d", c, write_back_slot_i[c]);
      end
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        FetchOnlyWaiting :
        assert (!read_i[b] || arrive_i[b][read_slot_i[b]])
        else $error("FetchOnlyWaiting: slot %0d at main bank %0d", read_slot_i[b], b);
        FetchFromFreeBank :
        assert (!read_i[b] ||
                read_ready_i[b][32'(fetch_i[b][read_slot_i[b]].row) % NumLaneBanks])
        else $error("FetchFromFreeBank: row %0d of lane %0d, free are %b",
                    fetch_i[b][read_slot_i[b]].row, b, read_ready_i[b]);
        LaneOfTheRegister :
        assert (!inbound_i[b] ||
                (write_back_i[inbound_bank_i[b]] &&
                 held_i[write_back_slot_i[inbound_bank_i[b]]][inbound_bank_i[b]].index.bank ==
                 main_bank_t'(b)))
        else $error("LaneOfTheRegister: cache bank %0d in lane %0d", inbound_bank_i[b], b);
      end
      OneLaneAWriteBack :
      assert ($countones(write_back_i) == $countones(inbound_i))
      else $error("OneLaneAWriteBack: cache banks %b, lanes %b", write_back_i, inbound_i);
      WriteBackIntoFreeLane :
      assert ((inbound_i & ~inbound_free_i) == '0)
      else $error("WriteBackIntoFreeLane: lanes %b of %b", inbound_i, inbound_free_i);
      ResultBeforeFetch :
      assert ((read_i & (pinned_miss_i | pinned_lane_i)) == '0)
      else $error("ResultBeforeFetch: banks %b", read_i & (pinned_miss_i | pinned_lane_i));
    end
  end

endmodule
