// Each fill that comes was asked for, and no line is fetched twice at once.
module fill_table_assertions
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [NumFills-1:0]  valid_i,
  input logic [IndexBits-1:0] line_i [NumFills],
  input logic                 start_i,
  input fill_t                free_i,
  input logic [IndexBits-1:0] start_line_i,
  input logic                 finish_i,
  input fill_t                finish_id_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      FillKnown :
      assert (!finish_i || valid_i[finish_id_i])
      else $error("FillKnown: fill %0d was not asked for", finish_id_i);
      StartFree :
      assert (!start_i || !valid_i[free_i])
      else $error("StartFree: fill %0d is under way", free_i);
      for (int unsigned f = 0; f < NumFills; f++) begin
        FetchedOnce :
        assert (!start_i || !valid_i[f] || line_i[f] != start_line_i)
        else $error("FetchedOnce: line %0d is under way as fill %0d", start_line_i, f);
      end
    end
  end

endmodule
