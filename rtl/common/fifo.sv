// A queue, first in, first out. The oldest item stands at the output.
module fifo #(
  parameter  int unsigned Depth     = 2,  // a power of two
  parameter  type         item_t    = logic,
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               push_i,   // only with room
  input  item_t              item_i,
  output logic               room_o,
  output logic               valid_o,
  output item_t              item_o,
  input  logic               pop_i,    // only when valid
  output logic [PlaceBits:0] count_o
);

  logic [PlaceBits-1:0] head, tail;
  logic                 empty;
  item_t                item_q [Depth];

  fifo_places #(
    .Depth(Depth)
  ) u_places (
    .clk_i,
    .rst_ni,
    .push_i,
    .pop_i,
    .head_o (head),
    .tail_o (tail),
    .count_o,
    .room_o,
    .empty_o(empty)
  );

  always_ff @(posedge clk_i) begin : payload
    if (push_i) item_q[tail] <= item_i;
  end

  assign valid_o = !empty;
  assign item_o  = item_q[head];

endmodule
