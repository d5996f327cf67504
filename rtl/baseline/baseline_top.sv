// The conventional register file of a GPU: single-ported banks, an arbiter, a full crossbar and
// operand collectors (LTRF, section 2 and figure 1).
//
// Warp register w of warp slot s lies at index base[s] + w, in bank index mod NumBanks, row index
// div NumBanks.
module baseline_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned NumBanks    = DefaultBanks,
  parameter int unsigned RowsPerBank = 128,
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

  localparam int unsigned NumCollectors = DefaultCollectors;
  localparam int unsigned CollectorBits = $clog2(NumCollectors);
  localparam int unsigned RowBits       = BaseBits - $clog2(NumBanks);  // of a row's number

  if (RowsPerBank < 2 || RowsPerBank > 2 ** RowBits) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 2 to %0d", 2 ** RowBits);
  end

  config_t settings;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  // ---- collectors, results and commands ----
  collector_set_t        request [NumBanks];
  collector_t            winner [NumBanks];
  logic [NumBanks-1:0]   read_grant, deliver, write_queued, write_grant;
  source_t               read_source [NumBanks];
  logic [RowBits-1:0]    read_row [NumBanks];
  collector_t            deliver_collector [NumBanks];
  source_t               deliver_source [NumBanks];
  data_t                 deliver_data [NumBanks];
  logic [RowBits-1:0]    write_row [NumBanks];
  mask_t                 write_mask [NumBanks];
  data_t                 write_data [NumBanks];
  front_events_t         front;

  register_front #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .NumBanks   (NumBanks)
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
    .winner_i              (winner),
    .grant_i               (read_grant),
    .read_source_o         (read_source),
    .read_row_o            (read_row),
    .deliver_i             (deliver),
    .deliver_collector_i   (deliver_collector),
    .deliver_source_i      (deliver_source),
    .deliver_data_i        (deliver_data),
    .write_queued_o        (write_queued),
    .write_row_o           (write_row),
    .write_mask_o          (write_mask),
    .write_data_o          (write_data),
    .write_grant_i         (write_grant),
    .events_o              (front)
  );

  // ---- banks ----
  logic [NumBanks-1:0] bank_ready, bank_busy, row_fault, wait_write, wait_bank;

  for (genvar b = 0; b < NumBanks; b++) begin : gen_bank
    bank_arbiter u_arbiter (
      .clk_i,
      .rst_ni,
      .bank_ready_i  (bank_ready[b]),
      .write_queued_i(write_queued[b]),
      .request_i     (request[b]),
      .write_grant_o (write_grant[b]),
      .read_grant_o  (read_grant[b]),
      .collector_o   (winner[b]),
      .wait_write_o  (wait_write[b]),
      .wait_bank_o   (wait_bank[b])
    );

    register_bank #(
      .RowsPerBank(RowsPerBank),
      .FullRowBits(RowBits)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .bank_cycles_i      (settings.bank_cycles),
      .rows_in_use_i      (settings.rows_per_bank),
      .ready_o            (bank_ready[b]),
      .busy_o             (bank_busy[b]),
      .row_fault_o        (row_fault[b]),
      .write_grant_i      (write_grant[b]),
      .write_row_i        (write_row[b]),
      .write_mask_i       (write_mask[b]),
      .write_data_i       (write_data[b]),
      .read_grant_i       (read_grant[b]),
      .read_row_i         (read_row[b]),
      .read_collector_i   (winner[b]),
      .read_source_i      (read_source[b]),
      .deliver_o          (deliver[b]),
      .deliver_collector_o(deliver_collector[b]),
      .deliver_source_o   (deliver_source[b]),
      .deliver_data_o     (deliver_data[b])
    );
  end

  assign status_o.bank_busy = MaxBanks'(bank_busy);

  // ---- events ----
  events_t events;

  always_comb begin : happened
    events = '{
      main_bank_read:       read_grant,
      main_bank_write:      write_grant,
      collector_alloc:      front.allocated,
      collector_dispatch:   front.dispatched,
      bank_conflict:        wait_bank,
      read_behind_write:    wait_write,
      result_accept:        front.port.result_accept,
      operand_stall:        front.port.operand_stall,
      issue_stall:          front.port.issue_stall,
      result_stall:         front.port.result_stall,
      command:              front.port.command,
      row_fault:            row_fault != '0 || front.beyond,
      write_buffer_level:   front.level,
      registers_per_thread: front.registers_per_thread,
      collectors_in_use:    8'($countones(front.in_use)),
      default:              '0
    };
    for (int unsigned b = 0; b < NumBanks; b++) begin
      if (read_grant[b]) begin
        events.granted_collector[b*CollectorBits+:CollectorBits] = winner[b];
        events.granted_source[b*SourceBits+:SourceBits]          = read_source[b];
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
