// The queue to the off-chip memory neither overflows nor has holes.
module lower_queue_assertions
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input logic               clk_i,
  input logic               rst_ni,
  input mem_lower_request_t request_i [LowerDepth],
  input logic [3:0]         count_i,
  input logic               push_i,
  input logic               pop_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoOverflow :
      assert (!push_i || pop_i || count_i < 4'(LowerDepth))
      else $error("NoOverflow: a request is lost");
      for (int unsigned i = 0; i < LowerDepth; i++) begin
        NoHoles :
        assert (request_i[i].valid == (4'(i) < count_i))
        else $error("NoHoles: place %0d is %b, %0d requests", i, request_i[i].valid, count_i);
        WritesSomething :
        assert (!request_i[i].valid || request_i[i].byte_mask != '0)
        else $error("WritesSomething: place %0d moves no byte", i);
      end
    end
  end

endmodule
