// The way of an instruction's operands: from issue into a collector, there until all are read, and
// out to the SM's dispatch stage.
//
// The design says when and where operands are read: `pending_o` are the reads that are left,
// `granted_i` those that begin, and the data come by the ports of the operand store.
module operand_front
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned NumPorts      = DefaultBanks,  // operands that may arrive at once
  parameter  bit          InOrder       = 1'b0,                 // collectors in the order of issue
  parameter  int unsigned Lanes         = NumLanes,
  parameter  int unsigned LaneWidth     = LaneBits,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0]  issue_i,
  output logic      [IssueWidth-1:0]  issue_ready_o,
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0]  operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][Lanes-1:0][LaneWidth-1:0] operand_data_o,
  input  logic      [IssueWidth-1:0]  operands_ready_i,
  // to and from the reads
  output logic [IssueWidth-1:0]       accept_o,
  output logic [CollectorBits-1:0]    collector_o [IssueWidth],  // meaningful where accept_o
  output source_set_t                 pending_o [NumCollectors],
  input  source_set_t                 granted_i [NumCollectors],
  input  logic [NumCollectors-1:0]    hold_i,  // must not leave yet, complete or not
  // from the banks
  input  logic [NumPorts-1:0]         deliver_i,
  input  logic [CollectorBits-1:0]    deliver_collector_i [NumPorts],
  input  source_t                     deliver_source_i [NumPorts],
  input  logic [Lanes-1:0][LaneWidth-1:0] deliver_data_i [NumPorts],
  // to the events
  output logic [NumCollectors-1:0]    allocated_o,
  output logic [NumCollectors-1:0]    dispatched_o,
  output logic [NumCollectors-1:0]    in_use_o,
  output logic [IssueWidth-1:0]       issue_stall_o,
  output logic [IssueWidth-1:0]       operand_stall_o
);

  logic [NumCollectors-1:0] complete;
  logic [TagBits-1:0]       tag [NumCollectors];
  source_set_t              sources [NumCollectors];
  logic [IssueWidth-1:0]    load;
  logic [CollectorBits-1:0] load_collector [IssueWidth];

  collector_array #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors),
    .NumPorts     (NumPorts),
    .InOrder      (InOrder)
  ) u_collectors (
    .clk_i,
    .rst_ni,
    .issue_i,
    .issue_ready_o,
    .accept_o,
    .collector_o,
    .pending_o,
    .granted_i,
    .deliver_i,
    .deliver_collector_i,
    .deliver_source_i,
    .complete_o (complete),
    .dispatch_i (dispatched_o),
    .tag_o      (tag),
    .sources_o  (sources),
    .allocated_o,
    .in_use_o,
    .stall_o    (issue_stall_o)
  );

  operand_dispatch #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors)
  ) u_dispatch (
    .clk_i,
    .rst_ni,
    .complete_i      (complete & ~hold_i),
    .tag_i           (tag),
    .dispatch_o      (dispatched_o),
    .load_o          (load),
    .load_collector_o(load_collector),
    .operands_o,
    .operands_ready_i,
    .stall_o         (operand_stall_o)
  );

  operand_store #(
    .IssueWidth   (IssueWidth),
    .NumPorts     (NumPorts),
    .NumCollectors(NumCollectors),
    .Lanes        (Lanes),
    .LaneWidth    (LaneWidth)
  ) u_store (
    .clk_i,
    .deliver_i,
    .deliver_collector_i,
    .deliver_source_i,
    .deliver_data_i,
    .load_i          (load),
    .load_collector_i(load_collector),
    .sources_i       (sources),
    .operand_data_o
  );

  if (IssueWidth < 1 || IssueWidth > MaxWidth) begin : gen_bad_width
    $fatal(1, "IssueWidth is 1 to 4");
  end

endmodule
