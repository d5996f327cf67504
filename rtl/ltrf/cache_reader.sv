// Reads the operands that were looked up from the cache banks.
//
// Every operand asks for its cache bank; per bank write-backs go first, then one collector in
// rotating order. The data reach the collector one cycle after the read.
module cache_reader import heddle_port_pkg::*, ltrf_pkg::*; (
  input  logic                             clk_i,
  input  logic                             rst_ni,
  // from and to the collectors
  input  source_set_t                      readable_i [NumCollectors],
  input  cache_bank_t                      bank_i [NumCollectors][NumSources],
  input  slot_t                            slot_i [NumCollectors],
  output source_set_t                      granted_o [NumCollectors],
  // to and from the cache banks
  input  logic         [NumCacheBanks-1:0] taken_i,  // read by a write-back
  output logic         [NumCacheBanks-1:0] read_o,
  output slot_t        [NumCacheBanks-1:0] read_slot_o,
  // to the operand store, one cycle after the read
  output logic         [NumCacheBanks-1:0] deliver_o,
  output collector_t                       deliver_collector_o [NumCacheBanks],
  output source_t                          deliver_source_o [NumCacheBanks],
  // to the events
  output logic         [NumCacheBanks-1:0] conflict_o
);

  collector_set_t request [NumCacheBanks];
  collector_t     winner [NumCacheBanks];
  source_t        source [NumCacheBanks];

  read_requests #(
    .NumBanks     (NumCacheBanks),
    .NumCollectors(NumCollectors)
  ) u_requests (
    .readable_i,
    .bank_i,
    .request_o(request),
    .winner_i (winner),
    .grant_i  (read_o),
    .source_o (source),
    .granted_o
  );

  for (genvar b = 0; b < NumCacheBanks; b++) begin : gen_bank
    logic           requested;
    collector_set_t grant;

    rr_arbiter #(
      .Width(NumCollectors)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .request_i(request[b]),
      .advance_i(!taken_i[b]),
      .valid_o  (requested),
      .grant_o  (grant),
      .index_o  (winner[b])
    );

    assign read_o[b]      = requested && !taken_i[b];
    assign read_slot_o[b] = slot_i[winner[b]];
    assign conflict_o[b]  = requested && (taken_i[b] || (request[b] & ~grant) != '0);
  end

  logic [NumCacheBanks-1:0] arriving_q;
  collector_t               collector_q [NumCacheBanks];
  source_t                  source_q [NumCacheBanks];

  always_ff @(posedge clk_i or negedge rst_ni) begin : arrive
    if (!rst_ni) arriving_q <= '0;
    else arriving_q <= read_o;
  end

  always_ff @(posedge clk_i) begin : target
    for (int unsigned b = 0; b < NumCacheBanks; b++) begin
      if (read_o[b]) begin
        collector_q[b] <= winner[b];
        source_q[b]    <= source[b];
      end
    end
  end

  assign deliver_o           = arriving_q;
  assign deliver_collector_o = collector_q;
  assign deliver_source_o    = source_q;

endmodule
