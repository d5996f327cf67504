// The warp control blocks of all warps (LTRF, section 5.1, figure 12): WcbBits of storage.
//
// Per warp an address table of 256 entries (cache bank and valid bit: the register is in the
// cache), the warp offset, and the working-set vector, which survives deactivation so that the warp
// can be fetched again. A warp's table has two read ports. The operand collectors use them (at most
// one collector a warp and cycle) and, while the warp is being served and has no collector, the
// prefetch engine. Results have a look-up port of their own. One vector port reads the valid bits
// and the working set of one warp.
module warp_control_block import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  // operand collectors
  input  warp_t       [NumCollectors-1:0]                 lookup_warp_i,
  input  logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid_i,
  input  reg_t        [NumCollectors-1:0][TablePorts-1:0] lookup_register_i,
  output cache_bank_t [NumCollectors-1:0][TablePorts-1:0] lookup_bank_o,
  output slot_t       [NumCollectors-1:0]                 lookup_slot_o,
  // results
  input  warp_t       [ResultWidth-1:0]                   result_warp_i,
  input  reg_t        [ResultWidth-1:0]                   result_register_i,
  output logic        [ResultWidth-1:0]                   result_hit_o,
  output cache_bank_t [ResultWidth-1:0]                   result_bank_o,
  output slot_t       [ResultWidth-1:0]                   result_slot_o,
  // prefetch engine, by slot
  input  warp_t       [NumSlots-1:0]                      slot_warp_i,
  input  reg_t        [NumSlots-1:0]                      decode_register_i,
  output cache_bank_t [NumSlots-1:0]                      decode_bank_o,
  // the register gets a cache bank
  input  logic        [NumSlots-1:0]                      allocate_i,
  input  reg_t        [NumSlots-1:0]                      allocate_register_i,
  input  cache_bank_t [NumSlots-1:0]                      allocate_bank_i,
  // the register leaves the cache
  input  logic        [NumSlots-1:0]                      clear_i,
  input  reg_t        [NumSlots-1:0]                      clear_register_i,
  // fills that arrive, by lane
  input  logic        [NumMainBanks-1:0]                  fill_i,
  input  slot_t       [NumMainBanks-1:0]                  fill_slot_i,
  input  reg_t        [NumMainBanks-1:0]                  fill_register_i,
  // vector port
  input  warp_t                                           vector_warp_i,  // of the command
  output vector_t                                         vector_valid_o,
  output vector_t                                         vector_set_o,
  // commands
  input  logic                                            set_write_i,
  input  warp_t                                           set_warp_i,
  input  vector_t                                         set_i,
  input  logic                                            offset_write_i,
  input  warp_t                                           offset_warp_i,
  input  slot_t                                           offset_i
);

  cache_bank_t bank_q   [NumWarps*NumRegs];
  vector_t     valid_q  [NumWarps];
  slot_t       offset_q [NumWarps];
  vector_t     set_q    [NumWarps];

  if ($bits(bank_q) + $bits(valid_q) + $bits(offset_q) + $bits(set_q) != WcbBits)
  begin : gen_storage_check
    $fatal(1, "the warp control blocks do not have WcbBits of storage");
  end

  always_comb begin : collectors
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      lookup_slot_o[c] = offset_q[lookup_warp_i[c]];
      for (int unsigned p = 0; p < TablePorts; p++) begin
        lookup_bank_o[c][p] = '0;
        if (lookup_valid_i[c][p]) begin
          lookup_bank_o[c][p] = bank_q[{lookup_warp_i[c], lookup_register_i[c][p]}];
        end
      end
    end
  end

  always_comb begin : results
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      result_hit_o[p]  = valid_q[result_warp_i[p]][result_register_i[p]];
      result_bank_o[p] = bank_q[{result_warp_i[p], result_register_i[p]}];
      result_slot_o[p] = offset_q[result_warp_i[p]];
    end
  end

  always_comb begin : engine
    for (int unsigned s = 0; s < NumSlots; s++) begin
      decode_bank_o[s] = bank_q[{slot_warp_i[s], decode_register_i[s]}];
    end
  end

  assign vector_valid_o = valid_q[vector_warp_i];
  assign vector_set_o   = set_q[vector_warp_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin : valid_bits
    if (!rst_ni) begin
      for (int unsigned w = 0; w < NumWarps; w++) valid_q[w] <= '0;
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (clear_i[s]) valid_q[slot_warp_i[s]][clear_register_i[s]] <= 1'b0;
      end
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        if (fill_i[b]) valid_q[slot_warp_i[fill_slot_i[b]]][fill_register_i[b]] <= 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : working_sets
    if (!rst_ni) begin
      for (int unsigned w = 0; w < NumWarps; w++) set_q[w] <= '0;
    end else if (set_write_i) begin
      set_q[set_warp_i] <= set_i;
    end
  end

  always_ff @(posedge clk_i) begin : addresses
    if (offset_write_i) offset_q[offset_warp_i] <= offset_i;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (allocate_i[s]) bank_q[{slot_warp_i[s], allocate_register_i[s]}] <= allocate_bank_i[s];
    end
  end

endmodule
