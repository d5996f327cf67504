// Which collectors ask which bank, and which source a bank reads for the one that it serves.
//
// A collector may have reads at several banks at once, and at one bank one after the other, lowest
// source first.
module read_requests
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned NumBanks      = DefaultBanks,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned BankBits      = $clog2(NumBanks)
) (
  // from the collectors: sources that can be read, and their banks
  input  source_set_t              readable_i [NumCollectors],
  input  logic [BankBits-1:0]      bank_i [NumCollectors][NumSources],
  // to and from the arbiters of the banks
  output logic [NumCollectors-1:0] request_o [NumBanks],
  input  logic [CollectorBits-1:0] winner_i [NumBanks],  // one that asks, where there is one
  input  logic [NumBanks-1:0]      grant_i,              // the winner's read begins
  output source_t                  source_o [NumBanks],  // of the winner
  // to the collectors
  output source_set_t              granted_o [NumCollectors]
);

  always_comb begin : requests
    request_o = '{default: '0};
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      if (readable_i[c] != '0) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          if (readable_i[c][s]) request_o[bank_i[c][s]][c] = 1'b1;
        end
      end
    end
  end

  source_set_t         here   [NumBanks];  // sources of the winner that lie in this bank
  source_set_t         lowest [NumBanks];
  logic [NumBanks-1:0] unused_any;

  always_comb begin : winners
    for (int unsigned b = 0; b < NumBanks; b++) begin
      here[b] = '0;
      if (request_o[b] != '0) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          here[b][s] = readable_i[winner_i[b]][s] && bank_i[winner_i[b]][s] == BankBits'(b);
        end
      end
    end
  end

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    lowest_bit #(
      .Width(NumSources)
    ) u_lowest (
      .set_i  (here[b]),
      .valid_o(unused_any[b]),
      .bit_o  (lowest[b]),
      .index_o(source_o[b])
    );
  end

  logic [NumCollectors-1:0] served    [NumBanks];    // the winner whose read begins
  logic [NumCollectors-1:0] by_source [NumSources];  // those granted the source

  // Every bank grants by itself: none is behind another on a path.
  always_comb begin : grants
    for (int unsigned b = 0; b < NumBanks; b++) begin
      served[b]              = '0;
      served[b][winner_i[b]] = grant_i[b];
    end
    for (int unsigned s = 0; s < NumSources; s++) begin
      by_source[s] = '0;
      for (int unsigned b = 0; b < NumBanks; b++) begin
        by_source[s] = by_source[s] | (served[b] & {NumCollectors{lowest[b][s]}});
      end
      for (int unsigned c = 0; c < NumCollectors; c++) granted_o[c][s] = by_source[s][c];
    end
  end

endmodule
