// The walk over all entries that ends a kernel: dirty lines are written back, and no line stays.
//
// One entry a cycle over all tag banks; one that had to be written back is visited once more.
module flush_unit
  import cerf_pkg::*;
(
  input  logic  clk_i,
  input  logic  rst_ni,
  input  logic  start_i,
  // to and from the tag banks
  output logic  flush_o,
  output line_t line_o,     // {way, set, tag bank} of the entry
  input  logic  flushed_i
);

  logic                 walks_q;
  logic [IndexBits-1:0] entry_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      walks_q <= 1'b0;
      entry_q <= '0;
    end else if (start_i) begin
      walks_q <= 1'b1;
      entry_q <= '0;
    end else if (flushed_i) begin
      walks_q <= entry_q != '1;
      entry_q <= entry_q + IndexBits'(1);
    end
  end

  assign flush_o = walks_q;
  assign line_o  = line_t'(entry_q);

endmodule
