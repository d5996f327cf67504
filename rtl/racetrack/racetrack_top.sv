// Register file of racetrack memory (Liang and Wang, JCST 2016): 16 banks of racetracks that must
// shift a register to an access port, a read request queue and a two-entry write buffer a bank, at
// most four banks served at once, a loadable register mapping, and preshifting of banks that wait.
//
// Warp register w of warp slot s lies at index base[s] + w, in bank index mod 16, row index div 16;
// the bank's mapping table says where the row lies. Collectors, dispatch and the staging of results
// are the baseline's.
module racetrack_top
  import heddle_port_pkg::*;
  import baseline_pkg::*;
  import racetrack_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned Ports       = 8,
  parameter bit          MoveData    = 1'b0
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

  localparam int unsigned BlockBits = $clog2(BankBlocks);
  localparam int unsigned RowBits   = $clog2(RowsPerBank);

  if (IssueWidth < 1 || IssueWidth > 4 || ResultWidth < 1 || ResultWidth > 4) begin : gen_bad_width
    $fatal(1, "IssueWidth and ResultWidth are 1 to 4");
  end
  if (RowsPerBank != BankBlocks * BlockEntries) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 128");
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

  // Map entry n loads block n mod BankBlocks of bank n div BankBlocks.
  logic      clear_map, load_map;
  bank_set_t load_bank;

  assign clear_map = command_accepted[CmdKernelStart];
  assign load_map  = command_accepted[CmdMapEntry];
  assign load_bank = bank_set_t'(load_map) << (command_i.index >> BlockBits);

  // ---- operand collectors ----
  collector_set_t        request [NumBanks];
  bank_set_t             queue_grant, deliver;
  collector_t            grant_collector [NumBanks];
  source_t               grant_source [NumBanks];
  row_t                  grant_row [NumBanks];
  target_t               deliver_target [NumBanks];
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
    .grant_i            (queue_grant),
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

  // ---- results, on their way to the write buffers of the banks ----
  bank_set_t              staged, unstage;
  row_t                   staged_row [NumBanks];
  logic [NumLanes-1:0]    staged_mask [NumBanks];
  data_t                  staged_data [NumBanks];
  logic                   beyond;
  logic [ResultWidth-1:0] result_accept;
  logic [3:0]             staged_level;

  write_buffer #(
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks),
    .IndexBits  (IndexBits)
  ) u_staging (
    .clk_i,
    .rst_ni,
    .result_i,
    .result_data_i,
    .result_ready_o,
    .base_i  (base),
    .queued_o(staged),
    .row_o   (staged_row),
    .mask_o  (staged_mask),
    .data_o  (staged_data),
    .grant_i (unstage),
    .beyond_o(beyond),
    .accept_o(result_accept),
    .level_o (staged_level)
  );

  // ---- banks ----
  bank_set_t           busy, forward, waits, read_fault, write_fault;
  bank_set_t           reads, writes, shifts, preshifts;
  place_t              grant_place [NumBanks];
  place_t              staged_place [NumBanks];
  logic [NumBanks*PositionBits-1:0] positions;

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    assign read_fault[b]        = queue_grant[b] && 16'(grant_row[b]) >= config_i.rows_per_bank;
    assign write_fault[b]       = unstage[b] && 16'(staged_row[b]) >= config_i.rows_per_bank;
    assign deliver_collector[b] = deliver_target[b].collector;
    assign deliver_source[b]    = deliver_target[b].source;

    mapping_table #(
      .Rows (RowsPerBank),
      .Ports(Ports)
    ) u_map (
      .clk_i,
      .rst_ni,
      .clear_i      (clear_map),
      .load_i       (load_bank[b]),
      .block_i      (command_i.index[BlockBits-1:0]),
      .entries_i    (command_i.vector),
      .read_row_i   (grant_row[b][RowBits-1:0]),
      .read_place_o (grant_place[b]),
      .write_row_i  (staged_row[b][RowBits-1:0]),
      .write_place_o(staged_place[b])
    );
  end

  racetrack_banks #(
    .RowsPerBank(RowsPerBank),
    .Ports      (Ports),
    .MoveData   (MoveData)
  ) u_banks (
    .clk_i,
    .rst_ni,
    .read_cycles_i    (config_i.bank_cycles),
    .write_cycles_i   (config_i.write_cycles),
    .shift_cycles_i   (config_i.shift_cycles),
    .preshift_i       (config_i.preshift),
    .request_i        (request),
    .grant_o          (queue_grant),
    .grant_collector_o(grant_collector),
    .grant_source_i   (grant_source),
    .grant_place_i    (grant_place),
    .staged_i         (staged),
    .staged_place_i   (staged_place),
    .staged_mask_i    (staged_mask),
    .staged_data_i    (staged_data),
    .unstage_o        (unstage),
    .deliver_o        (deliver),
    .deliver_target_o (deliver_target),
    .deliver_data_o   (deliver_data),
    .reads_o          (reads),
    .writes_o         (writes),
    .shifts_o         (shifts),
    .preshifts_o      (preshifts),
    .forward_o        (forward),
    .read_waits_o     (waits),
    .busy_o           (busy),
    .positions_o      (positions)
  );

  assign status_o.bank_busy = 32'(busy);

  // ---- events of the cycle before ----
  logic [IssueWidth-1:0]  issue_stall;
  logic [ResultWidth-1:0] result_stall;

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_issue_stall
    assign issue_stall[slot] = issue_i[slot].valid && !issue_ready_o[slot];
  end
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_result_stall
    assign result_stall[p] = result_i[p].valid && !result_ready_o[p];
  end

  racetrack_events u_events (
    .clk_i,
    .rst_ni,
    .read_i              (reads),
    .write_i             (writes),
    .shift_i             (shifts),
    .preshift_i          (preshifts),
    .buffer_write_i      (unstage),
    .buffer_read_i       (forward),
    .read_queued_i       (queue_grant),
    .read_waits_i        (waits),
    .collector_alloc_i   (allocated),
    .collector_dispatch_i(dispatched),
    .result_accept_i     (4'(result_accept)),
    .operand_stall_i     (4'(operand_stall)),
    .issue_stall_i       (4'(issue_stall)),
    .result_stall_i      (4'(result_stall)),
    .command_i           (command_accepted),
    .row_fault_i         ((read_fault | write_fault) != '0 || beyond),
    .staged_i            (staged_level),
    .position_i          (positions),
    .events_o
  );

  // Registers per thread and collectors in use have no place among the events.
  logic unused;
  assign unused = ^{registers_per_thread, in_use};

endmodule
