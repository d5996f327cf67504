// What the allocation of transfers must be seen to do: fetches and write-backs that conflict at a
// bank and at a lane, that wait for banks, lanes and results, and that go beside each other.
module transfer_allocator_covers
  import ltrf_pkg::*;
(
  input logic                                         clk_i,
  input logic                                         rst_ni,
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] leave_i,
  input logic        [NumMainBanks-1:0][NumSlots-1:0] arrive_i,
  input logic        [NumMainBanks-1:0]               wanted_i,     // a fetch can start
  input logic        [NumMainBanks-1:0]               read_i,
  input logic        [NumMainBanks-1:0]               pinned_miss_i,
  input logic        [NumMainBanks-1:0]               pinned_lane_i,
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] pinned_hit_i,
  input logic        [NumCacheBanks-1:0][NumSlots-1:0] chosen_i,    // registers to write back
  input logic        [NumMainBanks-1:0][NumCacheBanks-1:0] request_i, // of these, at free lanes
  input logic        [NumMainBanks-1:0]               inbound_i,
  input logic        [NumCacheBanks-1:0]              write_back_i
);

  logic                     fetch_conflict, bank_conflict, lane_conflict;
  logic [NumCacheBanks-1:0] offered, lane_free;

  always_comb begin : conflicts
    fetch_conflict = 1'b0;
    bank_conflict  = 1'b0;
    lane_conflict  = 1'b0;
    lane_free      = '0;
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      fetch_conflict |= read_i[b] && $countones(arrive_i[b]) > 1;
      lane_conflict |= $countones(request_i[b]) > 1;
      lane_free |= request_i[b];
    end
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      offered[c] = chosen_i[c] != '0;
      for (int unsigned s = 0; s < NumSlots; s++) begin
        for (int unsigned t = 0; t < s; t++) bank_conflict |= leave_i[s][c] && leave_i[t][c];
      end
    end
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- fetches ----
  Fetch : cover property (read_i != '0);
  FetchAtAllLanes : cover property (read_i == '1);
  FetchConflict : cover property (fetch_conflict);
  FetchWaitsForBank : cover property (arrive_i != '0 && wanted_i == '0);
  FetchWaitsForResult : cover property ((wanted_i & pinned_miss_i) != '0);
  FetchWaitsForLane : cover property ((wanted_i & pinned_lane_i & ~pinned_miss_i) != '0);

  // ---- write-backs ----
  WriteBack : cover property (write_back_i != '0);
  WriteBackOfAllBanks : cover property (write_back_i == '1);
  ConflictAtCacheBank : cover property (bank_conflict);
  ConflictAtLane : cover property (lane_conflict);
  WaitsForLane : cover property ((offered & ~lane_free) != '0);
  WaitsForResult : cover property ((leave_i & pinned_hit_i) != '0);

  // ---- both ----
  BothAtOneLane : cover property ((read_i & inbound_i) != '0);

endmodule
