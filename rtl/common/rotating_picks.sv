// Gives each taker a request of its own in rotating order.
//
// The lowest taker has the first request at or after the pointer, wrapping around, the next one the
// first behind that, and so on; the pointer moves behind the last one taken.
module rotating_picks #(
  parameter  int unsigned Width     = 16,
  parameter  int unsigned Picks     = 2,
  localparam int unsigned IndexBits = (Width > 1) ? $clog2(Width) : 1
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Width-1:0]     request_i,
  input  logic [Picks-1:0]     take_i,
  output logic [Picks-1:0]     valid_o,          // there was a request left
  output logic [IndexBits-1:0] index_o [Picks],  // 0 where nothing is taken
  output logic [Width-1:0]     taken_o
);

  logic [Width-1:0] mask_q, mask_d;  // ones at and above the pointer
  logic [Width-1:0] rest, candidates, winner;

  always_comb begin : pick
    rest       = request_i;
    mask_d     = mask_q;
    candidates = '0;
    winner     = '0;
    for (int unsigned p = 0; p < Picks; p++) begin
      valid_o[p] = take_i[p] && rest != '0;
      index_o[p] = '0;
      if (valid_o[p]) begin
        candidates = ((rest & mask_d) != '0) ? rest & mask_d : rest;
        winner     = candidates & (~candidates + Width'(1));
        for (int unsigned i = 0; i < Width; i++) begin
          if (winner[i]) index_o[p] = IndexBits'(i);
        end
        rest   = rest & ~winner;
        mask_d = ~(winner | (winner - Width'(1)));
      end
    end
  end

  assign taken_o = request_i & ~rest;

  always_ff @(posedge clk_i or negedge rst_ni) begin : pointer
    if (!rst_ni) begin
      mask_q <= '1;
    end else begin
      mask_q <= mask_d;
    end
  end

endmodule
