// The write buffer against a queue of its own, with the data of one lane that the solver chooses.
module bank_write_buffer_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  localparam int unsigned LaneIndexBits = $clog2(NumLanes)
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic                ready_i,
  input logic                push_i,
  input place_t              place_i,
  input logic [NumLanes-1:0] mask_i,
  input data_t               data_i,
  input logic                valid_i,
  input place_t              oldest_place_i,
  input logic [NumLanes-1:0] oldest_mask_i,
  input data_t               oldest_data_i,
  input logic                pop_i,
  input place_t              read_place_i,
  input logic                covered_i,
  input data_t               read_data_i,
  // what the buffer keeps
  input logic                kept_valid_i [BufferEntries],
  input place_t              kept_place_i [BufferEntries],
  input logic [NumLanes-1:0] kept_mask_i  [BufferEntries],
  input data_t               kept_data_i  [BufferEntries]
);

  typedef struct packed {
    place_t              place;
    logic [NumLanes-1:0] mask;
    logic [LaneBits-1:0] data;  // of the chosen lane
  } result_t;

  logic [LaneIndexBits-1:0] lane_q;  // any: what the data is in the cycle of reset
  logic [1:0]               count_q;
  result_t                  older_q, younger_q, pushed;
  logic                     older_hit, younger_hit;

  assign pushed      = '{place: place_i, mask: mask_i, data: data_i[lane_q]};
  assign older_hit   = count_q != '0 && older_q.place == read_place_i && older_q.mask[lane_q];
  assign younger_hit = count_q == 2'd2 && younger_q.place == read_place_i && younger_q.mask[lane_q];

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) lane_q <= LaneIndexBits'(data_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : number
    if (!rst_ni) count_q <= '0;
    else count_q <= count_q + 2'(push_i) - 2'(pop_i);
  end

  always_ff @(posedge clk_i) begin : queue
    if (pop_i) older_q <= younger_q;
    if (push_i) begin
      if (count_q - 2'(pop_i) == '0) older_q <= pushed;
      else younger_q <= pushed;
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      NoOverflow : assume (!push_i || count_q < 2'(BufferEntries));
      NoUnderflow : assume (!pop_i || count_q != '0);
      ReadyWithRoom : assert (ready_i == (count_q < 2'(BufferEntries)));
      NothingLost : assert (valid_i == (count_q != '0));
      OldestFirst :
      assert (!valid_i || {oldest_place_i, oldest_mask_i, oldest_data_i[lane_q]} == older_q);
      CoveredInAllLanes : assert (!covered_i || older_hit || younger_hit);
      YoungestData :
      assert (!covered_i || read_data_i[lane_q] == (younger_hit ? younger_q.data : older_q.data));
      ValidIsCount :
      assert ({kept_valid_i[1], kept_valid_i[0]} == {count_q == 2'd2, count_q != '0});
      CountInRange : assert (count_q <= 2'(BufferEntries));
      OlderIsKept :
      assert (count_q == '0 ||
              {kept_place_i[0], kept_mask_i[0], kept_data_i[0][lane_q]} == older_q);
      YoungerIsKept :
      assert (count_q != 2'd2 ||
              {kept_place_i[1], kept_mask_i[1], kept_data_i[1][lane_q]} == younger_q);
      CoveredByTwo : cover (covered_i && older_q.mask != '1 && younger_q.mask != '1);
    end
  end

endmodule

bind bank_write_buffer bank_write_buffer_formal u_formal (
  .clk_i,
  .rst_ni,
  .ready_i       (ready_o),
  .push_i,
  .place_i,
  .mask_i,
  .data_i,
  .valid_i       (valid_o),
  .oldest_place_i(place_o),
  .oldest_mask_i (mask_o),
  .oldest_data_i (data_o),
  .pop_i,
  .read_place_i,
  .covered_i     (covered_o),
  .read_data_i   (read_data_o),
  .kept_valid_i  (valid_q),
  .kept_place_i  (place_q),
  .kept_mask_i   (mask_q),
  .kept_data_i   (data_q)
);
