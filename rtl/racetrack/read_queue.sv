// Read requests of one bank, in the order in which the collectors' requests were granted.
//
// One request enters and one leaves a cycle. The rotating priority among the collectors is that of
// the baseline's arbiter.
module read_queue
  import shell_pkg::*;
  import racetrack_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  // from and to the collectors
  input  collector_set_t request_i,
  output logic           grant_o,
  output collector_t     collector_o,
  // of the granted request, looked up in the same cycle
  input  source_t        source_i,
  input  place_t         place_i,
  // the oldest request
  output logic           valid_o,
  output place_t         place_o,
  output target_t        target_o,
  input  logic           pop_i
);

  localparam int unsigned SlotBits = $clog2(QueueDepth);

  typedef logic [SlotBits-1:0] slot_t;

  place_t             place_q  [QueueDepth];
  target_t            target_q [QueueDepth];
  slot_t       head_q, tail_q;
  logic [SlotBits:0] count_q;
  logic               requested;
  collector_set_t     winner;

  rr_arbiter #(
    .Width(DefaultCollectors)
  ) u_rotate (
    .clk_i,
    .rst_ni,
    .request_i,
    .advance_i(grant_o),
    .valid_o  (requested),
    .grant_o  (winner),
    .index_o  (collector_o)
  );

  assign grant_o  = requested && count_q != (SlotBits + 1)'(QueueDepth);
  assign valid_o  = count_q != '0;
  assign place_o  = place_q[head_q];
  assign target_o = target_q[head_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (grant_o) tail_q <= tail_q + slot_t'(1);
      if (pop_i) head_q <= head_q + slot_t'(1);
      count_q <= count_q + (SlotBits + 1)'(grant_o) - (SlotBits + 1)'(pop_i);
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (grant_o) begin
      place_q[tail_q]  <= place_i;
      target_q[tail_q] <= '{collector: collector_o, source: source_i};
    end
  end

  // The one-hot form serves the assertions.
  logic unused_winner;
  assign unused_winner = ^winner;

endmodule
