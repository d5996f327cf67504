// The request queue against a queue of its own, and the rotation among the collectors.
module read_queue_formal
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  localparam int unsigned SlotBits = $clog2(QueueDepth)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input collector_set_t      request_i,
  input logic                grant_i,
  input collector_t          collector_i,
  input source_t             source_i,
  input place_t              place_i,
  input logic                valid_i,
  input place_t              oldest_place_i,
  input target_t             oldest_target_i,
  input logic                pop_i,
  // what the queue keeps
  input place_t              kept_place_i  [QueueDepth],
  input target_t             kept_target_i [QueueDepth],
  input logic [SlotBits-1:0] head_i,
  input logic [SlotBits-1:0] tail_i,
  input logic [SlotBits:0]   count_i,
  input collector_set_t      mask_i
);

  localparam int unsigned CountBits = SlotBits + 1;

  typedef struct packed {
    place_t  place;
    target_t target;
  } item_t;

  collector_t           waiter_q;   // any: what the target is in the cycle of reset
  collector_set_t       granted_q;  // collectors that were served while this one waits
  collector_set_t       winner, above;
  logic                 waits;
  logic [CountBits-1:0] count_q, left;
  item_t                item_q [QueueDepth];  // the oldest first

  assign winner = grant_i ? collector_set_t'(1) << collector_i : '0;
  assign waits  = request_i[waiter_q] && !winner[waiter_q];
  assign above  = ~((collector_set_t'(2) << waiter_q) - collector_set_t'(1));
  assign left   = count_q - CountBits'(pop_i);

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) waiter_q <= collector_t'(request_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      granted_q <= '0;
      count_q   <= '0;
    end else begin
      granted_q <= waits ? granted_q | winner : '0;
      count_q   <= left + CountBits'(grant_i);
    end
  end

  for (genvar e = 0; e < QueueDepth; e++) begin : gen_item
    logic [SlotBits-1:0] place;
    assign place = head_i + SlotBits'(e);

    always_ff @(posedge clk_i) begin : queue
      if (grant_i && 32'(left) == e) begin
        item_q[e] <= '{place: place_i, target: '{collector: collector_i, source: source_i}};
      end else if (pop_i) begin
        item_q[e] <= item_q[(e+1)%QueueDepth];
      end
    end

    always_comb begin : checks
      if (rst_ni) begin
        ItemsAreKept :
        assert (32'(count_q) <= e || item_q[e] == {kept_place_i[place], kept_target_i[place]});
      end
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      NoUnderflow : assume (!pop_i || count_q != '0);
      NoOverflow : assert (!grant_i || 32'(count_q) < QueueDepth);
      GrantOnlyRequested : assert (!grant_i || request_i[collector_i]);
      NothingLost : assert (valid_i == (count_q != '0));
      OldestFirst : assert (!valid_i || {oldest_place_i, oldest_target_i} == item_q[0]);
      Rotation : assert (!waits || (winner & granted_q) == '0);
      CountsAgree : assert (count_i == count_q && 32'(count_q) <= QueueDepth);
      TailBehindItems : assert (tail_i == head_i + SlotBits'(count_q));
      MaskIsThermometer : assert ((~mask_i & (~mask_i + collector_set_t'(1))) == '0);
      GrantedSinceChoice :
      assert ((granted_q & ~(mask_i[waiter_q] ? above | ~mask_i : above & ~mask_i)) == '0);
      Full : cover (32'(count_q) == QueueDepth);
    end
  end

endmodule

bind read_queue read_queue_formal u_formal (
  .clk_i,
  .rst_ni,
  .request_i,
  .grant_i        (grant_o),
  .collector_i    (collector_o),
  .source_i,
  .place_i,
  .valid_i        (valid_o),
  .oldest_place_i (place_o),
  .oldest_target_i(target_o),
  .pop_i,
  .kept_place_i   (place_q),
  .kept_target_i  (target_q),
  .head_i         (head_q),
  .tail_i         (tail_q),
  .count_i        (count_q),
  .mask_i         (u_rotate.mask_q)
);
