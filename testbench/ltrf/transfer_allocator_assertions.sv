// A transfer has all its resources for itself, and does not separate a result from its register.
module transfer_allocator_assertions import ltrf_pkg::*; (
  input logic       clk_i,
  input logic       rst_ni,
  input candidate_t [NumSlots-1:0]      leave_i,
  input candidate_t [NumSlots-1:0]      arrive_i,
  input logic       [NumSlots-1:0]      release_i,
  input logic       [NumSlots-1:0]      write_back_i,
  input logic       [NumSlots-1:0]      fetch_i,
  input logic       [NumMainBanks-1:0]  inbound_i,
  input logic       [NumMainBanks-1:0]  inbound_free_i,
  input logic       [NumMainBanks-1:0]  read_i,
  input logic       [NumMainBanks-1:0]  read_ready_i,
  input logic       [NumCacheBanks-1:0] cache_read_i,
  input logic       [NumSlots-1:0]      pinned_hit_i,
  input logic       [NumSlots-1:0]      pinned_miss_i,
  input logic       [NumSlots-1:0]      pinned_lane_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        GrantOnlyCandidate :
        assert ((!release_i[s] || leave_i[s].valid) && (!fetch_i[s] || arrive_i[s].valid))
        else $error("GrantOnlyCandidate: slot %0d", s);
      end
      WriteBackGrants :
      assert ($countones(write_back_i) == $countones(inbound_i) &&
              $countones(write_back_i) == $countones(cache_read_i))
      else $error("WriteBackGrants: slots %b, lanes %b, cache banks %b",
                  write_back_i, inbound_i, cache_read_i);
      FetchGrants :
      assert ($countones(fetch_i) == $countones(read_i))
      else $error("FetchGrants: slots %b, banks %b", fetch_i, read_i);
      WriteBackIntoFreeLane :
      assert ((inbound_i & ~inbound_free_i) == '0)
      else $error("WriteBackIntoFreeLane: lanes %b of %b", inbound_i, inbound_free_i);
      FetchFromFreeBank :
      assert ((read_i & ~read_ready_i) == '0)
      else $error("FetchFromFreeBank: banks %b of %b", read_i, read_ready_i);
      ResultBeforeWriteBack :
      assert ((write_back_i & pinned_hit_i) == '0)
      else $error("ResultBeforeWriteBack: slots %b", write_back_i & pinned_hit_i);
      ResultBeforeFetch :
      assert ((fetch_i & (pinned_miss_i | pinned_lane_i)) == '0)
      else $error("ResultBeforeFetch: slots %b", fetch_i & (pinned_miss_i | pinned_lane_i));
    end
  end

endmodule
