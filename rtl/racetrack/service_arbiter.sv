// The request arbitrator: which banks are served in a cycle, four at most (section 2.3).
//
// The first four of an order are: the banks chosen before, which stay served until their access is
// done or they ask no more, then the others with a request, from behind the last bank chosen on.
// How many come before each is counted for all at once, up to four.
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

  localparam int unsigned Ranks = 3 * NumBanks;

  // A count up to four in unary: bit n says that there are more than n.
  typedef logic [BanksServed-1:0] count_t;

  function automatic count_t sum(input count_t a, input count_t b);
    sum = a | b;
    for (int unsigned i = 0; i < BanksServed; i++) begin
      for (int unsigned j = 0; i + j + 1 < BanksServed; j++) begin
        sum[i+j+1] = sum[i+j+1] | (a[i] & b[j]);
      end
    end
  endfunction

  logic [NumBanks-1:0] serving_q, mask_q;  // mask: ones behind the last bank chosen
  logic [NumBanks-1:0] kept, waiting, chosen, last, mask_d;
  logic [Ranks-1:0]    order, first;
  count_t              up_to [Ranks];      // how many there are from the first rank to this one

  assign kept    = serving_q & request_i;
  assign waiting = request_i & ~kept;
  assign order   = {waiting & ~mask_q, waiting & mask_q, kept};

  // Each round adds to a rank what is counted up to the rank so many before it: 1, 2, 4, ...
  always_comb begin : count
    for (int r = 0; r < Ranks; r++) up_to[r] = count_t'(order[r]);
    for (int step = 1; step < Ranks; step *= 2) begin
      for (int r = Ranks - 1; r >= step; r--) up_to[r] = sum(up_to[r], up_to[r-step]);
    end
  end

  assign first[0] = order[0];
  for (genvar r = 1; r < Ranks; r++) begin : gen_rank
    assign first[r] = order[r] && !up_to[r-1][BanksServed-1];
  end

  assign served_o = first[0+:NumBanks] | first[NumBanks+:NumBanks] | first[2*NumBanks+:NumBanks];
  assign chosen   = served_o & ~kept;

  // The last one chosen lies before the pointer if any does.
  assign last = ((chosen & ~mask_q) != '0) ? chosen & ~mask_q : chosen;

  always_comb begin : pointer
    mask_d = mask_q;
    if (chosen != '0) begin
      for (int i = 0; i < NumBanks; i++) mask_d[i] = (last >> i) == '0;
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
