// The conventional register file of a GPU: single-ported banks, an arbiter, a full crossbar and
// operand collectors (LTRF, section 2 and figure 1).
//
// Warp register w of warp slot s lies at index base[s] + w, in the bank and row that locate says.
//
// With SubCores, each has a file of its own with its share of banks, collectors and slots: warp
// slot s belongs to sub-core s mod SubCores, and its index is one of that file.
module baseline_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumBanks    = DefaultBanks,
  parameter int unsigned RowsPerBank = 128,
  parameter int unsigned SubCores    = 1,
  `include "baseline_events.svh"
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
  output logic [$bits(events_t)-1:0]  events_o
);

  `include "baseline_config.svh"

  localparam int unsigned CoreIssues     = IssueWidth / SubCores;
  localparam int unsigned CoreResults    = ResultWidth / SubCores;
  localparam int unsigned CoreBanks      = NumBanks / SubCores;
  localparam int unsigned CoreCollectors = DefaultCollectors / SubCores;
  localparam int unsigned CollectorBits  = $clog2(DefaultCollectors);
  localparam int unsigned ToldBanks      = NumBanks < 32 ? NumBanks : 32;  // in events of grants

  if (CoreIssues * SubCores != IssueWidth || CoreResults * SubCores != ResultWidth ||
      CoreBanks * SubCores != NumBanks || CoreCollectors * SubCores != DefaultCollectors)
  begin : gen_bad_sub_cores
    $fatal(1, "each sub-core has as many slots, banks and collectors as the others");
  end

  config_t settings;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  // ---- a register file for each sub-core ----
  done_t   [SubCores-1:0]                     done;
  logic    [SubCores-1:0]                     command_ready, row_fault;
  logic    [SubCores-1:0][CoreBanks-1:0]      bank_busy, read_grant, write_grant;
  logic    [SubCores-1:0][CoreBanks-1:0]      wait_write, wait_bank;
  logic    [$clog2(CoreCollectors)-1:0]       winner [SubCores][CoreBanks];
  source_t                                    read_source [SubCores][CoreBanks];
  logic    [SubCores-1:0][CoreCollectors-1:0] allocated, dispatched, in_use;
  logic    [SubCores-1:0][CoreIssues-1:0]     issue_stall, operand_stall;
  logic    [SubCores-1:0][CoreResults-1:0]    result_stall, result_accept;
  logic    [SubCores-1:0][LevelBits-1:0]      level;
  logic    [SubCores-1:0][7:0]                command, registers_per_thread;

  for (genvar s = 0; s < SubCores; s++) begin : gen_core
    command_t      core_command;
    front_events_t front;

    // A command of a warp goes to its sub-core, one of the kernel to all.
    always_comb begin : share
      core_command       = command_i;
      core_command.valid = command_i.valid &&
                           (command_i.op == CmdKernelStart || command_i.op == CmdMapEntry ||
                            32'(command_i.warp) % SubCores == s);
    end

    baseline_core #(
      .IssueWidth   (CoreIssues),
      .ResultWidth  (CoreResults),
      .NumBanks     (CoreBanks),
      .NumCollectors(CoreCollectors),
      .RowsPerBank  (RowsPerBank)
    ) u_core (
      .clk_i,
      .rst_ni,
      .bank_cycles_i   (settings.bank_cycles),
      .bank_eighths_i  (settings.own[BankEighthsWord][2:0]),
      .rows_in_use_i   (settings.rows_per_bank),
      .interleaved_i   (settings.own[InterleavedWord] != '0),
      .issue_i         (issue_i[s*CoreIssues+:CoreIssues]),
      .issue_ready_o   (issue_ready_o[s*CoreIssues+:CoreIssues]),
      .operands_o      (operands_o[s*CoreIssues+:CoreIssues]),
      .operand_data_o  (operand_data_o[s*CoreIssues+:CoreIssues]),
      .operands_ready_i(operands_ready_i[s*CoreIssues+:CoreIssues]),
      .result_i        (result_i[s*CoreResults+:CoreResults]),
      .result_data_i   (result_data_i[s*CoreResults+:CoreResults]),
      .result_ready_o  (result_ready_o[s*CoreResults+:CoreResults]),
      .command_i       (core_command),
      .command_ready_o (command_ready[s]),
      .done_o          (done[s]),
      .bank_busy_o     (bank_busy[s]),
      .front_o         (front),
      .read_grant_o    (read_grant[s]),
      .write_grant_o   (write_grant[s]),
      .wait_write_o    (wait_write[s]),
      .wait_bank_o     (wait_bank[s]),
      .winner_o        (winner[s]),
      .read_source_o   (read_source[s]),
      .row_fault_o     (row_fault[s])
    );

    assign allocated[s]            = front.allocated[CoreCollectors-1:0];
    assign dispatched[s]           = front.dispatched[CoreCollectors-1:0];
    assign in_use[s]               = front.in_use[CoreCollectors-1:0];
    assign issue_stall[s]          = front.port.issue_stall[CoreIssues-1:0];
    assign operand_stall[s]        = front.port.operand_stall[CoreIssues-1:0];
    assign result_stall[s]         = front.port.result_stall[CoreResults-1:0];
    assign result_accept[s]        = front.port.result_accept[CoreResults-1:0];
    assign level[s]                = front.level;
    assign command[s]              = front.port.command;
    assign registers_per_thread[s] = front.registers_per_thread;
  end

  assign command_ready_o    = &command_ready;
  assign status_o.bank_busy = MaxBanks'(bank_busy);

  // The answer to a command, and what is known of the kernel, are those of all sub-cores that the
  // command went to.
  done_t                answer;
  logic [7:0]           accepted, registers;
  logic [LevelBits-1:0] waiting;

  always_comb begin : merge
    answer    = '0;
    accepted  = '0;
    registers = '0;
    waiting   = '0;
    for (int unsigned s = 0; s < SubCores; s++) begin
      answer    = answer | done[s];
      accepted  = accepted | command[s];
      registers = registers | registers_per_thread[s];
      waiting   = waiting + level[s];
    end
  end

  assign done_o = answer;

  // ---- events ----
  events_t events;

  always_comb begin : happened
    events = '{
      main_bank_read:       read_grant,
      main_bank_write:      write_grant,
      collector_alloc:      allocated,
      collector_dispatch:   dispatched,
      bank_conflict:        wait_bank,
      read_behind_write:    wait_write,
      result_accept:        MaxWidth'(result_accept),
      operand_stall:        MaxWidth'(operand_stall),
      issue_stall:          MaxWidth'(issue_stall),
      result_stall:         MaxWidth'(result_stall),
      command:              accepted,
      row_fault:            row_fault != '0,
      write_buffer_level:   waiting,
      registers_per_thread: registers,
      collectors_in_use:    8'($countones(in_use)),
      default:              '0
    };
    for (int unsigned s = 0; s < SubCores; s++) begin
      for (int unsigned b = 0; b < CoreBanks && s * CoreBanks + b < ToldBanks; b++) begin
        if (read_grant[s][b]) begin
          events.granted_collector[(s*CoreBanks+b)*CollectorBits+:CollectorBits] =
              CollectorBits'(s * CoreCollectors) + CollectorBits'(winner[s][b]);
          events.granted_source[(s*CoreBanks+b)*SourceBits+:SourceBits] = read_source[s][b];
        end
      end
    end
  end

  event_register #(
    .Width($bits(events_t))
  ) u_events (
    .*,
    .events_i(events)
  );

endmodule
