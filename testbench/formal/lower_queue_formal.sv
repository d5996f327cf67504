// The queue against one of its own: requests in their order, each with its data, late or not.
module lower_queue_formal
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Depth     = 8,
  parameter  int unsigned Words     = LineBytes / 4,
  parameter  int unsigned WordBits  = LaneBits,
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input logic                           clk_i,
  input logic                           rst_ni,
  input logic                           push_i,
  input mem_lower_request_t             request_i,
  input logic                           late_i,
  input logic [Words-1:0][WordBits-1:0] data_i,
  input logic [PlaceBits-1:0]           place_i,
  input logic                           room_i,
  input logic                           fill_i,
  input logic [PlaceBits-1:0]           fill_place_i,
  input logic [Words-1:0][WordBits-1:0] fill_data_i,
  input mem_lower_request_t             oldest_i,
  input logic [Words-1:0][WordBits-1:0] oldest_data_i,
  input logic                           ready_i,
  input logic                           popped_i,
  input logic                           empty_i,
  // what the queue keeps
  input logic [PlaceBits-1:0]           head_i,
  input logic [PlaceBits:0]             count_i,
  input logic [Depth-1:0]               filled_i,
  input mem_lower_request_t             kept_i [Depth],
  input logic [Words-1:0][WordBits-1:0] kept_data_i [Depth]
);

  // One request that the solver chooses by when it is pushed.
  logic                           chosen, in_q, due_q;  // it is pushed, queued, waits for its data
  logic [PlaceBits-1:0]           place_q;
  logic [PlaceBits:0]             before_q;  // requests that are to leave before it
  mem_lower_request_t             request_q;
  logic [Words-1:0][WordBits-1:0] data_q;
  logic                           choose;    // any
  logic [PlaceBits-1:0]           distance;

  assign choose   = data_i[0][0];  // what the data are is not the queue's business
  assign chosen   = push_i && choose && !in_q;
  assign distance = place_q - head_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : follow
    if (!rst_ni) begin
      in_q  <= 1'b0;
      due_q <= 1'b0;
    end else if (chosen) begin
      in_q  <= 1'b1;
      due_q <= late_i;
    end else begin
      if (popped_i && before_q == '0) in_q <= 1'b0;
      if (fill_i && fill_place_i == place_q) due_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : content
    if (chosen) begin
      place_q   <= place_i;
      before_q  <= count_i - (PlaceBits + 1)'(popped_i);
      request_q <= request_i;
      data_q    <= data_i;
    end else begin
      if (popped_i && before_q != '0) before_q <= before_q - (PlaceBits + 1)'(1);
      if (fill_i && fill_place_i == place_q) data_q <= fill_data_i;
    end
  end

  logic [Depth-1:0] waiting_free;  // places without a request that wait for data

  for (genvar p = 0; p < Depth; p++) begin : gen_place
    logic [PlaceBits-1:0] behind_head;
    assign behind_head     = PlaceBits'(p) - head_i;
    assign waiting_free[p] = !filled_i[p] && (PlaceBits + 1)'(behind_head) >= count_i;
  end

  mem_lower_request_t expected;
  always_comb begin : offered
    expected       = request_q;
    expected.valid = !due_q;
  end

  always_comb begin : checks
    if (rst_ni) begin
      PushOnlyWithRoom : assume (!push_i || room_i);
      DataOnlyWhereDue : assume (!fill_i || !filled_i[fill_place_i]);
      InTurn : assert (!in_q || before_q != '0 || (!empty_i && oldest_i == expected));
      DataOfRequest :
      assert (!in_q || before_q != '0 || due_q || oldest_data_i == data_q);
      PopsOffered : assert (popped_i == (oldest_i.valid && ready_i));
      NotOverwritten : assert (!in_q || !push_i || place_i != place_q);
      InItsPlace :
      assert (!in_q || (before_q == (PlaceBits + 1)'(distance) && before_q < count_i &&
                        kept_i[place_q] == request_q && filled_i[place_q] == !due_q &&
                        (due_q || kept_data_i[place_q] == data_q)));
      FreeIsReady : assert (waiting_free == '0);
      TailBehindItems : assert (place_i == head_i + PlaceBits'(count_i));
      CountInRange : assert (count_i <= (PlaceBits + 1)'(Depth));
      LateLeaves : cover (in_q && popped_i && before_q == '0 && 32'(count_i) == Depth);
    end
  end

endmodule

bind lower_queue lower_queue_formal #(
  .Depth   (Depth),
  .Words   (Words),
  .WordBits(WordBits)
) u_formal (
  .clk_i,
  .rst_ni,
  .push_i,
  .request_i,
  .late_i,
  .data_i,
  .place_i      (place_o),
  .room_i       (room_o),
  .fill_i,
  .fill_place_i,
  .fill_data_i,
  .oldest_i     (request_o),
  .oldest_data_i(data_o),
  .ready_i,
  .popped_i     (popped_o),
  .empty_i      (empty_o),
  .head_i       (head),
  .count_i      (count_o),
  .filled_i     (ready_q),
  .kept_i       (request_q),
  .kept_data_i  (data_q)
);
