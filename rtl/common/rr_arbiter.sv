// Rotating-priority arbiter.
//
// Grants the first request at or after the pointer, wrapping around; a grant that is taken
// (`advance_i`) moves the pointer behind the granted index. A request that stays up is therefore
// served after at most Width - 1 other grants.
module rr_arbiter #(
  parameter  int unsigned Width     = 16,
  localparam int unsigned IndexBits = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Width-1:0]     request_i,
  input  logic                 advance_i,
  output logic                 valid_o,
  output logic [Width-1:0]     grant_o,
  output logic [IndexBits-1:0] index_o
);

  // Ones at and above the pointer.
  logic [Width-1:0] mask_q, above;

  assign above = request_i & mask_q;

  lowest_bit #(
    .Width(Width)
  ) u_first (
    .set_i  ((above != '0) ? above : request_i),
    .valid_o,
    .bit_o  (grant_o),
    .index_o
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : pointer
    if (!rst_ni) begin
      mask_q <= '1;
    end else if (advance_i && valid_o) begin
      // Ones above the granted bit; none above the last one, so the pointer wraps to index 0.
      mask_q <= ~(grant_o | (grant_o - Width'(1)));
    end
  end

endmodule
