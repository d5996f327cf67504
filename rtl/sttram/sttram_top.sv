// Register file of STT-RAM alone: the hybrid register file without its write buffers (Li et al.,
// DAC 2015, section 6.2).
//
// Every result goes straight to its bank, one at a time, and the pipeline stalls for it: no operand
// read begins while a result waits to be written or is being written.
module sttram_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 64,
  `include "sttram_events.svh"
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

  config_t settings;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  warp_t                reader_warp;
  source_set_t          wanted;
  array_set_t           read_array [SttBanks];
  data_t                operand [SttBanks][NumSources];
  logic                 reader_bank, staged, pop, stalled, stop;
  staged_t              oldest;
  data_t                oldest_data;
  logic [SttBanks-1:0]  ready, writing, busy, write;
  address_t             write_address [SttBanks];
  mask_t                write_mask [SttBanks];
  data_t                write_data [SttBanks];
  front_events_t        front;
  logic                 conflict;

  assign reader_bank = reader_warp[0];
  assign stalled     = staged || writing != '0;
  assign stop        = stalled || !ready[reader_bank];
  assign pop         = staged && writing == '0 && ready[oldest.warp[0]];
  assign write       = pop ? (SttBanks'(1) << oldest.warp[0]) : '0;

  for (genvar k = 0; k < SttBanks; k++) begin : gen_write
    assign write_address[k] = oldest.address;
    assign write_mask[k]    = oldest.mask;
    assign write_data[k]    = oldest_data;
  end

  stt_front #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .RowsPerBank(RowsPerBank)
  ) u_front (
    .*,
    .read_cycles_i         (settings.bank_cycles),
    .write_cycles_i        (settings.write_cycles),
    .command_o             (),
    .carried_out_i         (1'b1),
    .base_o                (),
    .reader_warp_o         (reader_warp),
    .number_o              (),
    .wanted_o              (wanted),
    .stop_i                (stop),
    .pending_i             ('0),
    .hit_i                 ('0),
    .hit_slot_i            ('{default: '0}),
    .grant_o               (),
    .reads_o               (read_array),
    .arrive_o              (),
    .stt_data_o            (operand),
    .operand_i             (operand),
    .held_o                (),
    .held_entry_o          (),
    .staged_o              (staged),
    .oldest_o              (oldest),
    .oldest_data_o         (oldest_data),
    .pop_i                 (pop),
    .bank_ready_o          (ready),
    .writing_o             (writing),
    .busy_o                (busy),
    .write_i               (write),
    .write_address_i       (write_address),
    .write_mask_i          (write_mask),
    .write_data_i          (write_data),
    .events_o              (front),
    .conflict_o            (conflict),
    .result_wait_o         ()
  );

  assign status_o.bank_busy = MaxBanks'(busy);

  // ---- events ----
  events_t events;

  assign events = '{
    sttram_read:          {read_array[1], read_array[0]},
    sttram_write:         write,
    write_stall:          stalled,
    read_conflict:        conflict,
    read_wait:            wanted != '0 && stalled,
    collector_alloc:      front.allocated,
    collector_dispatch:   front.dispatched,
    result_accept:        front.port.result_accept,
    operand_stall:        front.port.operand_stall,
    issue_stall:          front.port.issue_stall,
    result_stall:         front.port.result_stall,
    command:              front.port.command,
    staged_results:       front.level,
    registers_per_thread: front.registers_per_thread,
    default:              '0
  };

  event_register #(
    .Width($bits(events_t))
  ) u_events (
    .*,
    .events_i(events)
  );

endmodule
