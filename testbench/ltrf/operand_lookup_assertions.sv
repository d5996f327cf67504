// Only operands that are still to be read are looked up, and of a warp those of one collector.
module operand_lookup_assertions import heddle_port_pkg::*, ltrf_pkg::*; (
  input logic                                            clk_i,
  input logic                                            rst_ni,
  input source_set_t                                     look_i [NumCollectors],
  input source_set_t [NumCollectors-1:0]                 looked_i,
  input warp_t       [NumCollectors-1:0]                 warp_i,
  input logic        [NumCollectors-1:0][TablePorts-1:0] lookup_valid_i
);

  logic [NumWarps-1:0] served, twice;

  always_comb begin : count
    served = '0;
    twice  = '0;
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      if (lookup_valid_i[c] != '0) begin
        twice[warp_i[c]]  = served[warp_i[c]];
        served[warp_i[c]] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneCollectorAWarp :
      assert (twice == '0)
      else $error("OneCollectorAWarp: warp slots %b are looked up for several", twice);
      for (int unsigned c = 0; c < NumCollectors; c++) begin
        LookedUpOnce :
        assert ((looked_i[c] & ~look_i[c]) == '0)
        else $error("LookedUpOnce: collector %0d, %b of %b", c, looked_i[c], look_i[c]);
        PortsOfTheTable :
        assert ($countones(looked_i[c]) == $countones(lookup_valid_i[c]))
        else $error("PortsOfTheTable: collector %0d, sources %b by ports %b", c, looked_i[c],
                    lookup_valid_i[c]);
      end
    end
  end

endmodule
