// All that a banked register file does at the port: operands are collected from banks, each of
// which serves one collector at a time, results wait for their banks, commands are answered.
//
// The design has the banks and says, for each, which of the collectors that ask is served, whether
// its read and the oldest result are taken, and when which data arrive.
module register_front
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned ResultWidth   = 2,
  parameter  int unsigned NumBanks      = DefaultBanks,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned IndexBits     = BaseBits,  // of a warp register of the file
  parameter  int unsigned Lanes         = NumLanes,
  parameter  int unsigned LaneWidth     = LaneBits,
  localparam int unsigned CollectorBits = $clog2(NumCollectors),
  localparam int unsigned BankBits      = $clog2(NumBanks),
  localparam int unsigned RowBits       = IndexBits - BankBits
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic                        interleaved_i,  // how registers lie, as locate says
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0]  issue_i,
  output logic      [IssueWidth-1:0]  issue_ready_o,
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0]  operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][Lanes-1:0][LaneWidth-1:0] operand_data_o,
  input  logic      [IssueWidth-1:0]  operands_ready_i,
  // from the SM's write-back stage
  input  result_t   [ResultWidth-1:0] result_i,
  input  logic      [ResultWidth-1:0][Lanes-1:0][LaneWidth-1:0] result_data_i,
  output logic      [ResultWidth-1:0] result_ready_o,
  // from and to the SM's warp scheduler and CTA launch
  input  command_t                    command_i,
  output logic                        command_ready_o,
  output done_t                       done_o,
  // commands: to and from the design
  output command_t                    command_o,
  input  logic                        carried_out_i,
  output index_t                      base_o [NumWarps],
  // collectors: to and from a design that holds reads back
  output logic [IssueWidth-1:0]       accept_o,
  output logic [CollectorBits-1:0]    collector_o [IssueWidth],
  output source_set_t                 pending_o [NumCollectors],
  input  source_set_t                 blocked_i [NumCollectors],  // cannot be read yet
  output logic [BankBits-1:0]         bank_o [NumCollectors][NumSources],
  output logic [RowBits-1:0]          row_o [NumCollectors][NumSources],
  // reads: to and from the banks
  output logic [NumCollectors-1:0]    request_o [NumBanks],
  input  logic [CollectorBits-1:0]    winner_i [NumBanks],
  input  logic [NumBanks-1:0]         grant_i,
  output source_t                     read_source_o [NumBanks],
  output logic [RowBits-1:0]          read_row_o [NumBanks],
  input  logic [NumBanks-1:0]         deliver_i,
  input  logic [CollectorBits-1:0]    deliver_collector_i [NumBanks],
  input  source_t                     deliver_source_i [NumBanks],
  input  logic [Lanes-1:0][LaneWidth-1:0] deliver_data_i [NumBanks],
  // results: the oldest one of each bank
  output logic [NumBanks-1:0]         write_queued_o,
  output logic [RowBits-1:0]          write_row_o [NumBanks],
  output logic [Lanes-1:0]            write_mask_o [NumBanks],
  output logic [Lanes-1:0][LaneWidth-1:0] write_data_o [NumBanks],
  input  logic [NumBanks-1:0]         write_grant_i,
  // to the events
  output front_events_t               events_o
);

  // ---- commands ----
  command_port u_commands (
    .*,
    .registers_per_thread_o(events_o.registers_per_thread),
    .accepted_o            (events_o.port.command)
  );

  // ---- operands ----
  source_set_t           granted [NumCollectors];
  source_set_t           readable [NumCollectors];
  logic [IssueWidth-1:0] issue_stall, operand_stall;
  logic                  read_beyond;

  logic [NumCollectors-1:0] allocated, dispatched, in_use;

  operand_front #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors),
    .NumPorts     (NumBanks),
    .Lanes        (Lanes),
    .LaneWidth    (LaneWidth)
  ) u_operands (
    .*,
    .granted_i      (granted),
    .hold_i         ('0),
    .allocated_o    (allocated),
    .dispatched_o   (dispatched),
    .in_use_o       (in_use),
    .issue_stall_o  (issue_stall),
    .operand_stall_o(operand_stall)
  );

  source_locations #(
    .IssueWidth   (IssueWidth),
    .NumCollectors(NumCollectors),
    .NumBanks     (NumBanks),
    .IndexBits    (IndexBits)
  ) u_locations (
    .*,
    .accept_i   (accept_o),
    .collector_i(collector_o),
    .base_i     (base_o),
    .beyond_o   (read_beyond)
  );

  for (genvar c = 0; c < NumCollectors; c++) begin : gen_readable
    assign readable[c] = pending_o[c] & ~blocked_i[c];
  end

  read_requests #(
    .NumBanks     (NumBanks),
    .NumCollectors(NumCollectors)
  ) u_requests (
    .*,
    .readable_i(readable),
    .bank_i    (bank_o),
    .source_o  (read_source_o),
    .granted_o (granted)
  );

  for (genvar b = 0; b < NumBanks; b++) begin : gen_row
    assign read_row_o[b] = row_o[winner_i[b]][read_source_o[b]];
  end

  // ---- results ----
  logic [ResultWidth-1:0] result_accept, result_stall;
  logic                   write_beyond;

  write_buffer #(
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks),
    .IndexBits  (IndexBits),
    .Lanes      (Lanes),
    .LaneWidth  (LaneWidth)
  ) u_writes (
    .*,
    .base_i  (base_o),
    .queued_o(write_queued_o),
    .row_o   (write_row_o),
    .mask_o  (write_mask_o),
    .data_o  (write_data_o),
    .grant_i (write_grant_i),
    .beyond_o(write_beyond),
    .accept_o(result_accept),
    .stall_o (result_stall),
    .level_o (events_o.level)
  );

  assign events_o.beyond             = read_beyond || write_beyond;
  assign events_o.in_use             = collector_set_t'(in_use);
  assign events_o.dispatched         = collector_set_t'(dispatched);
  assign events_o.allocated          = collector_set_t'(allocated);
  assign events_o.port.result_accept = MaxWidth'(result_accept);
  assign events_o.port.result_stall  = MaxWidth'(result_stall);
  assign events_o.port.issue_stall   = MaxWidth'(issue_stall);
  assign events_o.port.operand_stall = MaxWidth'(operand_stall);

  if (NumCollectors > DefaultCollectors) begin : gen_bad_collectors
    $fatal(1, "NumCollectors is at most that of front_events_t");
  end

  if (ResultWidth < 1 || ResultWidth > MaxWidth) begin : gen_bad_width
    $fatal(1, "ResultWidth is 1 to 4");
  end

endmodule
