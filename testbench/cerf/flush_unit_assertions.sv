// An entry is done only while the walk offers one.
module flush_unit_assertions (
  input logic clk_i,
  input logic rst_ni,
  input logic flush_i,
  input logic flushed_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      FlushedWalks :
      assert (!flushed_i || flush_i)
      else $error("FlushedWalks: an entry is done that was not offered");
    end
  end

endmodule
