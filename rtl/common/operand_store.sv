// Data of the operand collectors and of the operand output registers.
//
// Each bank delivers one operand a cycle, into any source slot of any collector.
module operand_store
  import heddle_port_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumBanks      = 16,
  parameter  int unsigned NumCollectors = 16,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned SourceBits    = $clog2(NumSources)
) (
  input  logic                     clk_i,
  // from the banks
  input  logic [NumBanks-1:0]      deliver_i,
  input  logic [CollectorBits-1:0] deliver_collector_i [NumBanks],
  input  logic [SourceBits-1:0]    deliver_source_i [NumBanks],
  input  logic [NumLanes-1:0][LaneBits-1:0] deliver_data_i [NumBanks],
  // from dispatch
  input  logic [IssueWidth-1:0]    load_i,
  input  logic [CollectorBits-1:0] load_collector_i [IssueWidth],
  input  logic [NumSources-1:0]    sources_i [NumCollectors],
  // to the SM's dispatch stage
  output logic [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][LaneBits-1:0] operand_data_o
);

  logic [NumLanes-1:0][LaneBits-1:0] data_q [NumCollectors][NumSources];
  logic [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][LaneBits-1:0] operand_data_q;

  assign operand_data_o = operand_data_q;

  always_ff @(posedge clk_i) begin : collect
    for (int unsigned b = 0; b < NumBanks; b++) begin
      if (deliver_i[b]) data_q[deliver_collector_i[b]][deliver_source_i[b]] <= deliver_data_i[b];
    end
  end

  always_ff @(posedge clk_i) begin : load
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        if (load_i[slot] && sources_i[load_collector_i[slot]][s]) begin
          operand_data_q[slot][s] <= data_q[load_collector_i[slot]][s];
        end
      end
    end
  end

endmodule
