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
  index_t     base [NumWarps];
  logic [7:0] registers_per_thread, command_accepted;

  command_t unused_command;

  command_port u_commands (
    .clk_i,
    .rst_ni,
    .command_i,
    .command_ready_o,
    .done_o,
    .command_o             (unused_command),
    .carried_out_i         (1'b1),
    .base_o                (base),
    .registers_per_thread_o(registers_per_thread),
    .accepted_o            (command_accepted)
  );

  // ---- operand collectors ----
  logic                  conflict, stop;
  warp_t                 reader_warp;
  number_t               number [NumSources];
  address_t              address [NumSources];
  source_set_t           wanted, grant;
  slot_t                 no_slot [NumSources];
  logic [SttBanks-1:0]   arrive;
  collector_t            arrive_collector [SttBanks];
  source_set_t           arrive_sources [SttBanks];
  collector_set_t        complete, dispatched, allocated;
  logic [TagBits-1:0]    tag [NumCollectors];
  source_set_t           sources [NumCollectors];
  logic [IssueWidth-1:0] load, operand_stall;
  collector_t            load_collector [IssueWidth];
  logic                  result_wait;

  for (genvar s = 0; s < NumSources; s++) begin : gen_no_slot
    assign no_slot[s] = '0;
  end

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
    .pending_i         ('0),
    .hit_i             ('0),
    .slot_i            (no_slot),
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
  logic                   staged, pop, held;
  staged_t                oldest;
  data_t                  oldest_data;
  logic [ResultWidth-1:0] result_accept;
  logic [3:0]             staged_level;
  source_set_t            pending;

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
    .leaving_warp_i (command_i.warp),
    .held_o         (held),
    .accept_o       (result_accept),
    .level_o        (staged_level)
  );

  // ---- STT-RAM ----
  logic                reader_bank;
  logic [SttBanks-1:0] ready, writing, busy, write;
  array_set_t          read_array [SttBanks];
  address_t            write_address [SttBanks];
  mask_t               write_mask [SttBanks];
  data_t               write_data [SttBanks];
  data_t               stt_data [SttBanks][ArraysPerBank];
  logic                stalled;

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
  logic [ArrayBits-1:0] array_q [SttBanks][NumSources];
  data_t                operand [SttBanks][NumSources];

  always_ff @(posedge clk_i) begin : notes
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (grant[s]) array_q[reader_bank][s] <= address[s].array;
    end
  end

  for (genvar k = 0; k < SttBanks; k++) begin : gen_operand
    for (genvar s = 0; s < NumSources; s++) begin : gen_source
      assign operand[k][s] = stt_data[k][array_q[k][s]];
    end
  end

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

  sttram_events u_events (
    .clk_i,
    .rst_ni,
    .stt_read_i            (read_array),
    .stt_write_i           (write),
    .write_stall_i         (stalled),
    .conflict_i            (conflict && !stop),
    .read_wait_i           (wanted != '0 && stalled),
    .collector_alloc_i     (allocated),
    .collector_dispatch_i  (dispatched),
    .result_accept_i       (4'(result_accept)),
    .operand_stall_i       (4'(operand_stall)),
    .issue_stall_i         (4'(issue_stall)),
    .result_stall_i        (4'(result_stall)),
    .command_i             (command_accepted),
    .staged_i              (staged_level),
    .registers_per_thread_i(registers_per_thread),
    .events_o
  );

  // Without write buffers all reads wait for all results, and nothing waits for those of one warp.
  logic unused;
  assign unused = ^{pending, held, result_wait};

endmodule
