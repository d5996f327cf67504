// A register file of its own: the shell around single-ported banks with their arbiters. The SM has
// one, or one for each of its schedulers.
module baseline_core
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter  int unsigned IssueWidth    = 2,
  parameter  int unsigned ResultWidth   = 2,
  parameter  int unsigned NumBanks      = DefaultBanks,
  parameter  int unsigned NumCollectors = DefaultCollectors,
  parameter  int unsigned RowsPerBank   = 128,
  localparam int unsigned CollectorBits = $clog2(NumCollectors)
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  bank_cycles_i,
  input  logic [2:0]                  bank_eighths_i,
  input  logic [15:0]                 rows_in_use_i,
  input  logic                        interleaved_i,
  // from the SM's issue stage
  input  issue_t    [IssueWidth-1:0]  issue_i,
  output logic      [IssueWidth-1:0]  issue_ready_o,
  // to the SM's dispatch stage
  output operands_t [IssueWidth-1:0]  operands_o,
  output logic      [IssueWidth-1:0][NumSources-1:0][NumLanes-1:0][31:0] operand_data_o,
  input  logic      [IssueWidth-1:0]  operands_ready_i,
  // from the SM's write-back stage
  input  result_t   [ResultWidth-1:0] result_i,
  input  logic      [ResultWidth-1:0][NumLanes-1:0][31:0] result_data_i,
  output logic      [ResultWidth-1:0] result_ready_o,
  // from and to the SM's warp scheduler and CTA launch
  input  command_t                    command_i,
  output logic                        command_ready_o,
  output done_t                       done_o,
  output logic      [NumBanks-1:0]    bank_busy_o,
  // to the events
  output front_events_t               front_o,
  output logic      [NumBanks-1:0]    read_grant_o,
  output logic      [NumBanks-1:0]    write_grant_o,
  output logic      [NumBanks-1:0]    wait_write_o,
  output logic      [NumBanks-1:0]    wait_bank_o,
  output logic      [CollectorBits-1:0] winner_o [NumBanks],
  output source_t                     read_source_o [NumBanks],
  output logic                        row_fault_o
);

  localparam int unsigned RowBits = BaseBits - $clog2(NumBanks);  // of a row's number

  if (RowsPerBank < 2 || RowsPerBank > 2 ** RowBits) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 2 to %0d", 2 ** RowBits);
  end

  // ---- collectors, results and commands ----
  logic [NumCollectors-1:0] request [NumBanks];
  logic [NumBanks-1:0]      deliver, write_queued;
  logic [RowBits-1:0]       read_row [NumBanks];
  logic [CollectorBits-1:0] deliver_collector [NumBanks];
  source_t                  deliver_source [NumBanks];
  data_t                    deliver_data [NumBanks];
  logic [RowBits-1:0]       write_row [NumBanks];
  mask_t                    write_mask [NumBanks];
  data_t                    write_data [NumBanks];

  register_front #(
    .IssueWidth   (IssueWidth),
    .ResultWidth  (ResultWidth),
    .NumBanks     (NumBanks),
    .NumCollectors(NumCollectors)
  ) u_front (
    .*,
    .command_o             (),
    .carried_out_i         (1'b1),
    .base_o                (),
    .accept_o              (),
    .collector_o           (),
    .pending_o             (),
    .blocked_i             ('{default: '0}),
    .bank_o                (),
    .row_o                 (),
    .request_o             (request),
    .winner_i              (winner_o),
    .grant_i               (read_grant_o),
    .read_row_o            (read_row),
    .deliver_i             (deliver),
    .deliver_collector_i   (deliver_collector),
    .deliver_source_i      (deliver_source),
    .deliver_data_i        (deliver_data),
    .write_queued_o        (write_queued),
    .write_row_o           (write_row),
    .write_mask_o          (write_mask),
    .write_data_o          (write_data),
    .write_grant_i         (write_grant_o),
    .events_o              (front_o)
  );

  // ---- banks ----
  logic [NumBanks-1:0] bank_ready, row_fault;

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    bank_arbiter #(
      .NumCollectors(NumCollectors)
    ) u_arbiter (
      .clk_i,
      .rst_ni,
      .bank_ready_i  (bank_ready[b]),
      .write_queued_i(write_queued[b]),
      .request_i     (request[b]),
      .write_grant_o (write_grant_o[b]),
      .read_grant_o  (read_grant_o[b]),
      .collector_o   (winner_o[b]),
      .wait_write_o  (wait_write_o[b]),
      .wait_bank_o   (wait_bank_o[b])
    );

    register_bank #(
      .RowsPerBank  (RowsPerBank),
      .FullRowBits  (RowBits),
      .NumCollectors(NumCollectors)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .bank_cycles_i,
      .bank_eighths_i,
      .rows_in_use_i,
      .ready_o            (bank_ready[b]),
      .busy_o             (bank_busy_o[b]),
      .row_fault_o        (row_fault[b]),
      .write_grant_i      (write_grant_o[b]),
      .write_row_i        (write_row[b]),
      .write_mask_i       (write_mask[b]),
      .write_data_i       (write_data[b]),
      .read_grant_i       (read_grant_o[b]),
      .read_row_i         (read_row[b]),
      .read_collector_i   (winner_o[b]),
      .read_source_i      (read_source_o[b]),
      .deliver_o          (deliver[b]),
      .deliver_collector_o(deliver_collector[b]),
      .deliver_source_o   (deliver_source[b]),
      .deliver_data_o     (deliver_data[b])
    );
  end

  assign row_fault_o = row_fault != '0 || front_o.beyond;

endmodule
