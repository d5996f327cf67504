// What `make formal` proves of the queue: it gives what a plain shifting queue gives.
// An item is one bit wide.
module fifo_formal #(
  parameter int unsigned Depth     = 2,
  parameter int unsigned PlaceBits = 1
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 push_i,
  input logic                 item_i,
  input logic                 room_i,
  input logic                 valid_i,
  input logic                 front_i,
  input logic                 pop_i,
  input logic [PlaceBits:0]   count_i,
  input logic [PlaceBits-1:0] head_i,
  input logic [PlaceBits-1:0] tail_i
);

  // A second queue as plain as can be: the oldest item in bit 0, everything moves at a pop.
  logic [Depth-1:0]   items_q, items_d, stored;
  logic [PlaceBits:0] count_q;

  always_comb begin : next
    items_d = items_q;
    if (push_i) items_d[PlaceBits'(count_q)] = item_i;
    if (pop_i) items_d = items_d >> 1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) begin
      items_q <= '0;
      count_q <= '0;
    end else begin
      items_q <= items_d;
      count_q <= count_q + (PlaceBits + 1)'(push_i) - (PlaceBits + 1)'(pop_i);
    end
  end

  // Whether each place of the queue holds what the plain one does.
  for (genvar i = 0; i < Depth; i++) begin : gen_place
    logic [PlaceBits-1:0] place;
    assign place     = head_i + PlaceBits'(i);
    assign stored[i] = count_q <= (PlaceBits + 1)'(i) || fifo.item_q[place] == items_q[i];
  end

  always_comb begin : rules
    push_with_room : assume (!push_i || room_i);
    pop_when_valid : assume (!pop_i || valid_i);
  end

  always_comb begin : properties
    if (rst_ni) begin
      nothing_lost :   assert (valid_i == (count_q != '0));
      in_order :       assert (!valid_i || front_i == items_q[0]);
      room_tells :     assert (room_i == (count_q < (PlaceBits + 1)'(Depth)));
      count_tells :    assert (count_i == count_q);
      never_too_many : assert (count_q <= (PlaceBits + 1)'(Depth));
      places_agree :   assert (tail_i == head_i + PlaceBits'(count_q));
      items_agree :    assert (stored == '1);
      full_popped :    cover (count_q == (PlaceBits + 1)'(Depth) && pop_i && front_i);
    end
  end

endmodule

bind fifo fifo_formal #(
  .Depth    (Depth),
  .PlaceBits(PlaceBits)
) u_formal (
  .front_i(item_o),
  .room_i (room_o),
  .valid_i(valid_o),
  .count_i(count_o),
  .head_i (head),
  .tail_i (tail),
  .*
);
