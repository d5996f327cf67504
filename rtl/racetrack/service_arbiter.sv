// The request arbitrator: which banks are served in a cycle, four at most (section 2.3).
//
// A bank that was chosen stays served until its access is done, shifts included. Places that are
// free go to further banks with a request; the priority rotates.
module service_arbiter
  import baseline_pkg::*;
  import racetrack_pkg::*;
(
  input  logic      clk_i,
  input  logic      rst_ni,
  input  bank_set_t request_i,
  input  bank_set_t done_i,    // of the served banks: this cycle ends the access
  output bank_set_t served_o
);

  bank_set_t serving_q, kept, chosen, rest, candidates, winner;
  bank_set_t mask_q, mask_d;  // banks at and above the pointer
  logic [4:0] places;

  assign kept     = serving_q & request_i;
  assign places   = 5'(BanksServed) - 5'($countones(kept));
  assign served_o = kept | chosen;

  always_comb begin : choose
    rest       = request_i & ~kept;
    mask_d     = mask_q;
    chosen     = '0;
    candidates = '0;
    winner     = '0;
    for (int unsigned place = 0; place < BanksServed; place++) begin
      if (5'(place) < places && rest != '0) begin
        candidates = ((rest & mask_d) != '0) ? rest & mask_d : rest;
        winner     = candidates & (~candidates + bank_set_t'(1));
        chosen     = chosen | winner;
        rest       = rest & ~winner;
        mask_d     = ~(winner | (winner - bank_set_t'(1)));
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : state
    if (!rst_ni) begin
      serving_q <= '0;
      mask_q    <= '1;
    end else begin
      serving_q <= served_o & ~done_i;
      mask_q    <= mask_d;
    end
  end

endmodule
