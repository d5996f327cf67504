// A cache bank holds one register of a slot, and a register of a slot lies in one cache bank.
module cache_bank_lists_assertions import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input logic                                         clk_i,
  input logic                                         rst_ni,
  input logic        [NumColumns-1:0]                 allocate_i,
  input slot_t                                        allocate_slot_i,
  input held_t       [NumColumns-1:0]                 allocate_held_i,
  input cache_bank_t [NumColumns-1:0]                 allocate_bank_i,
  input logic        [NumCacheBanks-1:0]              write_back_i,
  input slot_t       [NumCacheBanks-1:0]              write_back_slot_i,
  input logic        [NumCacheBanks-1:0]              drop_i,
  input slot_t                                        drop_slot_i,
  input slot_t       [ResultWidth-1:0]                result_slot_i,
  input index_t      [ResultWidth-1:0]                result_index_i,
  input logic        [ResultWidth-1:0]                result_located_i,
  input logic        [NumSlots-1:0][NumCacheBanks-1:0] occupied_i,
  input held_t       [NumSlots-1:0][NumCacheBanks-1:0] held_i
);

  logic [ResultWidth-1:0][NumCacheBanks-1:0] holds;  // a result's register

  always_comb begin : hold
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        holds[p][c] = occupied_i[result_slot_i[p]][c] &&
                      held_i[result_slot_i[p]][c].index == result_index_i[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        HitInOneBank :
        assert (!result_located_i[p] || $onehot(holds[p]))
        else $error("HitInOneBank: warp register %0d of slot %0d in cache banks %b",
                    result_index_i[p], result_slot_i[p], holds[p]);
      end
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        WriteBackOccupied :
        assert (!write_back_i[c] || occupied_i[write_back_slot_i[c]][c])
        else $error("WriteBackOccupied: cache bank %0d of slot %0d", c, write_back_slot_i[c]);
      end
      DropNotDecoded :
      assert (drop_i == '0 || allocate_i == '0 || drop_slot_i != allocate_slot_i)
      else $error("DropNotDecoded: slot %0d", drop_slot_i);
      if (allocate_i != '0) begin
        for (int unsigned j = 0; j < NumColumns; j++) begin
          if (allocate_i[j]) begin
            RegisterOfItsColumn :
            assert (allocate_held_i[j].reg_no[ColumnBits-1:0] == ColumnBits'(j))
            else $error("RegisterOfItsColumn: register %0d in column %0d",
                        allocate_held_i[j].reg_no, j);
            AllocateUnused :
            assert (!occupied_i[allocate_slot_i][allocate_bank_i[j]])
            else $error("AllocateUnused: cache bank %0d of slot %0d is occupied",
                        allocate_bank_i[j], allocate_slot_i);
            for (int unsigned i = j + 1; i < NumColumns; i++) begin
              OneRegisterABank :
              assert (!allocate_i[i] || allocate_bank_i[i] != allocate_bank_i[j])
              else $error("OneRegisterABank: cache bank %0d of slot %0d", allocate_bank_i[j],
                          allocate_slot_i);
            end
            for (int unsigned c = 0; c < NumCacheBanks; c++) begin
              OneBankARegister :
              assert (!occupied_i[allocate_slot_i][c] ||
                      held_i[allocate_slot_i][c].index != allocate_held_i[j].index)
              else $error("OneBankARegister: register %0d of slot %0d", allocate_held_i[j].reg_no,
                          allocate_slot_i);
            end
          end
        end
      end
    end
  end

endmodule
