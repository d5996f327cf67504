// Hybrid register file (Li et al., DAC 2015): STT-RAM in two banks, for even and odd warps, and two
// SRAM write buffers. The active warp writes to one buffer while that of the warp before it is
// written back.
//
// Register r of a warp lies in the bank of its slot's parity, at address base + r. The control is
// there once, for all 32 lanes. Dispatch and the data of the collectors are the baseline's.
module hybrid_top
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 64
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
  if (RowsPerBank * NumBanks != SttBanks * ArraysPerBank * ArrayRows) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 64");
  end

  // ---- commands ----
  index_t             base [NumWarps];
  warp_t              owner [Buffers];
  logic [Buffers-1:0] free, filling, draining, open, close, drop;
  logic               youngest, gating, held, activation_waits, exit_waits;
  warp_t              command_warp;
  logic [7:0]         command_accepted;

  hybrid_commands u_commands (
    .clk_i,
    .rst_ni,
    .command_i,
    .command_ready_o,
    .done_o,
    .base_o            (base),
    .gating_o          (gating),
    .free_i            (free),
    .filling_i         (filling),
    .owner_i           (owner),
    .warp_o            (command_warp),
    .open_o            (open),
    .close_o           (close),
    .drop_o            (drop),
    .youngest_o        (youngest),
    .held_i            (held),
    .activation_waits_o(activation_waits),
    .exit_waits_o      (exit_waits),
    .accepted_o        (command_accepted)
  );

  // ---- operand collectors ----
  logic                  conflict, result_wait, stop;
  warp_t                 reader_warp;
  number_t               number [NumSources];
  address_t              address [NumSources];
  source_set_t           wanted, pending, hit, buffered, grant;
  slot_t                 hit_slot [NumSources];
  logic [SttBanks-1:0]   arrive;
  collector_t            arrive_collector [SttBanks];
  source_set_t           arrive_sources [SttBanks];
  collector_set_t        complete, dispatched, allocated;
  logic [TagBits-1:0]    tag [NumCollectors];
  source_set_t           sources [NumCollectors];
  logic [IssueWidth-1:0] load, operand_stall;
  collector_t            load_collector [IssueWidth];

  operand_reader #(
    .IssueWidth(IssueWidth)
  ) u_reader (
    .clk_i,
    .rst_ni,
    .issue_i,
    .issue_ready_o,
    .base_i            (base),
    .warp_o            (reader_warp),
    .number_o          (number),
    .address_o         (address),
    .wanted_o          (wanted),
    .stop_i            (stop),
    .pending_i         (pending),
    .hit_i             (hit),
    .slot_i            (hit_slot),
    .grant_o           (grant),
    .arrive_i          (arrive),
    .arrive_collector_o(arrive_collector),
    .arrive_sources_o  (arrive_sources),
    .complete_o        (complete),
    .dispatch_i        (dispatched),
    .tag_o             (tag),
    .sources_o         (sources),
    .allocated_o       (allocated),
    .conflict_o        (conflict),
    .result_wait_o     (result_wait)
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

  // ---- results ----
  logic                   staged, pop;
  staged_t                oldest;
  data_t                  oldest_data;
  logic [ResultWidth-1:0] result_accept;
  logic [3:0]             staged_level;

  result_queue #(
    .ResultWidth(ResultWidth)
  ) u_results (
    .clk_i,
    .rst_ni,
    .result_i,
    .result_data_i,
    .result_ready_o,
    .base_i         (base),
    .valid_o        (staged),
    .oldest_o       (oldest),
    .oldest_data_o  (oldest_data),
    .pop_i          (pop),
    .reader_warp_i  (reader_warp),
    .reader_number_i(number),
    .pending_o      (pending),
    .leaving_warp_i (command_warp),
    .held_o         (held),
    .accept_o       (result_accept),
    .level_o        (staged_level)
  );

  // ---- write buffers ----
  mask_t               read_mask [NumSources];
  data_t               buffer_data [Buffers][ArraysPerBank];
  logic [SttBanks-1:0] bank_open, write, from_buffer;
  address_t            write_address [SttBanks];
  mask_t               write_mask [SttBanks];
  data_t               write_data [SttBanks];
  count_t              count [Buffers];
  count_t              drained [Buffers];
  logic [Buffers-1:0]  upper_on;
  buffer_cycle_t       buffer_cycle;

  write_buffers u_buffers (
    .clk_i,
    .rst_ni,
    .gating_i       (gating),
    .wakeup_cycles_i(config_i.wakeup_cycles),
    .base_i         (base),
    .command_warp_i (command_warp),
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

  // ---- STT-RAM ----
  logic                reader_bank;
  logic [SttBanks-1:0] ready, writing, busy;
  array_set_t          read_array [SttBanks];
  data_t               stt_data [SttBanks][ArraysPerBank];

  assign reader_bank = reader_warp[0];
  assign stop        = !ready[reader_bank];

  for (genvar k = 0; k < SttBanks; k++) begin : gen_open
    assign bank_open[k] = ready[k] && read_array[k] == '0;
  end

  sttram_banks u_banks (
    .clk_i,
    .rst_ni,
    .read_cycles_i  (config_i.bank_cycles),
    .write_cycles_i (config_i.write_cycles),
    .ready_o        (ready),
    .writing_o      (writing),
    .busy_o         (busy),
    .bank_i         (reader_bank),
    .grant_i        (grant),
    .address_i      (address),
    .reads_o        (read_array),
    .write_i        (write),
    .write_address_i(write_address),
    .write_mask_i   (write_mask),
    .write_data_i   (write_data),
    .arrive_o       (arrive),
    .data_o         (stt_data)
  );

  // ---- operands ----
  data_t operand [SttBanks][NumSources];

  operand_merge u_merge (
    .clk_i,
    .grant_i      (grant),
    .bank_i       (reader_bank),
    .address_i    (address),
    .buffered_i   (buffered),
    .buffer_i     (filling[1]),
    .slot_i       (hit_slot),
    .mask_i       (read_mask),
    .arrive_i     (arrive),
    .stt_data_i   (stt_data),
    .buffer_data_i(buffer_data),
    .data_o       (operand)
  );

  logic [NumBanks-1:0] deliver;
  collector_t deliver_collector [NumBanks];
  source_t    deliver_source [NumBanks];
  data_t      deliver_data [NumBanks];

  operand_delivery u_delivery (
    .arrive_i   (arrive),
    .collector_i(arrive_collector),
    .sources_i  (arrive_sources),
    .data_i     (operand),
    .deliver_o  (deliver),
    .collector_o(deliver_collector),
    .source_o   (deliver_source),
    .data_o     (deliver_data)
  );

  operand_store #(
    .IssueWidth   (IssueWidth),
    .NumPorts     (NumBanks),
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

  assign status_o.bank_busy = 32'(busy);

  // ---- events of the cycle before ----
  logic [IssueWidth-1:0]  issue_stall;
  logic [ResultWidth-1:0] result_stall;

  for (genvar i = 0; i < IssueWidth; i++) begin : gen_issue_stall
    assign issue_stall[i] = issue_i[i].valid && !issue_ready_o[i];
  end
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_result_stall
    assign result_stall[p] = result_i[p].valid && !result_ready_o[p];
  end

  hybrid_events u_events (
    .clk_i,
    .rst_ni,
    .stt_read_i          (read_array),
    .stt_write_i         (write),
    .late_write_i        (write & ~from_buffer),
    .buffers_i           (buffer_cycle),
    .buffer_drop_i       (drop),
    .buffer_read_i       (buffered),
    .source_lookup_i     (grant),
    .activation_wait_i   (activation_waits),
    .exit_wait_i         (exit_waits),
    .conflict_i          (conflict && !stop),
    .read_behind_result_i(result_wait),
    .read_behind_write_i (wanted != '0 && writing[reader_bank]),
    .collector_alloc_i   (allocated),
    .collector_dispatch_i(dispatched),
    .result_accept_i     (4'(result_accept)),
    .operand_stall_i     (4'(operand_stall)),
    .issue_stall_i       (4'(issue_stall)),
    .result_stall_i      (4'(result_stall)),
    .command_i           (command_accepted),
    .upper_on_i          (upper_on),
    .filling_i           (filling),
    .draining_i          (draining),
    .staged_i            (staged_level),
    .owner_i             (owner),
    .count_i             (count),
    .drained_i           (drained),
    .events_o
  );

endmodule
