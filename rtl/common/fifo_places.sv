// The places of a queue, first in, first out; what is queued lies with the instance that uses it.
module fifo_places #(
  parameter  int unsigned Depth     = 8,  // a power of two
  localparam int unsigned PlaceBits = $clog2(Depth)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic                 push_i,   // only with room
  input  logic                 pop_i,    // only when not empty
  output logic [PlaceBits-1:0] head_o,   // the oldest
  output logic [PlaceBits-1:0] tail_o,   // the next one that is filled
  output logic [PlaceBits:0]   count_o,
  output logic                 room_o,
  output logic                 empty_o
);

  if (Depth < 2 || Depth != 2 ** PlaceBits) begin : gen_bad_depth
    $fatal(1, "Depth is a power of two, 2 or more");
  end

  logic [PlaceBits-1:0] head_q, tail_q;
  logic [PlaceBits:0]   count_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      head_q  <= '0;
      tail_q  <= '0;
      count_q <= '0;
    end else begin
      if (push_i) tail_q <= tail_q + PlaceBits'(1);
      if (pop_i) head_q <= head_q + PlaceBits'(1);
      count_q <= count_q + (PlaceBits + 1)'(push_i) - (PlaceBits + 1)'(pop_i);
    end
  end

  assign head_o  = head_q;
  assign tail_o  = tail_q;
  assign count_o = count_q;
  assign room_o  = count_q != (PlaceBits + 1)'(Depth);
  assign empty_o = count_q == '0;

endmodule
