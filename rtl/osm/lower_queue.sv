// Fetches and write-backs on their way to the off-chip memory, in order: a write-back of a line is
// always in front of its next fetch. The oldest is in register 0, which is the output.
module lower_queue
  import heddle_port_pkg::*;
  import osm_pkg::*;
(
  input  logic               clk_i,
  input  logic               rst_ni,
  input  logic               push_i,
  input  mem_lower_request_t request_i,
  input  line_data_t         data_i,
  output mem_lower_request_t request_o,
  output line_data_t         data_o,
  input  logic               ready_i,
  output logic [3:0]         count_o,
  output logic               empty_o
);

  mem_lower_request_t request_q [LowerDepth];
  line_data_t         data_q [LowerDepth];
  logic [3:0]         count_q, kept;
  logic               pop;

  assign pop       = request_q[0].valid && ready_i;
  assign kept      = count_q - 4'(pop);
  assign request_o = request_q[0];
  assign data_o    = data_q[0];
  assign count_o   = count_q;
  assign empty_o   = count_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      count_q <= '0;
      for (int unsigned i = 0; i < LowerDepth; i++) request_q[i] <= '0;
    end else begin
      count_q <= kept + 4'(push_i);
      if (pop) begin
        for (int unsigned i = 0; i + 1 < LowerDepth; i++) request_q[i] <= request_q[i+1];
        request_q[LowerDepth-1] <= '0;
      end
      if (push_i) request_q[kept[2:0]] <= request_i;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (pop) begin
      for (int unsigned i = 0; i + 1 < LowerDepth; i++) data_q[i] <= data_q[i+1];
    end
    if (push_i) data_q[kept[2:0]] <= data_i;
  end

endmodule
