// The requests of every collector at every bank, and what is granted of them.
module read_requests_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned NumBanks      = DefaultBanks,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned BankBits      = $clog2(NumBanks)
) (
  input source_set_t              readable_i [NumCollectors],
  input logic [BankBits-1:0]      bank_i [NumCollectors][NumSources],
  input logic [NumCollectors-1:0] request_i [NumBanks],
  input logic [CollectorBits-1:0] winner_i [NumBanks],
  input logic [NumBanks-1:0]      grant_i,
  input source_t                  source_i [NumBanks],
  input source_set_t              granted_i [NumCollectors]
);

  logic [NumBanks-1:0] unasked;

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    source_set_t below;

    assign unasked[b] = grant_i[b] && !request_i[b][winner_i[b]];
    assign below      = (source_set_t'(1) << source_i[b]) - source_set_t'(1);

    for (genvar c = 0; c < NumCollectors; c++) begin : gen_collector
      source_set_t here;  // sources of this collector that can be read and lie in this bank

      for (genvar s = 0; s < NumSources; s++) begin : gen_source
        assign here[s] = readable_i[c][s] && bank_i[c][s] == BankBits'(b);
      end

      always_comb begin : checks
        AsksWhereSourcesLie : assert (request_i[b][c] == (here != '0));
        LowestSource :
        assert (!grant_i[b] || winner_i[b] != CollectorBits'(c) ||
                (here[source_i[b]] && (here & below) == '0));
      end
    end
  end

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_granted
    source_set_t reads [NumBanks+1];  // that begin for this collector, in the banks below
    assign reads[0] = '0;

    for (genvar b = 0; b < NumBanks; b++) begin : gen_sum
      assign reads[b+1] = reads[b] | ((grant_i[b] && winner_i[b] == CollectorBits'(c)) ?
                                      source_set_t'(1) << source_i[b] : '0);
    end

    always_comb begin : checks
      GrantedTells : assert (granted_i[c] == reads[NumBanks]);
    end
  end

  always_comb begin : checks
    GrantHadRequest : assume (unasked == '0);
    AllOfOne : cover ($countones(granted_i[0]) == NumSources);
  end

endmodule

bind read_requests read_requests_formal #(
  .NumBanks     (NumBanks),
  .NumCollectors(NumCollectors)
) u_formal (
  .readable_i,
  .bank_i,
  .request_i(request_o),
  .winner_i,
  .grant_i,
  .source_i (source_o),
  .granted_i(granted_o)
);
