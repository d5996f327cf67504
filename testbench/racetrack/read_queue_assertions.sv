// The request queue neither overflows nor gives what it does not hold, and grants one collector
// that asks.
module read_queue_assertions
  import shell_pkg::*;
  import racetrack_pkg::*;
(
  input logic                        clk_i,
  input logic                        rst_ni,
  input collector_set_t              request_i,
  input logic                        grant_i,
  input collector_t                  collector_i,
  input collector_set_t              winner_i,
  input logic                        pop_i,
  input logic [$clog2(QueueDepth):0] count_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoOverflow :
      assert (!grant_i || 32'(count_i) < QueueDepth)
      else $error("NoOverflow: a request enters a full queue");
      NoUnderflow :
      assert (!pop_i || count_i != '0)
      else $error("NoUnderflow: a request leaves an empty queue");
      CountInRange :
      assert (32'(count_i) <= QueueDepth)
      else $error("CountInRange: %0d requests", count_i);
      GrantOnlyRequested :
      assert (!grant_i || request_i[collector_i])
      else $error("GrantOnlyRequested: collector %0d did not ask", collector_i);
      OneWinner :
      assert (!grant_i || $onehot(winner_i))
      else $error("OneWinner: winners %b", winner_i);
    end
  end

endmodule
