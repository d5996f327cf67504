// A register through a crossbar lane, beat by beat: one of its data lanes, which the solver
// chooses, what travels beside it, and its time.
module crossbar_lane_formal
  import ltrf_pkg::*;
#(
  parameter int unsigned MetaBits = 16
) (
  input logic                clk_i,
  input logic                rst_ni,
  input logic [7:0]          cycles_i,
  input logic                start_i,
  input logic                late_i,
  input row_t                row_i,
  input logic [MetaBits-1:0] meta_i,
  input data_t               data_i,
  input logic                free_i,
  input logic                busy_i,
  input row_t                busy_row_i,
  input logic                beat_i,
  input logic                valid_i,
  input row_t                arrived_row_i,
  input logic [MetaBits-1:0] arrived_meta_i,
  input data_t               arrived_data_i,
  input logic                take_i,
  // what the lane keeps
  input logic [7:0]          left_i,
  input logic [MetaBits-1:0] busy_meta_i,
  input data_t               kept_data_i
);

  localparam int unsigned BeatLanes = heddle_port_pkg::NumLanes / NumBeats;

  typedef struct packed {
    row_t                row;
    logic [MetaBits-1:0] meta;
  } label_t;

  logic [4:0]  lane_q;     // any: of the row in the cycle of reset
  logic [2:0]  own_beat;   // the beat that moves this lane
  logic [2:0]  beats_q;    // of the register under way, so far
  logic        under_way_q, there_q, done;
  logic        free_q;     // the receiver's buffer was empty or taken in all cycles since the start
  logic [9:0]  age_q;      // cycles since the start
  logic [9:0]  due_q;      // cycles from the start to the last beat, if nothing is in the way
  label_t      sent_q, arrived_q;
  logic [31:0] moved_q;    // data of the chosen lane in the cycle of its beat

  assign own_beat = 3'(32'(lane_q) / BeatLanes);
  assign done     = beat_i && beats_q == 3'(NumBeats - 1);

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) begin
      under_way_q <= 1'b0;
      there_q     <= 1'b0;
    end else begin
      under_way_q <= start_i || (under_way_q && !done);
      there_q     <= done || (there_q && !take_i);
    end
  end

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) lane_q <= 5'(row_i);
  end

  always_ff @(posedge clk_i) begin : past
    if (start_i) begin
      beats_q <= '0;
      age_q   <= 10'd1;
      due_q   <= 10'(cycles_i) + 10'(late_i);
      free_q  <= 1'b1;
      sent_q  <= '{row: row_i, meta: meta_i};
    end else begin
      beats_q <= beats_q + 3'(beat_i);
      age_q   <= age_q + 10'd1;
      free_q  <= free_q && (!valid_i || take_i);
    end
    if (done) arrived_q <= sent_q;
    if (beat_i && beats_q == own_beat) moved_q <= data_i[lane_q];
  end

  always_comb begin : checks
    if (rst_ni) begin
      EnoughCycles : assume (cycles_i >= 8'(NumBeats));
      StartWhenFree : assume (!start_i || free_i);
      TakeWhenValid : assume (!take_i || valid_i);
      BusyTells : assert (busy_i == under_way_q && free_i == (!under_way_q || done));
      ValidTells : assert (valid_i == there_q);
      BeatIntoFreeBuffer : assert (!beat_i || (under_way_q && (!there_q || take_i)));
      OnTime :
      assert (!under_way_q || !free_q || (valid_i && !take_i) || done == (age_q == due_q));
      LabelsStay :
      assert ((!busy_i || busy_row_i == sent_q.row) &&
              (!valid_i || {arrived_row_i, arrived_meta_i} == arrived_q));
      DataOfBeats : assert (!valid_i || arrived_data_i[lane_q] == moved_q);
      BeatsByTime :
      assert (!under_way_q || 32'(beats_q) == (32'(left_i) < NumBeats ? NumBeats - 1 - 32'(left_i) :
                                                                       0));
      TimeLeft :
      assert (!under_way_q || !free_q ||
              (10'(left_i) + age_q == due_q && 32'(due_q) <= 256 && age_q != '0 &&
               age_q <= due_q));
      SentStays : assert (!under_way_q || {busy_row_i, busy_meta_i} == sent_q);
      MovedStays :
      assert (!under_way_q || beats_q <= own_beat || kept_data_i[lane_q] == moved_q);
      EmptyWhileBeats : assert (!under_way_q || beats_q == '0 || !there_q);
      SecondWaits : cover (valid_i && busy_i && age_q > due_q);
    end
  end

endmodule

bind crossbar_lane crossbar_lane_formal #(
  .MetaBits(MetaBits)
) u_formal (
  .clk_i,
  .rst_ni,
  .cycles_i,
  .start_i,
  .late_i,
  .row_i,
  .meta_i,
  .data_i,
  .free_i        (free_o),
  .busy_i        (busy_o),
  .busy_row_i    (busy_row_o),
  .beat_i        (beat_o),
  .valid_i       (valid_o),
  .arrived_row_i (row_o),
  .arrived_meta_i(meta_o),
  .arrived_data_i(data_o),
  .take_i,
  .left_i        (left_q),
  .busy_meta_i   (busy_meta_q),
  .kept_data_i   (data_q)
);
