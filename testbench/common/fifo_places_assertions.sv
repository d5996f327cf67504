// A queue neither overflows nor gives what it does not hold.
module fifo_places_assertions #(
  parameter  int unsigned Depth     = 8,
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 push_i,
  input logic                 pop_i,
  input logic [PlaceBits-1:0] head_i,
  input logic [PlaceBits-1:0] tail_i,
  input logic [PlaceBits:0]   count_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      PushOnlyWithRoom :
      assert (!push_i || count_i < (PlaceBits + 1)'(Depth))
      else $error("PushOnlyWithRoom: all %0d places are taken", count_i);
      PopOnlyQueued :
      assert (!pop_i || count_i != '0)
      else $error("PopOnlyQueued: the queue is empty");
      CountIsDistance :
      assert (PlaceBits'(count_i) == tail_i - head_i && count_i <= (PlaceBits + 1)'(Depth))
      else $error("CountIsDistance: %0d from place %0d to %0d", count_i, head_i, tail_i);
    end
  end

endmodule

bind fifo_places fifo_places_assertions #(
  .Depth(Depth)
) u_assertions (
  .clk_i,
  .rst_ni,
  .push_i,
  .pop_i,
  .head_i (head_q),
  .tail_i (tail_q),
  .count_i(count_q)
);
