// The sectors of lines that are on their way from the off-chip memory; an entry's number is the id
// of its request.
module fill_table
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  // a fetch of sectors of a line begins
  output logic                 room_o,
  output fill_t                free_o,
  input  logic                 start_i,
  input  logic [IndexBits-1:0] line_i,
  input  sector_set_t          sectors_i,
  // they have come
  input  logic                 finish_i,
  input  fill_t                finish_id_i,
  output logic [IndexBits-1:0] finish_line_o,
  output sector_set_t          finish_sectors_o,
  output logic                 empty_o
);

  logic [NumFills-1:0]  in_use;
  logic [IndexBits-1:0] line_q [NumFills];
  sector_set_t          sectors_q [NumFills];

  number_pool #(
    .Numbers(NumFills)
  ) u_numbers (
    .clk_i,
    .rst_ni,
    .room_o,
    .free_o,
    .take_i    (start_i),
    .release_i (finish_i),
    .released_i(finish_id_i),
    .in_use_o  (in_use)
  );

  assign finish_line_o    = line_q[finish_id_i];
  assign finish_sectors_o = sectors_q[finish_id_i];
  assign empty_o          = in_use == '0;

  always_ff @(posedge clk_i) begin : payload
    if (start_i) begin
      line_q[free_o]    <= line_i;
      sectors_q[free_o] <= sectors_i;
    end
  end

endmodule
