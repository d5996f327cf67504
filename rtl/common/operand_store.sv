// Data of the operand collectors and of the operand output registers.
//
// Each port delivers one operand a cycle, into any source slot of any collector.
module operand_store
  import heddle_port_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumPorts      = shell_pkg::DefaultBanks,
  parameter  int unsigned NumCollectors = shell_pkg::DefaultCollectors,
  parameter  int unsigned Lanes         = NumLanes,
  parameter  int unsigned LaneWidth     = LaneBits,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned SourceBits    = $clog2(NumSources)
) (
  input  logic                     clk_i,
  // from the banks
  input  logic [NumPorts-1:0]      deliver_i,
  input  logic [CollectorBits-1:0] deliver_collector_i [NumPorts],
  input  logic [SourceBits-1:0]    deliver_source_i [NumPorts],
  input  logic [Lanes-1:0][LaneWidth-1:0] deliver_data_i [NumPorts],
  // from dispatch
  input  logic [IssueWidth-1:0]    load_i,
  input  logic [CollectorBits-1:0] load_collector_i [IssueWidth],
  input  logic [NumSources-1:0]    sources_i [NumCollectors],
  // to the SM's dispatch stage
  output logic [IssueWidth-1:0][NumSources-1:0][Lanes-1:0][LaneWidth-1:0] operand_data_o
);

  localparam int unsigned PlaceBits = $clog2(NumSources * NumCollectors);

  // Source s of collector c lies at place s * NumCollectors + c.
  logic [Lanes-1:0][LaneWidth-1:0] data_q [NumSources*NumCollectors];
  logic [IssueWidth-1:0][NumSources-1:0][Lanes-1:0][LaneWidth-1:0] operand_data_q;

  assign operand_data_o = operand_data_q;

  function automatic logic [PlaceBits-1:0] place(int unsigned source, int unsigned collector);
    return PlaceBits'(source * NumCollectors + collector);
  endfunction

  always_ff @(posedge clk_i) begin : collect
    for (int unsigned p = 0; p < NumPorts; p++) begin
      if (deliver_i[p]) begin
        data_q[place(32'(deliver_source_i[p]), 32'(deliver_collector_i[p]))] <= deliver_data_i[p];
      end
    end
  end

  always_ff @(posedge clk_i) begin : load
    for (int unsigned slot = 0; slot < IssueWidth; slot++) begin
      for (int unsigned s = 0; s < NumSources; s++) begin
        if (load_i[slot] && sources_i[load_collector_i[slot]][s]) begin
          operand_data_q[slot][s] <= data_q[place(s, 32'(load_collector_i[slot]))];
        end
      end
    end
  end

endmodule
