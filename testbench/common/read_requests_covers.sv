// What the reads of a file must be seen to do: conflicts of a bank between collectors and between
// sources of one, and many banks at once.
module read_requests_covers
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned NumBanks      = 16,
  parameter  int unsigned NumCollectors = 16,
  localparam int unsigned BankBits      = $clog2(NumBanks)
) (
  input logic                     clk_i,
  input logic                     rst_ni,
  input source_set_t              readable_i [NumCollectors],
  input logic [BankBits-1:0]      bank_i [NumCollectors][NumSources],
  input logic [NumCollectors-1:0] request_i [NumBanks],
  input logic [NumBanks-1:0]      grant_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  logic [NumBanks-1:0]      asked, contested;
  logic [NumCollectors-1:0] asks, repeats;  // two sources lie in one bank

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    assign asked[b]     = request_i[b] != '0;
    assign contested[b] = $countones(request_i[b]) > 1;
  end

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_collector
    assign asks[c] = readable_i[c] != '0;

    always_comb begin : sources
      repeats[c] = 1'b0;
      for (int unsigned s = 1; s < NumSources; s++) begin
        for (int unsigned t = 0; t < s; t++) begin
          if (readable_i[c][s] && readable_i[c][t] && bank_i[c][s] == bank_i[c][t]) begin
            repeats[c] = 1'b1;
          end
        end
      end
    end
  end

  NoneAsks : cover property (asks == '0);
  AllAsk : cover property (asks == '1);
  CollectorsOfOneBank : cover property (contested != '0);
  SourcesOfOneBank : cover property (repeats != '0);
  SeveralBanksGrant : cover property ($countones(grant_i) > 1);
  AskedBankDoesNotGrant : cover property ((asked & ~grant_i) != '0);

endmodule
