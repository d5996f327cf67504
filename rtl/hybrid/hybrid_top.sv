// Hybrid register file (Li et al., DAC 2015): STT-RAM in two banks, for even and odd warps, and two
// SRAM write buffers. The active warp writes to one buffer while that of the warp before it is
// written back.
//
// Register r of a warp lies in the bank of its slot's parity, at address base + r. The control is
// there once, for all 32 lanes. What the port asks for and the STT-RAM itself are in stt_front.
module hybrid_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 64,
  `include "hybrid_events.svh"
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

  localparam int unsigned Places = 2 ** $clog2(2 * ResultWidth);  // of the result queue

  config_t settings;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  // ---- commands, reads, results and STT-RAM ----
  command_t             command;
  logic                 carried_out, leaving;
  index_t               base [NumWarps];
  warp_t                reader_warp;
  number_t              number [NumSources];
  source_set_t          wanted, pending, hit, grant;
  slot_t                hit_slot [NumSources];
  array_set_t           read_array [SttBanks];
  logic [SttBanks-1:0]  arrive, ready, writing, busy, write;
  data_t                stt_data [SttBanks][NumSources];
  data_t                operand [SttBanks][NumSources];
  logic                 reader_bank, staged, pop;
  logic [Places-1:0]    held;
  staged_t              held_entry [Places];
  staged_t              oldest;
  data_t                oldest_data;
  address_t             write_address [SttBanks];
  mask_t                write_mask [SttBanks];
  data_t                write_data [SttBanks];
  front_events_t        front;
  logic                 conflict, result_wait;

  stt_front #(
    .IssueWidth (IssueWidth),
    .ResultWidth(ResultWidth),
    .RowsPerBank(RowsPerBank)
  ) u_front (
    .*,
    .read_cycles_i         (settings.bank_cycles),
    .write_cycles_i        (settings.write_cycles),
    .command_o             (command),
    .carried_out_i         (carried_out),
    .base_o                (base),
    .reader_warp_o         (reader_warp),
    .number_o              (number),
    .wanted_o              (wanted),
    .stop_i                (!ready[reader_bank]),
    .pending_i             (pending),
    .hit_i                 (hit),
    .hit_slot_i            (hit_slot),
    .grant_o               (grant),
    .reads_o               (read_array),
    .arrive_o              (arrive),
    .stt_data_o            (stt_data),
    .operand_i             (operand),
    .held_o                (held),
    .held_entry_o          (held_entry),
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
    .result_wait_o         (result_wait)
  );

  queued_results #(
    .ResultWidth(ResultWidth),
    .Places     (Places)
  ) u_queued (
    .held_i         (held),
    .held_entry_i   (held_entry),
    .result_i,
    .accept_i       (front.port.result_accept[ResultWidth-1:0]),
    .reader_warp_i  (reader_warp),
    .reader_number_i(number),
    .pending_o      (pending),
    .leaving_warp_i (command.warp),
    .leaving_o      (leaving)
  );

  assign reader_bank        = reader_warp[0];
  assign status_o.bank_busy = MaxBanks'(busy);

  // ---- write buffers ----
  logic [Buffers-1:0]  free, filling, draining, open, close, drop, upper_on;
  warp_t               owner [Buffers];
  logic                youngest, gating, activation_waits, exit_waits;
  source_set_t         buffered;
  mask_t               read_mask [NumSources];
  data_t               buffer_data [Buffers][ArraysPerBank];
  logic [SttBanks-1:0] bank_open, from_buffer;
  count_t              count [Buffers];
  count_t              drained [Buffers];
  buffer_cycle_t       buffer_cycle;

  hybrid_commands u_commands (
    .clk_i,
    .rst_ni,
    .command_i         (command),
    .carried_out_o     (carried_out),
    .gating_o          (gating),
    .free_i            (free),
    .filling_i         (filling),
    .owner_i           (owner),
    .open_o            (open),
    .close_o           (close),
    .drop_o            (drop),
    .youngest_o        (youngest),
    .held_i            (leaving),
    .activation_waits_o(activation_waits),
    .exit_waits_o      (exit_waits)
  );

  for (genvar k = 0; k < SttBanks; k++) begin : gen_open
    assign bank_open[k] = ready[k] && read_array[k] == '0;
  end

  write_buffers u_buffers (
    .clk_i,
    .rst_ni,
    .gating_i       (gating),
    .wakeup_cycles_i(settings.wakeup_cycles),
    .base_i         (base),
    .command_warp_i (command.warp),
    .open_i         (open),
    .close_i        (close),
    .drop_i         (drop),
    .youngest_i     (youngest),
    .staged_i       (staged),
    .oldest_i       (oldest),
    .oldest_data_i  (oldest_data),
    .pop_o          (pop),
    .number_i       (number),
    .hit_o          (hit),
    .hit_slot_o     (hit_slot),
    .grant_i        (grant),
    .buffered_o     (buffered),
    .read_mask_o    (read_mask),
    .read_data_o    (buffer_data),
    .bank_open_i    (bank_open),
    .write_o        (write),
    .from_buffer_o  (from_buffer),
    .write_address_o(write_address),
    .write_mask_o   (write_mask),
    .write_data_o   (write_data),
    .free_o         (free),
    .filling_o      (filling),
    .draining_o     (draining),
    .owner_o        (owner),
    .count_o        (count),
    .drained_o      (drained),
    .upper_on_o     (upper_on),
    .cycle_o        (buffer_cycle)
  );

  operand_merge u_merge (
    .clk_i,
    .grant_i      (grant),
    .bank_i       (reader_bank),
    .buffered_i   (buffered),
    .buffer_i     (filling[1]),
    .slot_i       (hit_slot),
    .mask_i       (read_mask),
    .arrive_i     (arrive),
    .stt_data_i   (stt_data),
    .buffer_data_i(buffer_data),
    .data_o       (operand)
  );

  // ---- events ----
  events_t events;

  assign events = '{
    sttram_read:             {read_array[1], read_array[0]},
    sttram_write:            write,
    write_back:              buffer_cycle.write_back,
    late_write:              write & ~from_buffer,
    buffer_write:            buffer_cycle.write,
    buffer_merge:            buffer_cycle.merge,
    buffer_append:           buffer_cycle.append,
    buffer_drop:             drop,
    buffer_read:             buffered,
    rcm_read:                grant,
    rcm_write:               buffer_cycle.look_up,
    activation_wait:         activation_waits,
    exit_wait:               exit_waits,
    read_conflict:           conflict,
    read_behind_result:      result_wait,
    read_behind_write:       wanted != '0 && writing[reader_bank],
    result_wait_power:       buffer_cycle.waits_power,
    result_wait_full:        buffer_cycle.waits_full,
    result_wait_bank:        buffer_cycle.waits_bank,
    period_entries_0:        buffer_cycle.period[0],
    period_entries_1_to_4:   buffer_cycle.period[1],
    period_entries_5_to_8:   buffer_cycle.period[2],
    period_entries_9_to_12:  buffer_cycle.period[3],
    period_entries_13_to_16: buffer_cycle.period[4],
    period_entries_17_to_32: buffer_cycle.period[5],
    period_entries_33_to_48: buffer_cycle.period[6],
    period_entries_49_to_64: buffer_cycle.period[7],
    collector_alloc:         front.allocated,
    collector_dispatch:      front.dispatched,
    result_accept:           front.port.result_accept,
    operand_stall:           front.port.operand_stall,
    issue_stall:             front.port.issue_stall,
    result_stall:            front.port.result_stall,
    command:                 front.port.command,
    wakeup:                  buffer_cycle.wakes,
    upper_on_cycles:         upper_on,
    filling_cycles:          filling,
    draining_cycles:         draining,
    staged_results:          front.level,
    entries_written_back:    {8'(drained[1]), 8'(drained[0])},
    buffer_owner:            {8'(owner[1]), 8'(owner[0])},
    buffer_entries:          {8'(count[1]), 8'(count[0])},
    dropped_entries:         buffer_cycle.lost,
    default:                 '0
  };

  event_register #(
    .Width($bits(events_t))
  ) u_events (
    .*,
    .events_i(events)
  );

endmodule
