// The request arbitrator: which banks are served in a cycle, four at most (section 2.3).
//
// A bank that was chosen stays served until its access is done, shifts included. Places that are
// free go to further banks with a request; the priority rotates.
module service_arbiter
  import racetrack_pkg::*;
#(
  parameter int unsigned NumBanks = shell_pkg::DefaultBanks
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [NumBanks-1:0] request_i,
  input  logic [NumBanks-1:0] done_i,    // of the served banks: this cycle ends the access
  output logic [NumBanks-1:0] served_o
);

  localparam int unsigned CountBits = $clog2(NumBanks + 1);
  localparam int unsigned IndexBits = (NumBanks > 1) ? $clog2(NumBanks) : 1;

  logic [NumBanks-1:0]    serving_q, kept, chosen;
  logic [CountBits-1:0]   busy;
  logic [BanksServed-1:0] place_free, unused_valid;
  logic [IndexBits-1:0]   unused_index [BanksServed];

  assign kept     = serving_q & request_i;
  assign busy     = CountBits'($countones(kept));
  assign served_o = kept | chosen;

  for (genvar place = 0; place < BanksServed; place++) begin : gen_place
    assign place_free[place] = 32'(busy) + place < BanksServed;
  end

  rotating_picks #(
    .Width(NumBanks),
    .Picks(BanksServed)
  ) u_choose (
    .clk_i,
    .rst_ni,
    .request_i(request_i & ~kept),
    .take_i   (place_free),
    .valid_o  (unused_valid),
    .index_o  (unused_index),
    .taken_o  (chosen)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : state
    if (!rst_ni) begin
      serving_q <= '0;
    end else begin
      serving_q <= served_o & ~done_i;
    end
  end

endmodule
