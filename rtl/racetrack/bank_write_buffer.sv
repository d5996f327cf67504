// The write buffer of one bank: two results that wait for their domain to reach its port.
//
// First in, first out. A read of a place that the buffer covers in all lanes takes its data from
// here, the younger entry before the older one; a read of a place that it covers in part must wait.
module bank_write_buffer
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the staging buffer
  output logic                ready_o,
  input  logic                push_i,
  input  place_t              place_i,
  input  logic [Lanes-1:0]    mask_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] data_i,
  // the oldest result
  output logic                valid_o,
  output place_t              place_o,
  output logic [Lanes-1:0]    mask_o,
  output logic [Lanes-1:0][LaneWidth-1:0] data_o,
  input  logic                pop_i,
  // forwarding
  input  place_t              read_place_i,
  output logic                covered_o,
  output logic [Lanes-1:0][LaneWidth-1:0] read_data_o
);

  logic             valid_q [BufferEntries];  // entry 0 is the older one
  place_t           place_q [BufferEntries];
  logic [Lanes-1:0] mask_q  [BufferEntries];
  logic [Lanes-1:0] hit     [BufferEntries];
  logic             into;  // entry that a push fills

  logic [Lanes-1:0][LaneWidth-1:0] data_q [BufferEntries];

  assign ready_o = !valid_q[1];
  assign valid_o = valid_q[0];
  assign place_o = place_q[0];
  assign mask_o  = mask_q[0];
  assign data_o  = data_q[0];
  assign into    = valid_q[0] && !pop_i;

  for (genvar e = 0; e < BufferEntries; e++) begin : gen_hit
    assign hit[e] = (valid_q[e] && place_q[e] == read_place_i) ? mask_q[e] : '0;
  end

  assign covered_o = (hit[0] | hit[1]) == '1;

  always_comb begin : forward
    for (int unsigned lane = 0; lane < Lanes; lane++) begin
      read_data_o[lane] = hit[1][lane] ? data_q[1][lane] : data_q[0][lane];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q[0] <= 1'b0;
      valid_q[1] <= 1'b0;
    end else begin
      if (pop_i) begin
        valid_q[0] <= valid_q[1];
        valid_q[1] <= 1'b0;
      end
      if (push_i) valid_q[into] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (pop_i) begin
      place_q[0] <= place_q[1];
      mask_q[0]  <= mask_q[1];
      data_q[0]  <= data_q[1];
    end
    if (push_i) begin
      place_q[into] <= place_i;
      mask_q[into]  <= mask_i;
      data_q[into]  <= data_i;
    end
  end

endmodule
