// Slots go through their states in order and account for every transfer.
module prefetch_engine_assertions import ltrf_pkg::*; (
  input logic                                 clk_i,
  input logic                                 rst_ni,
  input slot_state_e                          state_i [NumSlots],
  input warp_t                                warp_i [NumSlots],
  input warp_t                                leave_warp_i [NumSlots],
  input vector_t                              arrive_list_i [NumSlots],
  input logic  [NumSlots-1:0][NumCacheBanks-1:0] leave_i,
  input logic  [NumSlots-1:0][NumCacheBanks-1:0] coming_i,
  input logic  [NumSlots-1:0][NumCacheBanks-1:0] occupied_i,
  input logic        [NumCacheBanks-1:0]      fill_i,
  input slot_t       [NumCacheBanks-1:0]      fill_slot_i,
  input logic        [NumSlots-1:0]           reported_i,
  input logic                                 early_release_i,
  input logic                                 activate_i,
  input logic                                 deactivate_i,
  input logic                                 exit_i,
  input logic                                 prefetch_i,
  input slot_t                                slot_i,
  input warp_t                                command_warp_i,
  input logic        [4:0]                    cache_banks_i,
  input vector_t                              vector_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneStart :
      assert ($onehot0({activate_i, deactivate_i, exit_i, prefetch_i}))
      else $error("OneStart: several commands start");
      ActivateIdleSlot :
      assert (!activate_i || state_i[slot_i] == SlotIdle)
      else $error("ActivateIdleSlot: slot %0d holds warp slot %0d", slot_i, warp_i[slot_i]);
      CommandOfReadySlot :
      assert (!(deactivate_i || exit_i || prefetch_i) ||
              (state_i[slot_i] == SlotReady && warp_i[slot_i] == command_warp_i))
      else $error("CommandOfReadySlot: slot %0d", slot_i);
      WorkingSetFits :
      assert (!prefetch_i || $countones(vector_i) <= 32'(cache_banks_i))
      else $error("WorkingSetFits: %0d registers for warp slot %0d",
                  $countones(vector_i), command_warp_i);
      for (int unsigned s = 0; s < NumSlots; s++) begin
        TransfersOfOccupied :
        assert (((leave_i[s] | coming_i[s]) & ~occupied_i[s]) == '0 &&
                (leave_i[s] & coming_i[s]) == '0)
        else $error("TransfersOfOccupied: slot %0d, banks %b leave, %b come, %b are occupied", s,
                    leave_i[s], coming_i[s], occupied_i[s]);
        ReportedWhenDone :
        assert (!reported_i[s] ||
                (arrive_list_i[s] == '0 && coming_i[s] == '0 &&
                 (state_i[s] == SlotEvict ? occupied_i[s] == leave_i[s] : leave_i[s] == '0) &&
                 (state_i[s] != SlotEvict || early_release_i || leave_i[s] == '0)))
        else $error("ReportedWhenDone: slot %0d", s);
        LeftBeforeReady :
        assert (state_i[s] != SlotReady || leave_i[s] == '0)
        else $error("LeftBeforeReady: slot %0d, banks %b leave", s, leave_i[s]);
      end
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        FillExpected :
        assert (!fill_i[c] || coming_i[fill_slot_i[c]][c])
        else $error("FillExpected: cache bank %0d of slot %0d", c, fill_slot_i[c]);
      end
      if (activate_i) begin
        for (int unsigned s = 0; s < NumSlots; s++) begin
          OneSlotAWarp :
          assert (state_i[s] == SlotIdle || warp_i[s] != command_warp_i)
          else $error("OneSlotAWarp: warp slot %0d is active", command_warp_i);
          ActivateWhenLeft :
          assert (leave_i[s] == '0 || leave_warp_i[s] != command_warp_i)
          else $error("ActivateWhenLeft: registers of warp slot %0d leave slot %0d",
                      command_warp_i, s);
        end
      end
    end
  end

endmodule
