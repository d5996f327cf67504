// The victim is the least recently used candidate: checked with time stamps, independently of the
// order bits.
module recency_order_assertions
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  parameter  int unsigned Ways      = NumWays,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = $clog2(Ways)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [Ways-1:0]      used_i [Sets],
  input logic [SetBits-1:0]   set_i,
  input logic [Ways-1:0]      candidates_i,
  input logic [Ways-1:0]      first_i,
  input logic [IndexBits-1:0] oldest_i
);

  logic [31:0] now_q;
  logic [31:0] stamp_q [Sets][Ways];

  always_ff @(posedge clk_i or negedge rst_ni) begin : stamps
    if (!rst_ni) begin
      now_q <= 32'd1;
      for (int unsigned s = 0; s < Sets; s++) begin
        // verilator unroll_disable
        for (int unsigned w = 0; w < Ways; w++) stamp_q[s][w] <= '0;
      end
    end else begin
      now_q <= now_q + 32'd1;
      for (int unsigned s = 0; s < Sets; s++) begin
        if (used_i[s] != '0) begin
          // verilator unroll_disable
          for (int unsigned w = 0; w < Ways; w++) begin
            if (used_i[s][w]) stamp_q[s][w] <= now_q;
          end
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && candidates_i != '0) begin
      OneOldest :
      assert ($onehot(first_i))
      else $error("OneOldest: %h of %h", first_i, candidates_i);
      for (int unsigned w = 0; w < Ways; w++) begin
        LeastRecentlyUsed :
        assert (!candidates_i[w] || stamp_q[set_i][oldest_i] <= stamp_q[set_i][w])
        else $error("LeastRecentlyUsed: way %0d, used at %0d, before way %0d, used at %0d",
                    oldest_i, stamp_q[set_i][oldest_i], w, stamp_q[set_i][w]);
      end
    end
  end

endmodule
