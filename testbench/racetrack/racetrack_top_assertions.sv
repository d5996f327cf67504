// The rows that are looked up are in use, and the rows in use are there.
module racetrack_top_assertions #(
  parameter int unsigned RowsPerBank = 128
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] rows_in_use_i,
  input logic        row_fault_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      RowInUse :
      assert (!row_fault_i)
      else $error("RowInUse: access beyond the rows in use");
      RowsAreThere :
      assert (32'(rows_in_use_i) <= RowsPerBank)
      else $error("RowsAreThere: %0d rows in use, %0d elaborated", rows_in_use_i, RowsPerBank);
    end
  end

endmodule
