// No answer takes another's place in the ring.
module response_ring_assertions
  import osm_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic                write_i,
  input logic [RingBits-1:0] write_row_i,
  input logic [RingRows-1:0] valid_i,
  input logic [RingBits:0]   count_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoCollision :
      assert (!write_i || !valid_i[write_row_i])
      else $error("NoCollision: row %0d is taken", write_row_i);
      CountIsRows :
      assert (int'(count_i) == $countones(valid_i))
      else $error("CountIsRows: %0d counted, %0d there", count_i, $countones(valid_i));
    end
  end

endmodule
