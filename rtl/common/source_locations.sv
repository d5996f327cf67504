// Where the sources of the collectors lie, found when an instruction enters its collector.
module source_locations
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned NumBanks      = DefaultBanks,
  parameter  int unsigned IndexBits     = BaseBits,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned BankBits      = $clog2(NumBanks),
  localparam int unsigned RowBits       = IndexBits - BankBits
) (
  input  logic                     clk_i,
  input  logic                     interleaved_i,  // how registers lie, as locate says
  // from the SM's issue stage and the collectors
  input  issue_t [IssueWidth-1:0]  issue_i,
  input  logic [IssueWidth-1:0]    accept_i,
  input  logic [CollectorBits-1:0] collector_i [IssueWidth],
  // from the command port
  input  index_t                   base_i [NumWarps],
  // meaningful for the sources that an instruction has
  output logic [BankBits-1:0]      bank_o [NumCollectors][NumSources],
  output logic [RowBits-1:0]       row_o [NumCollectors][NumSources],
  output logic                     beyond_o  // an accepted instruction reads what the file lacks
);

  logic [BankBits-1:0] bank_q [NumCollectors][NumSources];
  logic [RowBits-1:0]  row_q  [NumCollectors][NumSources];
  logic [BankBits-1:0] bank   [IssueWidth][NumSources];
  logic [RowBits-1:0]  row    [IssueWidth][NumSources];
  source_set_t         beyond [IssueWidth];
  index_t              warp_base [IssueWidth];

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_slot
    assign warp_base[slot] = base_i[issue_i[slot].warp];
    for (genvar s = 0; s < NumSources; s++) begin : gen_source
      locate #(
        .NumBanks (NumBanks),
        .IndexBits(IndexBits)
      ) u_locate (
        .base_i       (warp_base[slot]),
        .register_i   (issue_i[slot].source[s]),
        .interleaved_i,
        .bank_o       (bank[slot][s]),
        .row_o        (row[slot][s]),
        .beyond_o     (beyond[slot][s])
      );
    end
  end

  always_comb begin : faults
    beyond_o = 1'b0;
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_i[slot] && (beyond[slot] & issue_i[slot].source_valid) != '0) beyond_o = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : payload
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      if (accept_i[slot]) begin
        for (int unsigned s = 0; s < NumSources; s++) begin
          bank_q[collector_i[slot]][s] <= bank[slot][s];
          row_q[collector_i[slot]][s]  <= row[slot][s];
        end
      end
    end
  end

  assign bank_o = bank_q;
  assign row_o  = row_q;

endmodule
