// Requests on their way to the memory below, in order.
//
// The data of a request come with it or, where they are read out of a memory first, later; the
// queue waits for those of its oldest request.
module lower_queue
  import heddle_port_pkg::*;
#(
  parameter  int unsigned Depth     = 8,  // a power of two
  parameter  int unsigned Words     = LineBytes / 4,
  parameter  int unsigned WordBits  = LaneBits,
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  // a request; only with room
  input  logic                           push_i,
  input  mem_lower_request_t             request_i,
  input  logic                           late_i,        // its data come later
  input  logic [Words-1:0][WordBits-1:0] data_i,
  output logic [PlaceBits-1:0]           place_o,       // that it takes
  output logic                           room_o,
  // the data of a request that waits for them
  input  logic                           fill_i,
  input  logic [PlaceBits-1:0]           fill_place_i,
  input  logic [Words-1:0][WordBits-1:0] fill_data_i,
  // to the memory below
  output mem_lower_request_t             request_o,
  output logic [Words-1:0][WordBits-1:0] data_o,
  input  logic                           ready_i,
  output logic                           popped_o,
  output logic                           empty_o,
  output logic [PlaceBits:0]             count_o
);

  mem_lower_request_t             request_q [Depth];
  logic [Words-1:0][WordBits-1:0] data_q [Depth];
  logic [Depth-1:0]               ready_q;  // does not wait for its data; so is a free place
  logic [PlaceBits-1:0]           head;

  fifo_places #(
    .Depth(Depth)
  ) u_places (
    .clk_i,
    .rst_ni,
    .push_i,
    .pop_i  (popped_o),
    .head_o (head),
    .tail_o (place_o),
    .count_o,
    .room_o,
    .empty_o
  );

  always_comb begin : oldest
    request_o       = request_q[head];
    request_o.valid = !empty_o && ready_q[head];
  end

  assign data_o   = data_q[head];
  assign popped_o = request_o.valid && ready_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      ready_q <= '1;
    end else begin
      if (fill_i) ready_q[fill_place_i] <= 1'b1;
      if (push_i) ready_q[place_o] <= !late_i;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (push_i) begin
      request_q[place_o] <= request_i;
      if (!late_i) data_q[place_o] <= data_i;
    end
    if (fill_i) data_q[fill_place_i] <= fill_data_i;
  end

endmodule
