// What `make formal` proves of the fill table: the line of one number that the solver chooses.
module fill_table_formal
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic                 room_i,
  input fill_t                free_i,
  input logic                 start_i,
  input logic [IndexBits-1:0] line_i,
  input sector_set_t          sectors_i,
  input logic                 finish_i,
  input fill_t                finish_id_i,
  input logic [IndexBits-1:0] finish_line_i,
  input sector_set_t          finish_sectors_i,
  input logic                 empty_i,
  // what the table keeps
  input logic [NumFills-1:0]  in_use_i,
  input logic [IndexBits-1:0] kept_i [NumFills],
  input sector_set_t          kept_sectors_i [NumFills]
);

  fill_t                number_q;  // any: what the finished number is in the cycle of reset
  logic [NumFills-1:0]  open_q, open_d;
  logic [IndexBits-1:0] line_q;
  sector_set_t          sectors_q;

  always_comb begin : next
    open_d = open_q;
    if (finish_i) open_d[finish_id_i] = 1'b0;
    if (start_i) open_d[free_i] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) open_q <= '0;
    else open_q <= open_d;
  end

  always_ff @(posedge clk_i) begin : line
    if (!rst_ni) number_q <= finish_id_i;
    else if (start_i && free_i == number_q) begin
      line_q    <= line_i;
      sectors_q <= sectors_i;
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      StartWithRoom : assume (!start_i || room_i);
      FinishStarted : assume (!finish_i || open_q[finish_id_i]);
      NoNumberTwice : assert (!start_i || !open_q[free_i]);
      LineOfNumber :
      assert (!open_q[number_q] || finish_id_i != number_q || finish_line_i == line_q);
      SectorsOfNumber :
      assert (!open_q[number_q] || finish_id_i != number_q || finish_sectors_i == sectors_q);
      EmptyTells : assert (empty_i == (open_q == '0));
      RoomTells : assert (room_i == (open_q != '1));
      UseAgrees : assert (in_use_i == open_q);
      LineIsKept :
      assert (!open_q[number_q] ||
              {kept_i[number_q], kept_sectors_i[number_q]} == {line_q, sectors_q});
      FinishAndStart : cover (finish_i && start_i && finish_id_i == number_q && line_q != '0);
    end
  end

endmodule

bind fill_table fill_table_formal #(
  .IndexBits(IndexBits)
) u_formal (
  .clk_i,
  .rst_ni,
  .room_i       (room_o),
  .free_i       (free_o),
  .start_i,
  .line_i,
  .finish_i,
  .finish_id_i,
  .finish_line_i(finish_line_o),
  .sectors_i,
  .finish_sectors_i(finish_sectors_o),
  .empty_i      (empty_o),
  .in_use_i     (in_use),
  .kept_i       (line_q),
  .kept_sectors_i(sectors_q)
);
