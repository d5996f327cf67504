// The conventional register file of a GPU: single-ported banks, an arbiter, a full crossbar and
// operand collectors (LTRF, section 2 and figure 1).
//
// Warp register w of warp slot s lies at index base[s] + w, in bank index mod 16, row index div 16.
module baseline_top
  import heddle_port_pkg::*;
  import baseline_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 128
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  config_t                     config_i,
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
  output status_t                     status_o,
  output logic      [EventBits-1:0]   events_o
);


  if (IssueWidth < 1 || IssueWidth > 4 || ResultWidth < 1 || ResultWidth > 4) begin : gen_bad_width
    $fatal(1, "IssueWidth and ResultWidth are 1 to 4");
  end
  if (RowsPerBank < 2 || RowsPerBank > 2 ** FullRowBits) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 2 to 4096");
  end

  // ---- commands ----
  index_t     base [NumWarps];
  logic [7:0] registers_per_thread, command_accepted;

  command_unit u_command (
    .clk_i,
    .rst_ni,
    .command_i,
    .command_ready_o,
    .done_o,
    .base_o                (base),
    .registers_per_thread_o(registers_per_thread),
    .accepted_o            (command_accepted)
  );

  // ---- operand collectors ----
  collector_set_t        request [NumBanks];
  bank_set_t             read_grant, deliver;
  collector_t            grant_collector [NumBanks];
  source_t               grant_source [NumBanks];
  row_t                  grant_row [NumBanks];
  collector_t            deliver_collector [NumBanks];
  source_t               deliver_source [NumBanks];
  data_t                 deliver_data [NumBanks];
  collector_set_t        complete, dispatched, allocated, in_use;
  logic [TagBits-1:0]    tag [NumCollectors];
  source_set_t           sources [NumCollectors];
  logic [IssueWidth-1:0] load, operand_stall;
  collector_t            load_collector [IssueWidth];

  collector_array #(
    .IssueWidth(IssueWidth)
  ) u_collectors (
    .clk_i,
    .rst_ni,
    .issue_i,
    .issue_ready_o,
    .base_i             (base),
    .request_o          (request),
    .grant_i            (read_grant),
    .grant_collector_i  (grant_collector),
    .grant_source_o     (grant_source),
    .grant_row_o        (grant_row),
    .deliver_i          (deliver),
    .deliver_collector_i(deliver_collector),
    .deliver_source_i   (deliver_source),
    .complete_o         (complete),
    .dispatch_i         (dispatched),
    .tag_o              (tag),
    .sources_o          (sources),
    .allocated_o        (allocated),
    .in_use_o           (in_use)
  );

  operand_dispatch #(
    .IssueWidth(IssueWidth)
  ) u_dispatch (
    .clk_i,
    .rst_ni,
    .complete_i      (complete),
    .tag_i           (tag),
    .dispatch_o      (dispatched),
    .load_o          (load),
    .load_collector_o(load_collector),
    .operands_o,
    .operands_ready_i,
    .stall_o         (operand_stall)
  );

  operand_store #(
    .IssueWidth   (IssueWidth),
    .NumBanks     (NumBanks),
    .NumCollectors(NumCollectors)
  ) u_store (
    .clk_i,
    .deliver_i          (deliver),
    .deliver_collector_i(deliver_collector),
    .deliver_source_i   (deliver_source),
    .deliver_data_i     (deliver_data),
    .load_i             (load),
    .load_collector_i   (load_collector),
    .sources_i          (sources),
    .operand_data_o
  );

  // ---- results ----
  bank_set_t              write_queued, write_grant;
  row_t                   write_row [NumBanks];
  logic [NumLanes-1:0]    write_mask [NumBanks];
  data_t                  write_data [NumBanks];
  logic                   beyond;
  logic [ResultWidth-1:0] result_accept;
  logic [3:0]             write_level;

  write_buffer #(
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks),
    .IndexBits  (IndexBits)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .result_i,
    .result_data_i,
    .result_ready_o,
    .base_i  (base),
    .queued_o(write_queued),
    .row_o   (write_row),
    .mask_o  (write_mask),
    .data_o  (write_data),
    .grant_i (write_grant),
    .beyond_o(beyond),
    .accept_o(result_accept),
    .level_o (write_level)
  );

  // ---- banks ----
  bank_set_t bank_ready, bank_busy, row_fault, wait_write, wait_bank;

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    bank_arbiter u_arbiter (
      .clk_i,
      .rst_ni,
      .bank_ready_i  (bank_ready[b]),
      .write_queued_i(write_queued[b]),
      .request_i     (request[b]),
      .write_grant_o (write_grant[b]),
      .read_grant_o  (read_grant[b]),
      .collector_o   (grant_collector[b]),
      .wait_write_o  (wait_write[b]),
      .wait_bank_o   (wait_bank[b])
    );

    register_bank #(
      .RowsPerBank(RowsPerBank)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .bank_cycles_i      (config_i.bank_cycles),
      .rows_in_use_i      (config_i.rows_per_bank),
      .ready_o            (bank_ready[b]),
      .busy_o             (bank_busy[b]),
      .row_fault_o        (row_fault[b]),
      .write_grant_i      (write_grant[b]),
      .write_i            ('{row: write_row[b], mask: write_mask[b]}),
      .write_data_i       (write_data[b]),
      .read_grant_i       (read_grant[b]),
      .read_row_i         (grant_row[b]),
      .read_collector_i   (grant_collector[b]),
      .read_source_i      (grant_source[b]),
      .deliver_o          (deliver[b]),
      .deliver_collector_o(deliver_collector[b]),
      .deliver_source_o   (deliver_source[b]),
      .deliver_data_o     (deliver_data[b])
    );
  end

  assign status_o.bank_busy = 32'(bank_busy);

  // ---- events of the cycle before ----
  logic [IssueWidth-1:0]              issue_stall;
  logic [ResultWidth-1:0]             result_stall;
  logic [NumBanks*CollectorBits-1:0]  granted_collectors;
  logic [NumBanks*SourceBits-1:0]     granted_sources;

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_issue_stall
    assign issue_stall[slot] = issue_i[slot].valid && !issue_ready_o[slot];
  end
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_result_stall
    assign result_stall[p] = result_i[p].valid && !result_ready_o[p];
  end
  always_comb begin : granted
    for (int unsigned b = 0; b < NumBanks; b++) begin
      granted_collectors[b*CollectorBits+:CollectorBits] =
          read_grant[b] ? grant_collector[b] : '0;
      granted_sources[b*SourceBits+:SourceBits] = grant_source[b];
    end
  end

  event_register u_events (
    .clk_i,
    .rst_ni,
    .bank_read_i           (read_grant),
    .bank_write_i          (write_grant),
    .collector_alloc_i     (allocated),
    .collector_dispatch_i  (dispatched),
    .read_wait_bank_i      (wait_bank),
    .read_wait_write_i     (wait_write),
    .result_accept_i       (4'(result_accept)),
    .operand_stall_i       (4'(operand_stall)),
    .issue_stall_i         (4'(issue_stall)),
    .result_stall_i        (4'(result_stall)),
    .command_i             (command_accepted),
    .row_fault_i           (row_fault != '0 || beyond),
    .write_level_i         (write_level),
    .granted_collectors_i  (granted_collectors),
    .granted_sources_i     (granted_sources),
    .registers_per_thread_i(registers_per_thread),
    .collectors_in_use_i   (8'($countones(in_use))),
    .events_o
  );

endmodule
