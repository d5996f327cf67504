// The answer of one row and the data of one lane of it, that the solver chooses, from their write
// to the cycle that the row stands for.
module response_ring_formal
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [5:0]          hit_latency_i,
  input logic                write_i,
  input logic                soon_i,
  input answer_t             answer_i,
  input lane_data_t          data_i,
  input mem_response_t       response_i,
  input lane_data_t          response_data_i,
  input logic                empty_i,
  // what the ring keeps; of the memories the row that is chosen
  input logic [RingBits-1:0] now_i,
  input logic [RingRows-1:0] valid_i,
  input logic [RingBits-1:0] row_i,      // where an answer is written
  input logic [RingBits:0]   count_i,
  input answer_t             kept_answer_i,
  input lane_data_t          kept_data_i
);

  logic [RingBits-1:0] kept_row;  // any: what the latency is in the cycle of reset
  logic                kept_lane;
  // Any lane: what the answer is in the cycle of reset; and its data.
  logic [$clog2(NumLanes)-1:0] lane_q;
  logic [MaxWords-1:0][31:0]   data_q;

  logic [RingBits-1:0] time_q;       // cycles since reset, modulo RingRows; so is what it begins at
  logic [5:0]          latency_q;
  logic                started_q;
  logic [RingBits-1:0] distance;     // cycles until the chosen row's
  logic [RingBits-1:0] due;          // cycles until the answer comes out that is written
  logic                chosen, in_q;
  logic [RingBits:0]   held_q, waits;  // answers until they are out; those that are not coming out
  answer_t             answer_q;
  logic [RingRows-1:0] late;         // rows with an answer that a hit of now would not be behind

  assign kept_lane = 1'b0;
  assign distance  = kept_row - time_q;
  assign due       = row_i - time_q;
  assign chosen    = write_i && row_i == kept_row;
  assign waits     = held_q - (RingBits + 1)'(response_i.valid);

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      kept_row <= hit_latency_i;
      lane_q   <= $clog2(NumLanes)'(answer_i);
    end
    latency_q <= hit_latency_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : schedule
    if (!rst_ni) begin
      started_q <= 1'b0;
      time_q    <= '0;
      in_q      <= 1'b0;
      held_q    <= '0;
    end else begin
      started_q <= 1'b1;
      time_q    <= time_q + 6'd1;
      in_q      <= chosen || (in_q && distance != '0);
      held_q    <= waits + (RingBits + 1)'(write_i);
    end
  end

  always_ff @(posedge clk_i) begin : content
    if (chosen) begin
      answer_q <= answer_i;
      data_q   <= data_i[lane_q];
    end
  end

  for (genvar r = 0; r < RingRows; r++) begin : gen_row
    logic [RingBits-1:0] cycles;

    assign cycles  = RingBits'(r) - time_q;
    assign late[r] = valid_i[r] && (cycles == '0 || cycles >= hit_latency_i - 6'd2);
  end

  always_comb begin : checks
    if (rst_ni) begin
      LatencyIsEnough : assume (hit_latency_i >= 6'd4);
      LatencyHeld : assume (!started_q || hit_latency_i == latency_q);
      TimeAgrees : assert (now_i == time_q);
      NoneAtFirst : assert (started_q || (valid_i == '0 && !in_q));
      NoneLate : assert (late == '0);
      RowIsIn : assert (valid_i[kept_row] == (in_q && distance != '0));
      RowIsKept :
      assert (!in_q || distance == '0 ||
              {kept_answer_i, kept_data_i[lane_q]} == {answer_q, data_q});
      CountIsWaiting : assert (count_i == waits);

      HitInItsCycle : assert (!write_i || soon_i || due == hit_latency_i - 6'd2);
      SoonInTheFirst :
      assert (!write_i || !soon_i ||
              (due >= 6'd2 && due <= hit_latency_i - 6'd2 &&
               (distance < 6'd2 || distance >= due || in_q)));
      NoCollision : assert (!chosen || !in_q);
      InItsCycle : assert (distance != '0 || response_i.valid == in_q);
      AsWritten :
      assert (!in_q || distance != '0 ||
              (response_i == {1'b1, answer_q.tag, answer_q.mask, answer_q.part,
                               answer_q.outcome, answer_q.store} &&
               response_data_i[lane_q] == data_q));
      EmptyTells : assert (empty_i == (waits == '0));
      SoonBehindAnother :
      cover (write_i && soon_i && in_q && distance == 6'd2 && due == 6'd3 &&
             hit_latency_i > 6'd8);
    end
  end

endmodule

bind response_ring response_ring_formal u_formal (
  .clk_i,
  .rst_ni,
  .hit_latency_i,
  .write_i,
  .soon_i,
  .answer_i,
  .data_i,
  .response_i     (response_o),
  .response_data_i(data_o),
  .empty_i        (empty_o),
  .now_i          (now_q),
  .valid_i        (valid_q),
  .row_i          (write_row),
  .count_i        (count_q),
  .kept_answer_i  (u_answers.word_q),
  .kept_data_i    (u_data.word_q)
);
