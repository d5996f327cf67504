// Hybrid register file (Li et al., DAC 2015): STT-RAM in two banks, for even and odd warps, and two SRAM
// write buffers. The active warp writes to one buffer while that of the warp before it is written back.
//
// Register r of a warp lies in the bank of its slot's parity, at address base + r. The control is there
// once, for all 32 lanes. Dispatch and the data of the collectors are the baseline's.
module hybrid_top
  import heddle_port_pkg::*;
  import baseline_pkg::*;
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
  buffer_state_e      state [Buffers];
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

  // ---- results and the control module ----
  logic                   staged, late, result_lookup, write_hit, set, pop;
  staged_t                oldest;
  data_t                  oldest_data;
  slot_t                  write_slot, set_slot;
  logic [ResultWidth-1:0] result_accept;
  logic [3:0]             staged_level;
  logic [Buffers-1:0]     request, buffer_accept, new_entry, waits_power;
  logic                   late_grant;

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

  for (genvar b = 0; b < Buffers; b++) begin : gen_route
    assign free[b]     = state[b] == BufferFree;
    assign filling[b]  = state[b] == BufferFill;
    assign draining[b] = state[b] == BufferDrain;
    assign request[b]  = staged && !free[b] && owner[b] == oldest.warp;
  end

  assign late          = staged && request == '0;
  assign result_lookup = (request & filling) != '0;
  assign pop           = buffer_accept != '0 || late_grant;
  assign set           = (new_entry & filling) != '0;

  register_control_module u_rcm (
    .clk_i,
    .rst_ni,
    .clear_i       (open != '0),
    .set_i         (set),
    .set_number_i  (oldest.number),
    .set_slot_i    (set_slot),
    .write_number_i(oldest.number),
    .write_hit_o   (write_hit),
    .write_slot_o  (write_slot),
    .read_number_i (number),
    .read_hit_o    (hit),
    .read_slot_o   (hit_slot)
  );

  // ---- write buffers ----
  slot_t              slot [Buffers];
  mask_t              read_mask [Buffers][NumSources];
  data_t              buffer_data [Buffers][ArraysPerBank];
  logic [Buffers-1:0] entry_valid, entry_take, entry_bank, upper_on, wakes;
  number_t            entry_number [Buffers];
  mask_t              entry_mask [Buffers];
  data_t              entry_data [Buffers];
  count_t             count [Buffers];
  count_t             drained [Buffers];
  count_t             used [Buffers];
  logic               active_buffer;

  assign active_buffer = filling[1];
  assign set_slot      = slot[active_buffer];
  assign buffered      = grant & hit;

  for (genvar b = 0; b < Buffers; b++) begin : gen_buffer
    hybrid_buffer u_buffer (
      .clk_i,
      .rst_ni,
      .gating_i       (gating),
      .wakeup_cycles_i(config_i.wakeup_cycles),
      .open_i         (open[b]),
      .warp_i         (command_warp),
      .close_i        (close[b]),
      .drop_i         (drop[b]),
      .request_i      (request[b]),
      .number_i       (oldest.number),
      .mask_i         (oldest.mask),
      .data_i         (oldest_data),
      .hit_i          (write_hit),
      .hit_slot_i     (write_slot),
      .accept_o       (buffer_accept[b]),
      .new_entry_o    (new_entry[b]),
      .slot_o         (slot[b]),
      .waits_power_o  (waits_power[b]),
      .read_i         (filling[b] ? buffered : '0),
      .read_slot_i    (hit_slot),
      .read_mask_o    (read_mask[b]),
      .read_data_o    (buffer_data[b]),
      .entry_valid_o  (entry_valid[b]),
      .entry_number_o (entry_number[b]),
      .entry_mask_o   (entry_mask[b]),
      .entry_data_o   (entry_data[b]),
      .entry_take_i   (entry_take[b]),
      .state_o        (state[b]),
      .owner_o        (owner[b]),
      .count_o        (count[b]),
      .drained_o      (drained[b]),
      .used_o         (used[b]),
      .upper_on_o     (upper_on[b]),
      .wakes_o        (wakes[b])
    );

    assign entry_bank[b] = owner[b][0];
  end

  // ---- STT-RAM ----
  logic                    reader_bank;
  logic [SttBanks-1:0]     ready, writing, busy, bank_open, write, from_buffer, from_which;
  array_set_t              read_array [SttBanks];
  logic [ArrayRowBits-1:0] read_row [ArraysPerBank];
  data_t                   stt_data [SttBanks][ArraysPerBank];

  assign reader_bank = reader_warp[0];
  assign stop        = !ready[reader_bank];

  always_comb begin : reads
    for (int unsigned k = 0; k < SttBanks; k++) read_array[k] = '0;
    for (int unsigned a = 0; a < ArraysPerBank; a++) read_row[a] = '0;
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (grant[s]) begin
        read_array[reader_bank][address[s].array] = 1'b1;
        read_row[address[s].array]                = address[s].row;
      end
    end
  end

  write_back_arbiter u_write_back (
    .bank_open_i  (bank_open),
    .late_i       (late),
    .late_bank_i  (oldest.warp[0]),
    .entry_i      (entry_valid),
    .entry_bank_i (entry_bank),
    .youngest_i   (youngest),
    .late_grant_o (late_grant),
    .entry_grant_o(entry_take),
    .write_o      (write),
    .from_buffer_o(from_buffer),
    .buffer_o     (from_which)
  );

  for (genvar k = 0; k < SttBanks; k++) begin : gen_bank
    address_t entry_address;

    assign bank_open[k]  = ready[k] && read_array[k] == '0;
    assign entry_address = locate_in_bank(base[owner[from_which[k]]], entry_number[from_which[k]]);

    sttram_bank u_bank (
      .clk_i,
      .rst_ni,
      .read_cycles_i  (config_i.bank_cycles),
      .write_cycles_i (config_i.write_cycles),
      .ready_o        (ready[k]),
      .writing_o      (writing[k]),
      .busy_o         (busy[k]),
      .read_i         (read_array[k]),
      .read_row_i     (read_row),
      .write_i        (write[k]),
      .write_address_i(from_buffer[k] ? entry_address : oldest.address),
      .write_mask_i   (from_buffer[k] ? entry_mask[from_which[k]] : oldest.mask),
      .write_data_i   (from_buffer[k] ? entry_data[from_which[k]] : oldest_data),
      .read_valid_o   (arrive[k]),
      .read_data_o    (stt_data[k])
    );
  end

  // ---- operands ----
  data_t operand [SttBanks][NumSources];

  operand_merge u_merge (
    .clk_i,
    .grant_i      (grant),
    .bank_i       (reader_bank),
    .address_i    (address),
    .buffered_i   (buffered),
    .buffer_i     (active_buffer),
    .slot_i       (hit_slot),
    .mask_i       (read_mask[active_buffer]),
    .arrive_i     (arrive),
    .stt_data_i   (stt_data),
    .buffer_data_i(buffer_data),
    .data_o       (operand)
  );

  // Source s from bank k comes through port k * ArraysPerBank + s of the store.
  bank_set_t  deliver;
  collector_t deliver_collector [NumBanks];
  source_t    deliver_source [NumBanks];
  data_t      deliver_data [NumBanks];

  for (genvar k = 0; k < SttBanks; k++) begin : gen_deliver
    for (genvar s = 0; s < ArraysPerBank; s++) begin : gen_source
      assign deliver_collector[k*ArraysPerBank+s] = arrive_collector[k];
      assign deliver_source[k*ArraysPerBank+s]    = source_t'(s);
      if (s < NumSources) begin : gen_there
        assign deliver[k*ArraysPerBank+s]      = arrive[k] && arrive_sources[k][s];
        assign deliver_data[k*ArraysPerBank+s] = operand[k][s];
      end else begin : gen_none
        assign deliver[k*ArraysPerBank+s]      = 1'b0;
        assign deliver_data[k*ArraysPerBank+s] = '0;
      end
    end
  end

  operand_store #(
    .IssueWidth(IssueWidth)
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
  logic [Buffers-1:0]     ending;  // an active period ends with this buffer

  for (genvar i = 0; i < IssueWidth; i++) begin : gen_issue_stall
    assign issue_stall[i] = issue_i[i].valid && !issue_ready_o[i];
  end
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_result_stall
    assign result_stall[p] = result_i[p].valid && !result_ready_o[p];
  end
  assign ending = close | (drop & filling);

  hybrid_events u_events (
    .clk_i,
    .rst_ni,
    .stt_read_i          (read_array),
    .stt_write_i         (write),
    .write_back_i        (entry_take),
    .late_write_i        (write & ~from_buffer),
    .buffer_write_i      (buffer_accept),
    .buffer_merge_i      (buffer_accept & ~new_entry),
    .buffer_append_i     (new_entry & draining),
    .buffer_drop_i       (drop),
    .buffer_read_i       (buffered),
    .source_lookup_i     (grant),
    .result_lookup_i     (result_lookup && pop),
    .activation_wait_i   (activation_waits),
    .exit_wait_i         (exit_waits),
    .conflict_i          (conflict && !stop),
    .read_behind_result_i(result_wait),
    .read_behind_write_i (wanted != '0 && writing[reader_bank]),
    .wait_power_i        (waits_power != '0),
    .wait_full_i         (request != '0 && pop == 1'b0 && waits_power == '0),
    .wait_bank_i         (late && !late_grant),
    .collector_alloc_i   (allocated),
    .collector_dispatch_i(dispatched),
    .result_accept_i     (4'(result_accept)),
    .operand_stall_i     (4'(operand_stall)),
    .issue_stall_i       (4'(issue_stall)),
    .result_stall_i      (4'(result_stall)),
    .command_i           (command_accepted),
    .period_i            (ending == '0 ? '0 : use_class(used[ending[1]])),
    .wakeup_i            (wakes),
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
