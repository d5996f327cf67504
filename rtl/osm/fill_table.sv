// The lines that are on their way from the off-chip memory; an entry's number is the id of its
// request.
module fill_table
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // a fetch of a line begins
  output logic                 room_o,
  output fill_t                free_o,
  input  logic                 start_i,
  input  logic [IndexBits-1:0] line_i,
  // a line has come
  input  logic                 finish_i,
  input  fill_t                finish_id_i,
  output logic [IndexBits-1:0] finish_line_o,
  output logic                 empty_o
);

  logic [NumFills-1:0]  valid_q;
  logic [IndexBits-1:0] line_q [NumFills];

  always_comb begin : lowest_free
    free_o = '0;
    for (int f = int'(NumFills) - 1; f >= 0; f--) begin
      if (!valid_q[f]) free_o = fill_t'(f);
    end
  end

  assign room_o        = valid_q != '1;
  assign finish_line_o = line_q[finish_id_i];
  assign empty_o       = valid_q == '0;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      valid_q <= '0;
    end else begin
      if (start_i) valid_q[free_o] <= 1'b1;
      if (finish_i) valid_q[finish_id_i] <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (start_i) line_q[free_o] <= line_i;
  end

endmodule
