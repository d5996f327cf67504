// The response register of the memory port.
//
// A hit and the acknowledgement of a store go along with the data banks for two cycles; they cannot
// wait and come first. What waits for a line that came back takes the cycles between.
module response_unit
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic          clk_i,
  input  logic          rst_ni,
  // from the tagging stage
  input  logic          hit_i,          // a load that hits, or a store
  input  waiting_t      hit_waiting_i,
  input  tag_bank_t     hit_bank_i,
  // from the data banks, two cycles later
  input  data_t         data_i [NumTagBanks],
  // from and to the fill unit
  input  logic          answer_i,
  input  waiting_t      answer_waiting_i,
  input  data_t         answer_line_i,
  output logic          answered_o,
  // to the SM
  output mem_response_t response_o,
  output lane_words_t   response_data_o,
  output logic          idle_o
);

  logic          access_q, data_q, load;
  waiting_t      access_waiting_q, data_waiting_q, waiting;
  tag_bank_t     access_bank_q, data_bank_q;
  mem_response_t response_q;
  lane_words_t   response_data_q, words;

  assign answered_o = answer_i && !data_q;
  assign waiting    = data_q ? data_waiting_q : answer_waiting_i;
  assign load       = (data_q || answered_o) && !waiting.store;

  lane_gather u_gather (
    .enable_i   (load),
    .size_log2_i(waiting.size_log2),
    .offset_i   (waiting.offset),
    .line_i     (data_q ? data_i[data_bank_q] : answer_line_i),
    .words_o    (words)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      access_q   <= 1'b0;
      data_q     <= 1'b0;
      response_q <= '0;
    end else begin
      access_q           <= hit_i;
      data_q             <= access_q;
      response_q.valid   <= data_q || answered_o;
      response_q.tag     <= waiting.tag;
      response_q.mask    <= waiting.mask;
      response_q.part    <= waiting.part;
      response_q.outcome <= waiting.outcome;
      response_q.store   <= waiting.store;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (hit_i) begin
      access_waiting_q         <= hit_waiting_i;
      access_waiting_q.outcome <= MemHit;
      access_bank_q            <= hit_bank_i;
    end
    if (access_q) begin
      data_waiting_q <= access_waiting_q;
      data_bank_q    <= access_bank_q;
    end
    if (load) response_data_q <= words;
  end

  assign response_o      = response_q;
  assign response_data_o = response_data_q;
  assign idle_o          = !access_q && !data_q && !response_q.valid;

endmodule
