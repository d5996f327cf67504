// What the configuration inputs of the cache must be, in every cycle.
module osm_top_assertions
  import heddle_port_pkg::*;
#(
  parameter int unsigned Sets        = 1,
  parameter bit          ReadCounter = 1'b0
) (
  input logic    clk_i,
  input logic    rst_ni,
  input config_t config_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      SizeIsElaborated :
      assert ((32'd1 << config_i.cache_size_log2) <= 8 * Sets)
      else $error("SizeIsElaborated: %0d KB in use of %0d",
                  32'd1 << config_i.cache_size_log2, 8 * Sets);
      ThresholdIsElaborated :
      assert (config_i.reads_to_unlock <= (ReadCounter ? 8'd15 : 8'd1))
      else $error("ThresholdIsElaborated: %0d reads to unlock", config_i.reads_to_unlock);
      LatencyFits :
      assert (config_i.hit_latency inside {[8'd4:8'd63]})
      else $error("LatencyFits: %0d cycles", config_i.hit_latency);
    end
  end

endmodule
