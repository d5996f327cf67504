// Operands from issue to dispatch: the collectors' state, their data, and which of them are
// dispatched.
module cerf_operands
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth = 2
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  input  logic                       fair_i,
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0] issue_i,
  output logic      [IssueWidth-1:0] issue_ready_o,
  // from the command unit
  input  logic [15:0]                base_i [NumWarps],
  // to and from the tag banks
  output collector_set_t             request_o [NumTagBanks],
  input  collector_t                 winner_i [NumTagBanks],
  input  tag_bank_set_t              grant_i,
  output source_t                    source_o [NumTagBanks],
  output index_t                     index_o [NumTagBanks],
  output tag_bank_set_t              dead_o,
  input  tag_bank_set_t              park_i,
  input  logic                       wake_i,
  input  index_t                     wake_index_i,
  // from the data banks
  input  tag_bank_set_t              deliver_i,
  input  collector_t                 deliver_collector_i [NumTagBanks],
  input  source_t                    deliver_source_i [NumTagBanks],
  input  data_t                      deliver_data_i [NumTagBanks],
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0] operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][LaneBits-1:0] operand_data_o,
  input  logic      [IssueWidth-1:0] operands_ready_i,
  // to the events
  output logic                       row_fault_o,
  output logic      [IssueWidth-1:0] issue_stall_o,
  output logic      [IssueWidth-1:0] operand_stall_o,
  output collector_set_t             allocated_o,
  output collector_set_t             dispatched_o,
  output collector_set_t             in_use_o
);

  collector_set_t        complete;
  logic [TagBits-1:0]    collector_tag [NumCollectors];
  source_set_t           sources [NumCollectors];
  logic [IssueWidth-1:0] load;
  collector_t            load_collector [IssueWidth];

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_issue_stall
    assign issue_stall_o[slot] = issue_i[slot].valid && !issue_ready_o[slot];
  end

  cerf_collectors #(
    .IssueWidth(IssueWidth)
  ) u_collectors (
    .clk_i,
    .rst_ni,
    .fair_i,
    .issue_i,
    .issue_ready_o,
    .base_i,
    .request_o,
    .winner_i,
    .grant_i,
    .source_o,
    .index_o,
    .dead_o,
    .park_i,
    .wake_i,
    .wake_index_i,
    .deliver_i,
    .deliver_collector_i,
    .deliver_source_i,
    .complete_o (complete),
    .dispatch_i (dispatched_o),
    .tag_o      (collector_tag),
    .sources_o  (sources),
    .row_fault_o,
    .allocated_o,
    .in_use_o
  );

  operand_dispatch #(
    .IssueWidth(IssueWidth)
  ) u_dispatch (
    .clk_i,
    .rst_ni,
    .complete_i      (complete),
    .tag_i           (collector_tag),
    .dispatch_o      (dispatched_o),
    .load_o          (load),
    .load_collector_o(load_collector),
    .operands_o,
    .operands_ready_i,
    .stall_o         (operand_stall_o)
  );

  operand_store #(
    .IssueWidth   (IssueWidth),
    .NumPorts     (NumTagBanks),
    .NumCollectors(NumCollectors)
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

endmodule
