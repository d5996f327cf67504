// Requests are served in the order in which they came, except those that wait for a fill.
module request_buffer_assertions
  import osm_pkg::*;
(
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [NumRequests-1:0] in_use_i,
  input logic [NumRequests-1:0] active_i,
  input logic [NumRequests-1:0] away_i,
  input logic                   return_i,
  input logic                   accept_i,
  input request_index_t         accept_index_i,
  input logic                   serving_i,
  input request_index_t         index_i,
  input logic                   finish_i
);

  logic [31:0] stamp_q [NumRequests];
  logic [31:0] now_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : stamps
    if (!rst_ni) begin
      now_q <= '0;
    end else if (accept_i) begin
      now_q                   <= now_q + 32'd1;
      stamp_q[accept_index_i] <= now_q;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ReturnOfAway :
      assert (!return_i || (in_use_i[index_i] && away_i[index_i]))
      else $error("ReturnOfAway: place %0d has sent nothing past", index_i);
      FinishServed :
      assert (!finish_i || serving_i || return_i)
      else $error("FinishServed: a request ends and none is served");
      for (int unsigned r = 0; r < NumRequests; r++) begin
        OldestIsServed :
        assert (!(in_use_i[r] && active_i[r] && !away_i[r]) || return_i ||
                (serving_i && (index_i == request_index_t'(r) ||
                               stamp_q[r] - stamp_q[index_i] < 32'h8000_0000)))
        else $error("OldestIsServed: place %0d is served before place %0d", index_i, r);
      end
    end
  end

endmodule
