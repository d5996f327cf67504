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

  // Readable sources without a lower one of their collector in the same bank.
  source_set_t first [NumCollectors];

  // None of this depends on which collector a bank serves.
  always_comb begin : requests
    request_o = '{default: '0};
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      first[c] = readable_i[c];
      if (readable_i[c] != '0) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          for (int unsigned below = 0; below < s; below++) begin
            if (readable_i[c][below] && bank_i[c][below] == bank_i[c][s]) first[c][s] = 1'b0;
          end
          if (readable_i[c][s]) request_o[bank_i[c][s]][c] = 1'b1;
        end
      end
    end
  end

  logic [NumCollectors-1:0] served [NumBanks];  // the winner whose read begins

  always_comb begin : winners
    for (int unsigned b = 0; b < NumBanks; b++) begin
      served[b]              = '0;
      served[b][winner_i[b]] = grant_i[b];
      source_o[b]            = '0;  // unless it is another
      if (request_o[b] != '0) begin
        for (int unsigned s = 1; s < NumSources; s++) begin
          if (first[winner_i[b]][s] && bank_i[winner_i[b]][s] == BankBits'(b)) begin
            source_o[b] = source_t'(s);
          end
        end
      end
    end
  end

  always_comb begin : grants
    for (int unsigned c = 0; c < NumCollectors; c++) begin
      granted_o[c] = '0;
      if (readable_i[c] != '0) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          granted_o[c][s] = first[c][s] && served[bank_i[c][s]][c];
        end
      end
    end
  end

endmodule
