// Answers on their way to the SM: the pipeline between the banks and the registers.
//
// An answer is written two cycles after its request's handshake at the earliest and comes out when
// the hit latency, counted from there, is over. A row stands for the cycle in which it comes out.
// An answer that comes soon takes the first row that no other has; that of the hit latency is
// always free, because each answer before was written with an earlier one.
module response_ring
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic [5:0]    hit_latency_i,
  input  logic          write_i,
  input  logic          soon_i,
  input  answer_t       answer_i,
  input  lane_data_t    data_i,
  output mem_response_t response_o,
  output lane_data_t    data_o,
  output logic          empty_o
);

  localparam int unsigned AnswerBits = $bits(answer_t);

  logic [RingBits-1:0] now_q, hit_row, first_row, write_row, read_row, distance;
  logic [RingRows-1:0] valid_q, taken;  // taken: the rows from first_row on
  logic                valid_out_q, read;
  logic [RingBits:0]   count_q;
  answer_t             answer_out;

  assign hit_row   = now_q + hit_latency_i - 6'd2;
  assign first_row = now_q + 6'd2;
  assign taken     = RingRows'({valid_q, valid_q} >> first_row);
  assign write_row = soon_i ? first_row + distance : hit_row;
  assign read_row  = now_q + 6'd1;
  assign read      = valid_q[read_row];
  assign empty_o   = count_q == '0;

  lowest_bit #(
    .Width(RingRows)
  ) u_first (
    .set_i  (~taken),
    .valid_o(),
    .bit_o  (),
    .index_o(distance)
  );

  sram_1r1w #(
    .Rows    (RingRows),
    .Lanes   (1),
    .LaneBits($bits(lane_data_t))
  ) u_data (
    .clk_i,
    .read_i         (read),
    .read_address_i (read_row),
    .read_data_o    (data_o),
    .write_i,
    .write_address_i(write_row),
    .lane_mask_i    (1'b1),
    .write_data_i   (data_i)
  );

  sram_1r1w #(
    .Rows    (RingRows),
    .Lanes   (1),
    .LaneBits(AnswerBits)
  ) u_answers (
    .clk_i,
    .read_i         (read),
    .read_address_i (read_row),
    .read_data_o    (answer_out),
    .write_i,
    .write_address_i(write_row),
    .lane_mask_i    (1'b1),
    .write_data_i   (answer_i)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      now_q       <= '0;
      valid_q     <= '0;
      valid_out_q <= 1'b0;
      count_q     <= '0;
    end else begin
      now_q       <= now_q + 6'd1;
      valid_out_q <= read;
      count_q     <= count_q + 7'(write_i) - 7'(read);
      if (read) valid_q[read_row] <= 1'b0;
      if (write_i) valid_q[write_row] <= 1'b1;
    end
  end

  assign response_o = '{
    valid:   valid_out_q,
    tag:     answer_out.tag,
    mask:    answer_out.mask,
    part:    answer_out.part,
    outcome: answer_out.outcome,
    store:   answer_out.store
  };

endmodule
