// What the prefetch engine must be seen to do: each transition of a slot's state, decoding with and
// without cache banks, fetches that wait for write-backs, and what is dead or clean.
module prefetch_engine_covers
  import heddle_port_pkg::*;
  import ltrf_pkg::*;
(
  input logic                                         clk_i,
  input logic                                         rst_ni,
  input logic        [4:0]                            decode_width_i,
  // slots
  input slot_state_e                                  state_i [NumSlots],
  input logic        [NumSlots-1:0]                   finished_i,
  input logic        [NumSlots-1:0]                   reported_i,
  input logic        [NumSlots-1:0]                   listed_i,   // registers to decode
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] leave_i,
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] coming_i,
  // the command that starts
  input logic                                         activate_i,
  input logic                                         deactivate_i,
  input logic                                         exit_i,
  input logic                                         prefetch_i,
  input slot_t                                        slot_i,
  input logic        [NumCacheBanks-1:0]              start_leave_i,
  input vector_t                                      start_arrive_i,
  input logic        [NumCacheBanks-1:0]              drop_i,
  input logic        [NumCacheBanks-1:0]              drop_clean_i,
  // decoding
  input logic                                         decode_i,
  input slot_t                                        chosen_i,
  input logic        [NumColumns-1:0]                 ask_i,
  input logic        [NumColumns-1:0]                 allocate_i,
  input logic        [NumColumns-1:0]                 dead_i,
  input logic        [NumCacheBanks-1:0]              unused_i  // cache banks of the slot
);

  logic fill_ends, swap_ends, evict_ends, release_ends, waits_for_leave, leaves_while_comes;

  always_comb begin : all_slots
    fill_ends          = 1'b0;
    swap_ends          = 1'b0;
    evict_ends         = 1'b0;
    release_ends       = 1'b0;
    waits_for_leave    = 1'b0;
    leaves_while_comes = 1'b0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      fill_ends    |= reported_i[s] && state_i[s] == SlotFill;
      swap_ends    |= reported_i[s] && state_i[s] == SlotSwap;
      evict_ends   |= reported_i[s] && state_i[s] == SlotEvict;
      release_ends |= reported_i[s] && state_i[s] == SlotRelease;
      if (state_i[s] == SlotSwap || state_i[s] == SlotFill) begin
        waits_for_leave |= !listed_i[s] && coming_i[s] == '0 && leave_i[s] != '0;
      end
      leaves_while_comes |= state_i[s] == SlotFill && leave_i[s] != '0 && coming_i[s] != '0;
    end
  end

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  // ---- each transition of a slot's state ----
  IdleToFill : cover property (activate_i && state_i[slot_i] == SlotIdle);
  FillToReady : cover property (fill_ends);
  ReadyToSwap : cover property (prefetch_i && state_i[slot_i] == SlotReady);
  SwapToReady : cover property (swap_ends);
  ReadyToEvict : cover property (deactivate_i && state_i[slot_i] == SlotReady);
  EvictToIdle : cover property (evict_ends);
  ReadyToRelease : cover property (exit_i && state_i[slot_i] == SlotReady);
  ReleaseToIdle : cover property (release_ends);
  SeveralFinished : cover property ($countones(finished_i) > 1);
  FinishedWaits : cover property ((finished_i & ~reported_i) != '0);

  // ---- what a command starts ----
  FillOfNothing : cover property (activate_i && start_arrive_i == '0);
  SwapOfNothing : cover property (prefetch_i && start_arrive_i == '0 && start_leave_i == '0);
  SwapBothWays : cover property (prefetch_i && start_arrive_i != '0 && start_leave_i != '0);
  EvictsAllBanks : cover property (deactivate_i && start_leave_i == '1);

  DeadAllocated : cover property ((allocate_i & dead_i) != '0);
  DeadBesideLive : cover property ((allocate_i & dead_i) != '0 && (allocate_i & ~dead_i) != '0);
  DeadDropped : cover property (!exit_i && (drop_i & ~drop_clean_i) != '0);
  CleanDropped : cover property (!exit_i && drop_clean_i != '0);

  // ---- decoding ----
  SeveralListed : cover property ($countones(listed_i) > 1);
  DecodesOne : cover property ($onehot(allocate_i));
  DecodesAllColumns : cover property (allocate_i == '1);
  NoBankUnused : cover property (ask_i != '0 && unused_i == '0);
  FewBanksUnused : cover property (allocate_i != '0 && $countones(ask_i) > $countones(unused_i));
  WidthReached : cover property (
      $countones(allocate_i) == 32'(decode_width_i) && ask_i != allocate_i);
  MainBankHasFetch : cover property (decode_i && ask_i == '0);
  LastBankTaken : cover property (
      allocate_i != '0 && unused_i != '0 && $countones(allocate_i) == $countones(unused_i));

  // ---- transfers ----
  BankWaitsForWriteBack : cover property (
      ask_i != '0 && unused_i == '0 && leave_i[chosen_i] != '0);
  EndWaitsForWriteBack : cover property (waits_for_leave);
  LeavesWhileNextComes : cover property (leaves_while_comes);

endmodule
