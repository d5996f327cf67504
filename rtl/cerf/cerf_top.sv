// CERF: register file and L1 data cache in one set-associative memory (Jing and others, MICRO 2016).
//
// Registers are found through their reg-mem addresses in the same four tag banks as the lines of global and
// local memory; a tagging stage looks up one register or line a bank and cycle and hands the row to
// the data banks, so that there are no conflicts there. Policy: LRU-prioritized, or LRU-fair by `config_i.fair`.
module cerf_top
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  parameter int unsigned RowsPerBank = 64,  // of 16 banks, as in the other designs: 1,024 warp registers
  parameter int unsigned Ways        = 4
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
  output logic      [EventBits-1:0]   events_o,
  // from the SM's coalescer
  input  mem_request_t                memory_request_i,
  input  logic [NumLanes-1:0][3:0][31:0] memory_request_data_i,
  output logic                        memory_request_ready_o,
  // to the SM's load-store unit
  output mem_response_t               memory_response_o,
  output logic [NumLanes-1:0][3:0][31:0] memory_response_data_o,
  output mem_performed_t              memory_performed_o,
  output logic                        memory_idle_o,
  input  logic                        memory_flush_i,
  // to and from L2
  output mem_lower_request_t          lower_request_o,
  output logic [NumLanes-1:0][31:0]   lower_request_data_o,
  input  logic                        lower_ready_i,
  input  mem_lower_response_t         lower_response_i,
  input  logic [NumLanes-1:0][31:0]   lower_response_data_i
);

  if (IssueWidth < 1 || IssueWidth > 4 || ResultWidth < 1 || ResultWidth > 4) begin : gen_bad_width
    $fatal(1, "IssueWidth and ResultWidth are 1 to 4");
  end
  if (RowsPerBank * 16 != NumTagBanks * EntriesPerBank) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 64");
  end
  if (Ways != 2 && Ways != 4 && Ways != 8) begin : gen_bad_ways
    $fatal(1, "Ways is 2, 4 or 8");
  end

  // ---- commands ----
  logic [15:0] base [NumWarps];
  logic [7:0]  registers_per_thread, command_accepted;
  logic        kill, killed;
  index_t      kill_index;

  cerf_command_unit u_command (
    .clk_i,
    .rst_ni,
    .command_i,
    .command_ready_o,
    .done_o,
    .base_o                (base),
    .kill_o                (kill),
    .kill_index_o          (kill_index),
    .killed_i              (killed),
    .registers_per_thread_o(registers_per_thread),
    .accepted_o            (command_accepted)
  );

  // ---- the end of a kernel ----
  logic  flush, flushed;
  line_t flush_line;

  flush_unit u_flush (
    .clk_i,
    .rst_ni,
    .start_i  (memory_flush_i),
    .flush_o  (flush),
    .line_o   (flush_line),
    .flushed_i(flushed)
  );

  // ---- operand collectors ----
  collector_set_t        read_request [NumTagBanks];
  collector_t            read_collector [NumTagBanks];
  source_t               read_source [NumTagBanks];
  index_t                read_index [NumTagBanks];
  tag_bank_set_t         read_grant, read_dead, read_parks, deliver;
  collector_t            deliver_collector [NumTagBanks];
  source_t               deliver_source [NumTagBanks];
  data_t                 row_data [NumTagBanks];
  collector_set_t        complete, dispatched, allocated, in_use;
  logic [TagBits-1:0]    collector_tag [NumCollectors];
  source_set_t           sources [NumCollectors];
  logic [IssueWidth-1:0] load, operand_stall;
  collector_t            load_collector [IssueWidth];
  logic                  read_fault, write_fault;
  logic                  refilled;
  line_t                 returned_line;  // that the fill unit works on

  cerf_collectors #(
    .IssueWidth(IssueWidth)
  ) u_collectors (
    .clk_i,
    .rst_ni,
    .fair_i             (config_i.fair),
    .issue_i,
    .issue_ready_o,
    .base_i             (base),
    .request_o          (read_request),
    .winner_i           (read_collector),
    .grant_i            (read_grant),
    .source_o           (read_source),
    .index_o            (read_index),
    .dead_o             (read_dead),
    .park_i             (read_parks),
    .wake_i             (refilled),
    .wake_index_i       (returned_line[IndexBits-1:0]),
    .deliver_i          (deliver),
    .deliver_collector_i(deliver_collector),
    .deliver_source_i   (deliver_source),
    .complete_o         (complete),
    .dispatch_i         (dispatched),
    .tag_o              (collector_tag),
    .sources_o          (sources),
    .row_fault_o        (read_fault),
    .allocated_o        (allocated),
    .in_use_o           (in_use)
  );

  operand_dispatch #(
    .IssueWidth(IssueWidth)
  ) u_dispatch (
    .clk_i,
    .rst_ni,
    .complete_i      (complete),
    .tag_i           (collector_tag),
    .dispatch_o      (dispatched),
    .load_o          (load),
    .load_collector_o(load_collector),
    .operands_o,
    .operands_ready_i,
    .stall_o         (operand_stall)
  );

  cerf_operand_store #(
    .IssueWidth(IssueWidth)
  ) u_store (
    .clk_i,
    .deliver_i          (deliver),
    .deliver_collector_i(deliver_collector),
    .deliver_source_i   (deliver_source),
    .deliver_data_i     (row_data),
    .load_i             (load),
    .load_collector_i   (load_collector),
    .sources_i          (sources),
    .operand_data_o
  );

  // ---- results ----
  tag_bank_set_t          write_queued, write_grant;
  index_t                 write_index [NumTagBanks];
  logic [NumLanes-1:0]    write_mask [NumTagBanks];
  data_t                  write_data [NumTagBanks];
  logic [ResultWidth-1:0] result_accept;
  logic [3:0]             write_level;

  // of those whose register is on its way
  logic                deposit_open, deposit_fresh, deposit_done;
  line_t               deposit_line;
  mshr_t               deposit_matched;
  logic [NumLanes-1:0] deposit_mask;
  data_t               deposit_data;

  cerf_write_buffer #(
    .ResultWidth(ResultWidth)
  ) u_writes (
    .clk_i,
    .rst_ni,
    .result_i,
    .result_data_i,
    .result_ready_o,
    .base_i     (base),
    .queued_o   (write_queued),
    .index_o    (write_index),
    .mask_o     (write_mask),
    .data_o     (write_data),
    .grant_i    (write_grant),
    .row_fault_o(write_fault),
    .accept_o   (result_accept),
    .level_o    (write_level)
  );

  // ---- loads and stores ----
  logic        lookup, access_past, access_write, access_joins, access_selected, access_lacks, access_done;
  op_e         access_op;
  line_t       access_line;
  tag_bank_t   access_bank;
  lower_kind_e past_kind;
  waiting_t    access_waiting;
  bytes_t      access_bytes;
  data_t       access_data;
  logic        memory_empty, memory_stall, hit_done, fetch_done, past_done;
  logic        pending, joinable, mshr_free, mshr_allocate, mshr_release, fetches, close, returned_fetches;
  mshr_t       matched, first_free, returned;
  merge_t      join_slot, returned_last;
  line_t       push_line;
  logic [5:0]  mshrs_used;
  logic        room, popped, lower_empty;

  memory_unit u_memory (
    .clk_i,
    .rst_ni,
    .request_i      (memory_request_i),
    .request_data_i (memory_request_data_i),
    .request_ready_o(memory_request_ready_o),
    .performed_o    (memory_performed_o),
    .pending_i      (pending),
    .joinable_i     (joinable),
    .mshr_released_i(mshr_release),
    .popped_i       (popped),
    .lookup_o       (lookup),
    .op_o           (access_op),
    .line_o         (access_line),
    .bypass_o       (access_past),
    .write_o        (access_write),
    .joins_o        (access_joins),
    .bypass_kind_o  (past_kind),
    .waiting_o      (access_waiting),
    .byte_mask_o    (access_bytes),
    .store_data_o   (access_data),
    .selected_i     (access_selected),
    .lacks_i        (access_lacks),
    .done_i         (access_done),
    .empty_o        (memory_empty),
    .stall_o        (memory_stall)
  );

  mshr_file u_mshrs (
    .clk_i,
    .rst_ni,
    .line_i            (access_line),
    .pending_o         (pending),
    .joinable_o        (joinable),
    .match_o           (matched),
    .slot_o            (join_slot),
    .free_o            (mshr_free),
    .first_free_o      (first_free),
    .allocate_i        (mshr_allocate),
    .allocate_line_i   (push_line),
    .fetches_i         (fetches),
    .join_i            (fetch_done && access_joins),
    .deposit_line_i    (deposit_line),
    .deposit_match_o   (deposit_matched),
    .deposit_open_o    (deposit_open),
    .returned_i        (returned),
    .close_i           (close),
    .release_i         (mshr_release),
    .returned_line_o   (returned_line),
    .returned_fetches_o(returned_fetches),
    .returned_last_o   (returned_last),
    .used_o            (mshrs_used)
  );

  // ---- lines that come back, and responses ----
  logic     fill, filled, answer, answered, fill_idle, response_idle;
  data_t    fill_data;
  waiting_t answer_waiting;

  fill_unit u_fill (
    .clk_i,
    .rst_ni,
    .lower_response_i,
    .lower_response_data_i,
    .wait_i          (fetch_done || past_done),
    .wait_mshr_i     (access_joins ? matched : first_free),
    .wait_slot_i     (access_joins ? join_slot : '0),
    .waiting_i       (access_waiting),
    .allocate_i      (mshr_allocate),
    .allocate_mshr_i (first_free),
    .deposit_i       (deposit_done),
    .deposit_fresh_i (deposit_fresh),
    .deposit_mshr_i  (deposit_fresh ? first_free : deposit_matched),
    .deposit_mask_i  (deposit_mask),
    .deposit_data_i  (deposit_data),
    .returned_o      (returned),
    .close_o         (close),
    .release_o       (mshr_release),
    .fetches_i       (returned_fetches),
    .register_i      (is_register(returned_line)),
    .last_i          (returned_last),
    .fill_o          (fill),
    .line_data_o     (fill_data),
    .filled_i        (filled),
    .answer_o        (answer),
    .answer_waiting_o(answer_waiting),
    .answered_i      (answered),
    .idle_o          (fill_idle)
  );

  response_unit u_responses (
    .clk_i,
    .rst_ni,
    .hit_i           (hit_done),
    .hit_waiting_i   (access_waiting),
    .hit_bank_i      (access_bank),
    .data_i          (row_data),
    .answer_i        (answer),
    .answer_waiting_i(answer_waiting),
    .answer_line_i   (fill_data),
    .answered_o      (answered),
    .response_o      (memory_response_o),
    .response_data_o (memory_response_data_o),
    .idle_o          (response_idle)
  );

  // ---- tag banks and data banks ----
  op_e              op [NumTagBanks];
  op_e              done [NumTagBanks];
  logic             hit [NumTagBanks];
  logic             placed [NumTagBanks];
  logic             evict [NumTagBanks];
  logic             commit [NumTagBanks];
  logic             away [NumTagBanks];
  logic             refills [NumTagBanks];
  line_t            op_line [NumTagBanks];
  state_e           was [NumTagBanks];
  row_t             row [NumTagBanks];
  line_t            evicted_line [NumTagBanks];
  logic [RowBits:0] registers [NumTagBanks];
  logic [RowBits:0] lines [NumTagBanks];
  target_e          target [NumTagBanks];
  lower_t           evicted_entry [NumTagBanks];
  lower_t           push_entry;
  tag_bank_set_t    push, pushed, selected, lacks, wait_write, wait_bank, busy;
  tag_bank_set_t    deposit, deposit_turn, deposited, refill_start;

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_bank
    logic    row_access, row_write;
    bytes_t  row_bytes;
    data_t   row_write_data;
    target_e row_target;

    tag_pipe #(
      .Ways(Ways)
    ) u_pipe (
      .clk_i,
      .rst_ni,
      .fair_i          (config_i.fair),
      .fill_i          (fill && bank_of(returned_line) == tag_bank_t'(b)),
      .fill_line_i     (returned_line),
      .fill_data_i     (fill_data),
      .write_i         (write_queued[b]),
      .write_index_i   (write_index[b]),
      .write_mask_i    (write_mask[b]),
      .write_data_i    (write_data[b]),
      .access_i        (lookup && access_bank == tag_bank_t'(b)),
      .access_op_i     (access_op),
      .access_line_i   (access_line),
      .access_write_i  (access_write),
      .access_joins_i  (access_joins),
      .access_bytes_i  (access_bytes),
      .access_data_i   (access_data),
      .kill_i          (kill && kill_index[TagBankBits-1:0] == tag_bank_t'(b)),
      .kill_index_i    (kill_index),
      .flush_i         (flush && bank_of(flush_line) == tag_bank_t'(b)),
      .flush_line_i    (flush_line),
      .read_i          (read_request[b]),
      .read_index_i    (read_index[b]),
      .read_dead_i     (read_dead[b]),
      .read_collector_o(read_collector[b]),
      .done_o          (done[b]),
      .selected_o      (selected[b]),
      .lacks_o         (lacks[b]),
      .hit_o           (hit[b]),
      .line_o          (op_line[b]),
      .parks_o         (read_parks[b]),
      .push_o          (push[b]),
      .evict_o         (evict[b]),
      .evicted_o       (evicted_line[b]),
      .refills_o       (refills[b]),
      .deposit_o       (deposit[b]),
      .deposited_i     (deposited[b]),
      .pushed_i        (pushed[b]),
      .room_i          (room),
      .mshr_free_i     (mshr_free),
      .row_access_o    (row_access),
      .row_write_o     (row_write),
      .row_o           (row[b]),
      .row_bytes_o     (row_bytes),
      .row_data_o      (row_write_data),
      .row_target_o    (row_target),
      .op_o            (op[b]),
      .before_o        (was[b]),
      .placed_o        (placed[b]),
      .away_o          (away[b]),
      .commit_o        (commit[b]),
      .wait_write_o    (wait_write[b]),
      .wait_bank_o     (wait_bank[b]),
      .registers_o     (registers[b]),
      .lines_o         (lines[b])
    );

    data_group u_data (
      .clk_i,
      .rst_ni,
      .access_i   (row_access),
      .write_i    (row_write),
      .row_i      (row[b]),
      .byte_mask_i(row_bytes),
      .data_i     (row_write_data),
      .target_i   (row_target),
      .collector_i(read_collector[b]),
      .source_i   (read_source[b]),
      .entry_i    (push_entry),
      .target_o   (target[b]),
      .collector_o(deliver_collector[b]),
      .source_o   (deliver_source[b]),
      .entry_o    (evicted_entry[b]),
      .data_o     (row_data[b]),
      .busy_o     (busy[b])
    );

    assign deliver[b]     = target[b] == ToCollector;
    assign read_grant[b]  = done[b] == OpReadReg;
    assign write_grant[b] = done[b] == OpWriteReg;
    assign refill_start[b] = commit[b] && refills[b];
  end

  assign access_bank     = bank_of(access_line);
  assign access_selected = selected != '0;
  assign access_lacks    = lacks[access_bank];
  assign access_done     = access_selected && done[access_bank] == access_op;
  assign refilled        = done[bank_of(returned_line)] == OpRefill;
  assign filled          = refilled || done[bank_of(returned_line)] == OpFill;
  assign killed          = kill && done[kill_index[TagBankBits-1:0]] == OpKill;
  assign flushed         = flush && done[bank_of(flush_line)] == OpFlush;
  assign hit_done        = access_done && (access_write || (access_op == OpLoad && hit[access_bank]));
  assign fetch_done      = access_done && access_op == OpLoad && !hit[access_bank];
  assign past_done       = access_done && access_past && !access_write;
  assign mshr_allocate   = (fetch_done && !access_joins) || past_done || refill_start != '0;
  assign fetches         = !access_past || refill_start != '0;

  // ---- results whose register is on its way ----
  bank_turn u_deposit (
    .open_i   (!lower_response_i.valid),
    .request_i(deposit),
    .grant_o  (deposit_turn)
  );

  always_comb begin : choose_deposit
    deposit_line  = op_line[0];
    deposit_mask  = write_mask[0];
    deposit_data  = write_data[0];
    deposit_fresh = 1'b0;
    deposit_done  = 1'b0;
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (deposit_turn[b]) begin
        deposit_line  = op_line[b];
        deposit_mask  = write_mask[b];
        deposit_data  = write_data[b];
        deposit_fresh = refills[b];
        deposit_done  = commit[b];
      end
    end
  end

  assign deposited = (deposit_fresh || deposit_open) ? deposit_turn : '0;

  // ---- to L2 ----
  lower_kind_e push_kind;
  mshr_t       push_id;
  bytes_t      push_bytes;
  logic        late;
  lower_t      late_entry;
  data_t       late_data;
  logic [3:0]  lower_level;

  lower_queue_input u_push (
    .room_i         (room),
    .push_i         (push),
    .evict_i        (evict),
    .evicted_i      (evicted_line),
    .refills_i      (refills),
    .line_i         (op_line),
    .access_op_i    (access_op),
    .access_line_i  (access_line),
    .access_bytes_i (access_bytes),
    .past_kind_i    (past_kind),
    .mshr_i         (first_free),
    .pushed_o       (pushed),
    .kind_o         (push_kind),
    .id_o           (push_id),
    .line_o         (push_line),
    .byte_mask_o    (push_bytes)
  );

  always_comb begin : written_back
    late       = 1'b0;
    late_entry = '0;
    late_data  = row_data[0];
    for (int unsigned b = 0; b < NumTagBanks; b++) begin
      if (target[b] == ToLower) begin
        late       = 1'b1;
        late_entry = evicted_entry[b];
        late_data  = row_data[b];
      end
    end
  end

  lower_queue u_lower (
    .clk_i,
    .rst_ni,
    .push_i         (pushed != '0),
    .kind_i         (push_kind),
    .id_i           (push_id),
    .line_i         (push_line),
    .byte_mask_i    (push_bytes),
    .data_i         (access_data),
    .room_o         (room),
    .entry_o        (push_entry),
    .evicted_i      (late),
    .evicted_entry_i(late_entry),
    .evicted_data_i (late_data),
    .lower_request_o,
    .lower_request_data_o,
    .lower_ready_i,
    .popped_o       (popped),
    .empty_o        (lower_empty),
    .level_o        (lower_level)
  );

  assign memory_idle_o = memory_empty && mshrs_used == '0 && fill_idle && response_idle && lower_empty &&
                         !memory_performed_o.valid && !flush;
  assign status_o.bank_busy = 32'(busy);

  // ---- events of the cycle before ----
  logic [IssueWidth-1:0]  issue_stall;
  logic [ResultWidth-1:0] result_stall;
  logic                   dead [NumTagBanks];

  for (genvar slot = 0; slot < IssueWidth; slot++) begin : gen_issue_stall
    assign issue_stall[slot] = issue_i[slot].valid && !issue_ready_o[slot];
  end
  for (genvar p = 0; p < ResultWidth; p++) begin : gen_result_stall
    assign result_stall[p] = result_i[p].valid && !result_ready_o[p];
  end
  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_dead
    assign dead[b] = read_dead[b];
  end

  cerf_event_register u_events (
    .clk_i,
    .rst_ni,
    .op_i                  (op),
    .hit_i                 (hit),
    .placed_i              (placed),
    .evict_i               (evict),
    .commit_i              (commit),
    .away_i                (away),
    .refills_i             (refills),
    .dead_i                (dead),
    .before_i              (was),
    .row_i                 (row),
    .collector_i           (read_collector),
    .source_i              (read_source),
    .wait_bank_i           (wait_bank),
    .wait_write_i          (wait_write),
    .registers_i           (registers),
    .lines_i               (lines),
    .allocated_i           (allocated),
    .dispatched_i          (dispatched),
    .in_use_i              (in_use),
    .result_accept_i       (4'(result_accept)),
    .operand_stall_i       (4'(operand_stall)),
    .issue_stall_i         (4'(issue_stall)),
    .result_stall_i        (4'(result_stall)),
    .command_i             (command_accepted),
    .row_fault_i           (read_fault || write_fault),
    .write_level_i         (write_level),
    .registers_per_thread_i(registers_per_thread),
    .joins_i               (access_joins),
    .memory_stall_i        (memory_stall),
    .mshrs_i               (mshrs_used),
    .lower_level_i         (lower_level),
    .events_o
  );

endmodule
