// Ports and valid bits of the warp control blocks.
module warp_control_block_assertions import heddle_port_pkg::*, ltrf_pkg::*; (
  input logic                                         clk_i,
  input logic                                         rst_ni,
  input warp_t   [NumCollectors-1:0]                  lookup_warp_i,
  input logic    [NumCollectors-1:0][TablePorts-1:0]  lookup_valid_i,
  input reg_t    [NumCollectors-1:0][TablePorts-1:0]  lookup_register_i,
  input vector_t                                      valid_i [NumWarps],
  input warp_t   [NumSlots-1:0]                       slot_warp_i,
  input logic    [NumSlots-1:0]                       clear_i,
  input reg_t    [NumSlots-1:0]                       clear_register_i,
  input logic    [NumMainBanks-1:0]                   fill_i,
  input slot_t   [NumMainBanks-1:0]                   fill_slot_i,
  input reg_t    [NumMainBanks-1:0]                   fill_register_i
);

  always_ff @(posedge clk_i) begin : reads
    if (rst_ni && lookup_valid_i != '0) begin
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        if (lookup_valid_i[c] != '0) begin
          for (int unsigned p = 0; p < TablePorts; p++) begin
            OperandInCache :
            assert (!lookup_valid_i[c][p] || valid_i[lookup_warp_i[c]][lookup_register_i[c][p]])
            else $error("OperandInCache: register %0d of warp slot %0d was not prefetched",
                        lookup_register_i[c][p], lookup_warp_i[c]);
          end
          for (int unsigned d = c + 1; d < NumCollectors; d++) begin
            OneCollectorAWarp :
            assert (lookup_valid_i[d] == '0 || lookup_warp_i[c] != lookup_warp_i[d])
            else $error("OneCollectorAWarp: warp slot %0d", lookup_warp_i[c]);
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : writes
    if (rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        ClearOnlyValid :
        assert (!clear_i[s] || valid_i[slot_warp_i[s]][clear_register_i[s]])
        else $error("ClearOnlyValid: register %0d of warp slot %0d",
                    clear_register_i[s], slot_warp_i[s]);
      end
      if (fill_i != '0) begin
        for (int unsigned b = 0; b < NumMainBanks; b++) begin
          FillOnlyInvalid :
          assert (!fill_i[b] || !valid_i[slot_warp_i[fill_slot_i[b]]][fill_register_i[b]])
          else $error("FillOnlyInvalid: register %0d of warp slot %0d", fill_register_i[b],
                      slot_warp_i[fill_slot_i[b]]);
        end
      end
    end
  end

endmodule
