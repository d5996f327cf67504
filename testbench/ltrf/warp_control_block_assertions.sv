// Ports and valid bits of the warp control blocks.
module warp_control_block_assertions import heddle_port_pkg::*, ltrf_pkg::*; (
  input logic                                         clk_i,
  input logic                                         rst_ni,
  input warp_t   [NumCollectors-1:0]                  lookup_warp_i,
  input logic    [NumCollectors-1:0][TablePorts-1:0]  lookup_valid_i,
  input reg_t    [NumCollectors-1:0][TablePorts-1:0]  lookup_register_i,
  input vector_t                                      valid_i [NumWarps],
  input logic    [NumCacheBanks-1:0]                  clear_i,
  input warp_t   [NumCacheBanks-1:0]                  clear_warp_i,
  input reg_t    [NumCacheBanks-1:0]                  clear_register_i,
  input logic    [NumMainBanks-1:0]                   fill_i,
  input warp_t   [NumMainBanks-1:0]                   fill_warp_i,
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
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        ClearOnlyValid :
        assert (!clear_i[c] || valid_i[clear_warp_i[c]][clear_register_i[c]])
        else $error("ClearOnlyValid: register %0d of warp slot %0d",
                    clear_register_i[c], clear_warp_i[c]);
      end
      if (fill_i != '0) begin
        for (int unsigned b = 0; b < NumMainBanks; b++) begin
          FillOnlyInvalid :
          assert (!fill_i[b] || !valid_i[fill_warp_i[b]][fill_register_i[b]])
          else $error("FillOnlyInvalid: register %0d of warp slot %0d", fill_register_i[b],
                      fill_warp_i[b]);
        end
      end
    end
  end

endmodule
