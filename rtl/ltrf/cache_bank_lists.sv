// The occupied and the unused cache banks of every slot (LTRF, section 5.2, figure 13).
//
// A cache bank holds one register of each active warp. The occupied list says which, so that a
// register that leaves the cache is found by its bank, without a read of the address table of its
// warp; what is not in it is unused. Several banks of one slot are taken in a cycle, and every bank
// may be given back by a write-back; an exit gives all banks of a slot back, and what leaves dead
// is dropped. A slot may hold registers of two warps, of one that left and of one that comes, so
// that a result finds its register by the number of the warp register.
//
// With DirtyBits (an extension of ours) a bit of each bank says that a result has been located in
// it since its register got the bank; what leaves without is in the main register file as it is.
module cache_bank_lists import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2,
  parameter bit          DirtyBits   = 1'b0
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  // registers that get a bank, by column
  input  logic        [NumColumns-1:0]                 allocate_i,
  input  slot_t                                        allocate_slot_i,
  input  held_t       [NumColumns-1:0]                 allocate_held_i,
  input  cache_bank_t [NumColumns-1:0]                 allocate_bank_i,
  // write-backs, by cache bank
  input  logic        [NumCacheBanks-1:0]              write_back_i,
  input  slot_t       [NumCacheBanks-1:0]              write_back_slot_i,
  // banks of one slot that are given back without a write-back
  input  logic        [NumCacheBanks-1:0]              drop_i,
  input  slot_t                                        drop_slot_i,
  // where the register of a result is, if it is in the cache
  input  slot_t       [ResultWidth-1:0]                result_slot_i,
  input  index_t      [ResultWidth-1:0]                result_index_i,
  input  logic        [ResultWidth-1:0]                result_located_i,  // it is, and is pinned
  output cache_bank_t [ResultWidth-1:0]                result_bank_o,
  output logic        [NumSlots-1:0][NumCacheBanks-1:0] occupied_o,
  output held_t       [NumSlots-1:0][NumCacheBanks-1:0] held_o,
  output logic        [NumSlots-1:0][NumCacheBanks-1:0] dirty_o
);

  logic  [NumSlots-1:0][NumCacheBanks-1:0] occupied_q;
  held_t [NumSlots-1:0][NumCacheBanks-1:0] held_q;

  assign occupied_o = occupied_q;
  assign held_o     = held_q;

  always_comb begin : find_result
    result_bank_o = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (occupied_q[result_slot_i[p]][c] &&
            held_q[result_slot_i[p]][c].index == result_index_i[p]) begin
          result_bank_o[p] = result_bank_o[p] | cache_bank_t'(c);
        end
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : occupied
    if (!rst_ni) begin
      occupied_q <= '0;
    end else begin
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (write_back_i[c]) occupied_q[write_back_slot_i[c]][c] <= 1'b0;
      end
      for (int unsigned j = 0; j < NumColumns; j++) begin
        if (allocate_i[j]) occupied_q[allocate_slot_i][allocate_bank_i[j]] <= 1'b1;
      end
      if (drop_i != '0) occupied_q[drop_slot_i] <= occupied_q[drop_slot_i] & ~drop_i;
    end
  end

  if (DirtyBits) begin : gen_dirty
    logic [NumSlots-1:0][NumCacheBanks-1:0] dirty_q, located;

    always_comb begin : locate_results
      located = '0;
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        if (result_located_i[p]) located[result_slot_i[p]][result_bank_o[p]] = 1'b1;
      end
    end

    always_ff @(posedge clk_i or negedge rst_ni) begin : dirty_bits
      if (!rst_ni) begin
        dirty_q <= '0;
      end else begin
        dirty_q <= dirty_o;
        for (int unsigned j = 0; j < NumColumns; j++) begin
          if (allocate_i[j]) dirty_q[allocate_slot_i][allocate_bank_i[j]] <= 1'b0;
        end
      end
    end

    assign dirty_o = dirty_q | located;
  end else begin : gen_all_dirty
    logic unused_located;
    assign unused_located = ^result_located_i;
    assign dirty_o        = '1;
  end

  always_ff @(posedge clk_i) begin : registers
    for (int unsigned j = 0; j < NumColumns; j++) begin
      if (allocate_i[j]) held_q[allocate_slot_i][allocate_bank_i[j]] <= allocate_held_i[j];
    end
  end

endmodule
