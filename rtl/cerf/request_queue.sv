// Two places for requests from the coalescer, in order.
module request_queue
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic         clk_i,
  input  logic         rst_ni,
  // from the coalescer
  input  mem_request_t request_i,
  input  lane_words_t  data_i,
  output logic         ready_o,
  // the oldest request
  output mem_request_t head_o,
  output lane_words_t  head_data_o,
  input  logic         take_i
);

  mem_request_t [1:0] request_q;
  lane_words_t        data_q [2];
  logic               head_q, tail_q, ready_q, put;
  logic [1:0]         count_q, count_d;

  assign put     = request_i.valid && ready_q;
  assign count_d = count_q + 2'(put) - 2'(take_i);

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      head_q  <= 1'b0;
      tail_q  <= 1'b0;
      count_q <= '0;
      ready_q <= 1'b1;
    end else begin
      count_q <= count_d;
      ready_q <= count_d != 2'd2;
      if (put) tail_q <= !tail_q;
      if (take_i) head_q <= !head_q;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (put) begin
      request_q[tail_q] <= request_i;
      data_q[tail_q]    <= data_i;
    end
  end

  always_comb begin : oldest
    head_o       = request_q[head_q];
    head_o.valid = count_q != '0;
  end

  assign head_data_o = data_q[head_q];
  assign ready_o     = ready_q;

endmodule
