// No answer takes another's place in the ring, and the latency is one that the ring can keep.
module response_ring_assertions
  import osm_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [5:0]          hit_latency_i,
  input logic                write_i,
  input logic [RingBits-1:0] write_row_i,
  input logic [RingRows-1:0] valid_i,
  input logic [RingBits:0]   count_i
);

  logic       started_q;
  logic [5:0] latency_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : start
    if (!rst_ni) started_q <= 1'b0;
    else started_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin : checks
    latency_q <= hit_latency_i;
    if (rst_ni) begin
      LatencyIsEnough :
      assert (hit_latency_i >= 6'd4)
      else $error("LatencyIsEnough: %0d cycles", hit_latency_i);
      LatencyHeld :
      assert (!started_q || hit_latency_i == latency_q)
      else $error("LatencyHeld: %0d cycles, %0d before", hit_latency_i, latency_q);
      NoCollision :
      assert (!write_i || !valid_i[write_row_i])
      else $error("NoCollision: row %0d is taken", write_row_i);
      CountIsRows :
      assert (int'(count_i) == $countones(valid_i))
      else $error("CountIsRows: %0d counted, %0d there", count_i, $countones(valid_i));
    end
  end

endmodule
