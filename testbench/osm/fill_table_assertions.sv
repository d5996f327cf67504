// No sector is fetched twice at once.
module fill_table_assertions
  import osm_pkg::*;
#(
  parameter int unsigned IndexBits = 7
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [NumFills-1:0]  in_use_i,
  input logic [IndexBits-1:0] line_i [NumFills],
  input sector_set_t          sectors_i [NumFills],
  input logic                 start_i,
  input logic [IndexBits-1:0] start_line_i,
  input sector_set_t          start_sectors_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      for (int unsigned f = 0; f < NumFills; f++) begin
        FetchedOnce :
        assert (!start_i || !in_use_i[f] || line_i[f] != start_line_i ||
                (sectors_i[f] & start_sectors_i) == '0)
        else $error("FetchedOnce: sectors %b of line %0d are under way as fill %0d",
                    sectors_i[f], start_line_i, f);
      end
    end
  end

endmodule
