// What `make formal` proves of the places of a queue, against what was pushed and popped.
module fifo_places_formal #(
  parameter  int unsigned Depth     = 8,
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 push_i,
  input logic                 pop_i,
  input logic [PlaceBits-1:0] head_i,
  input logic [PlaceBits-1:0] tail_i,
  input logic [PlaceBits:0]   count_i,
  input logic                 room_i,
  input logic                 empty_i
);

  logic [Depth-1:0]     used_q, used_d;  // places that were filled and not yet popped
  logic [PlaceBits-1:0] pops_q;          // so far, modulo the places
  logic [PlaceBits:0]   held;

  assign held = (PlaceBits + 1)'($countones(used_q));

  always_comb begin : next
    used_d = used_q;
    if (pop_i) used_d[head_i] = 1'b0;
    if (push_i) used_d[tail_i] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) begin
      used_q <= '0;
      pops_q <= '0;
    end else begin
      used_q <= used_d;
      pops_q <= pops_q + PlaceBits'(pop_i);
    end
  end

  for (genvar i = 0; i < Depth; i++) begin : gen_place
    logic [PlaceBits-1:0] place;
    assign place = head_i + PlaceBits'(i);

    always_comb begin : checks
      if (rst_ni) begin
        UsedFromHead : assert (used_q[place] == ((PlaceBits + 1)'(i) < count_i));
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      PushOnlyWithRoom : assume (!push_i || room_i);
      PopOnlyQueued : assume (!pop_i || !empty_i);
      NeverOverwritten : assert (!push_i || !used_q[tail_i]);
      PopsWhatIsThere : assert (!pop_i || used_q[head_i]);
      InOrder : assert (head_i == pops_q);
      CountTells : assert (count_i == held);
      RoomTells : assert (room_i == (used_q != '1) && empty_i == (used_q == '0));
      TailBehindItems : assert (tail_i == head_i + PlaceBits'(count_i));
      CountInRange : assert (count_i <= (PlaceBits + 1)'(Depth));
      FullPopped : cover (used_q == '1 && pop_i);
    end
  end

endmodule

bind fifo_places fifo_places_formal #(
  .Depth(Depth)
) u_formal (
  .clk_i,
  .rst_ni,
  .push_i,
  .pop_i,
  .head_i (head_o),
  .tail_i (tail_o),
  .count_i(count_o),
  .room_i (room_o),
  .empty_i(empty_o)
);
