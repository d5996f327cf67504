// One 256-bit lane of the narrow crossbar between the register cache and the main register file
// (LTRF, section 5.2: bandwidth 4x smaller, 4 cycles a register).
//
// A register waits in a buffer of the sender (`data_i`, stable while `busy_o`), crosses in NumBeats
// beats and is assembled in the receiver's buffer. After `start_i` in cycle t with `late_i` = e
// and `cycles_i` = c (NumBeats or more) the last beat crosses in cycle t + c + e and `valid_o` is
// high from t + c + e + 1 until `take_i`. The first beat waits while the receiver's buffer is full
// and not taken. A start needs `free_o`: nothing in the lane, or its last beat.
module crossbar_lane import ltrf_pkg::*; #(
  parameter int unsigned MetaBits  = 16,
  parameter int unsigned Lanes     = 32,  // words of a register, a multiple of NumBeats
  parameter int unsigned LaneWidth = 32
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          cycles_i,
  input  logic                start_i,
  input  logic                late_i,       // the data come a cycle later
  input  row_t                row_i,        // with start
  input  logic [MetaBits-1:0] meta_i,       // with start
  input  logic [Lanes-1:0][LaneWidth-1:0] data_i,
  output logic                free_o,
  output logic                busy_o,
  output row_t                busy_row_o,
  output logic                beat_o,       // 256 bits cross in this cycle
  output logic                valid_o,
  output row_t                row_o,
  output logic [MetaBits-1:0] meta_o,
  output logic [Lanes-1:0][LaneWidth-1:0] data_o,
  input  logic                take_i
);

  localparam int unsigned BeatLanes = Lanes / NumBeats;

  if (Lanes % NumBeats != 0) begin : gen_lanes_check
    $fatal(1, "Lanes is a multiple of %0d", NumBeats);
  end

  logic                busy_q, valid_q, beat, last, hold;
  logic [7:0]          left_q;  // cycles until the last beat
  logic [1:0]          part;
  logic [MetaBits-1:0] busy_meta_q, meta_q;
  row_t                busy_row_q, row_q;

  logic [Lanes-1:0][LaneWidth-1:0] data_q;

  assign hold        = left_q < 8'(NumBeats) && valid_q && !take_i;
  assign beat        = busy_q && left_q < 8'(NumBeats) && (!valid_q || take_i);
  assign last        = beat && left_q == 8'd0;
  assign part        = 2'(NumBeats - 1) - left_q[1:0];
  assign free_o      = !busy_q || left_q == 8'd0;  // the last beat never waits
  assign busy_o      = busy_q;
  assign busy_row_o  = busy_row_q;
  assign row_o       = row_q;
  assign beat_o      = beat;
  assign valid_o     = valid_q;
  assign meta_o      = meta_q;
  assign data_o      = data_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      valid_q <= 1'b0;
    end else begin
      if (start_i) busy_q <= 1'b1;
      else if (last) busy_q <= 1'b0;
      if (last) valid_q <= 1'b1;
      else if (take_i) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : transfer
    if (start_i) left_q <= cycles_i + 8'(late_i) - 8'd1;
    else if (busy_q && !last && !hold) left_q <= left_q - 8'd1;
    if (start_i) begin
      busy_row_q  <= row_i;
      busy_meta_q <= meta_i;
    end
    if (last) begin
      row_q  <= busy_row_q;
      meta_q <= busy_meta_q;
    end
    if (beat) begin
      for (int unsigned p = 0; p < NumBeats; p++) begin
        if (part == 2'(p)) data_q[p*BeatLanes+:BeatLanes] <= data_i[p*BeatLanes+:BeatLanes];
      end
    end
  end

endmodule
