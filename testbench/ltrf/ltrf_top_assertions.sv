// What holds between the parts of the register file.
module ltrf_top_assertions import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth  = 2,
  parameter int unsigned NumLaneBanks = 1
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic       [7:0]               active_warps_i,
  input logic       [7:0]               cache_banks_i,
  input logic       [15:0]              rows_in_use_i,
  input logic       [7:0]               bank_cycles_i,
  input logic       [31:0]              busy_cycles_i,  // as configured
  input slot_view_t [NumSlots-1:0]      slot_i,
  input logic       [NumLaneBanks-1:0][NumMainBanks-1:0] read_i,
  input logic       [NumLaneBanks-1:0][NumMainBanks-1:0] write_i,
  input logic       [NumColumns-1:0]    allocate_i,
  input slot_t                          allocate_slot_i,
  input held_t      [NumColumns-1:0]    allocate_held_i,
  input logic       [NumCacheBanks-1:0] fill_i,
  input logic       [ResultWidth-1:0]   to_cache_i,
  input location_t  [ResultWidth-1:0]   head_location_i,
  input logic       [NumCacheBanks-1:0] drop_i,         // of drop_slot_i
  input slot_t                          drop_slot_i,
  input pin_t       [ResultWidth-1:0][QueueDepth-1:0] pin_i,
  input logic       [ResultWidth-1:0]   located_i,      // this cycle
  input cache_bank_t [ResultWidth-1:0]  located_bank_i,
  input slot_t      [ResultWidth-1:0]   located_slot_i,
  input logic                           exit_i,
  input logic                           warp_queued_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      // A warp beyond the slots would wait for its activation for ever.
      WarpsFit :
      assert (active_warps_i != 8'd0 && active_warps_i <= 8'(NumSlots))
      else $error("WarpsFit: %0d active warps, expected 1 to %0d", active_warps_i, NumSlots);
      RegistersFit :
      assert (cache_banks_i != 8'd0 && cache_banks_i <= 8'(NumCacheBanks))
      else $error("RegistersFit: %0d registers a warp, expected 1 to %0d", cache_banks_i,
                  NumCacheBanks);
      BusyFits :
      assert (busy_cycles_i <= 32'(bank_cycles_i))
      else $error("BusyFits: a bank is busy for %0d cycles, expected at most %0d", busy_cycles_i,
                  bank_cycles_i);
      NotPipelined :
      assert (NumLaneBanks == 1 || busy_cycles_i == '0)
      else $error("NotPipelined: a bank is busy for %0d cycles, but there are several at a lane",
                  busy_cycles_i);
      SinglePort :
      assert ((read_i & write_i) == '0)
      else $error("SinglePort: main banks %b are read and written", read_i & write_i);
      ExitAfterResults :
      assert (!exit_i || !warp_queued_i)
      else $error("ExitAfterResults: a result of the warp is queued");
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        DropNotLocated :
        assert (!located_i[p] || located_slot_i[p] != drop_slot_i || !drop_i[located_bank_i[p]])
        else $error("DropNotLocated: a result is located in cache bank %0d of slot %0d",
                    located_bank_i[p], drop_slot_i);
        for (int unsigned e = 0; e < QueueDepth; e++) begin
          DropNotAwaited :
          assert (!pin_i[p][e].slot[drop_slot_i] || (drop_i & pin_i[p][e].cache_bank) == '0)
          else $error("DropNotAwaited: a result is on its way to cache banks %b of slot %0d",
                      pin_i[p][e].cache_bank, drop_slot_i);
        end
        FillBeforeResult :
        assert (!to_cache_i[p] || !fill_i[head_location_i[p].cache_bank])
        else $error("FillBeforeResult: port %0d", p);
      end
      for (int unsigned j = 0; j < NumColumns; j++) begin
        RowInUse :
        assert (!allocate_i[j] ||
                32'(allocate_held_i[j].index.row) < 32'(rows_in_use_i) * NumLaneBanks)
        else $error("RowInUse: register %0d of warp slot %0d", allocate_held_i[j].reg_no,
                    slot_i[allocate_slot_i].warp);
      end
    end
  end

endmodule
