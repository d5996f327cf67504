// CERF: register file and L1 data cache in one set-associative memory (Jing and others, MICRO
// 2016).
//
// Registers are found through their reg-mem addresses in the same four tag banks as the lines of
// global and local memory; a tagging stage looks up one register or line a bank and cycle and hands
// the row to the data banks, so that there are no conflicts there. Policy: LRU-prioritized, or
// LRU-fair by `config_i.fair`.
module cerf_top
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned IssueWidth  = 2,
  parameter int unsigned ResultWidth = 2,
  // of 16 banks, as in the other designs: 1,024 warp registers
  parameter int unsigned RowsPerBank = 64,
  parameter int unsigned Ways        = 4,
  `include "cerf_events.svh"
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
  output logic [$bits(events_t)-1:0] events_o,
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

  `include "cerf_config.svh"

  if (RowsPerBank * 16 != NumTagBanks * EntriesPerBank) begin : gen_bad_rows
    $fatal(1, "RowsPerBank is 64");
  end
  if (Ways != 2 && Ways != 4 && Ways != 8) begin : gen_bad_ways
    $fatal(1, "Ways is 2, 4 or 8");
  end

  // ---- from the tag banks and data banks ----
  op_e            done [NumTagBanks];
  line_t          op_line [NumTagBanks];
  logic           hit [NumTagBanks];
  logic           commit [NumTagBanks];
  tag_bank_set_t  selected, lacks, push, refill_start, deposit, deposited, pushed, busy, deliver;
  logic           evict [NumTagBanks];
  line_t          evicted_line [NumTagBanks];
  logic           refills [NumTagBanks];
  lower_t         push_entry;
  logic           room;
  target_e        target [NumTagBanks];
  collector_t     deliver_collector [NumTagBanks];
  source_t        deliver_source [NumTagBanks];
  lower_t         evicted_entry [NumTagBanks];
  data_t          row_data [NumTagBanks];
  bank_activity_t activity [NumTagBanks];

  // ---- from loads and stores, and from what comes back ----
  logic                lookup, access_joins, memory_stall, loads_idle, mshr_free, fill, refilled;
  access_t             access;
  lower_kind_e         past_kind;
  line_t               returned_line;  // that the fill unit works on
  data_t               fill_data;
  mshr_t               first_free;
  logic [5:0]          mshrs_used;
  logic                deposit_open, deposit_fresh, deposit_done;
  line_t               deposit_line, push_line;
  logic [NumLanes-1:0] deposit_mask;
  data_t               deposit_data;
  logic                popped;

  config_t settings;
  logic    interleaved;

  config_capture u_config (
    .*,
    .config_o(settings)
  );

  assign interleaved = settings.own[InterleavedWord] != '0;

  // ---- collectors, results and commands ----
  command_t              command;
  shell_pkg::index_t     base [NumWarps];
  logic [IssueWidth-1:0] accept;
  collector_t            collector [IssueWidth];
  source_set_t           pending [NumCollectors];
  source_set_t           parked [NumCollectors];
  tag_bank_t             source_bank [NumCollectors][NumSources];
  row_t                  source_row [NumCollectors][NumSources];
  collector_set_t        read_request [NumTagBanks];
  collector_t            read_collector [NumTagBanks];
  source_t               read_source [NumTagBanks];
  row_t                  read_row [NumTagBanks];
  tag_bank_set_t         read_grant, read_dead, read_parks, write_queued, write_grant;
  row_t                  write_row [NumTagBanks];
  logic [NumLanes-1:0]   write_mask [NumTagBanks];
  data_t                 write_data [NumTagBanks];
  shell_pkg::front_events_t front;
  done_t                    front_done, exit_done;

  register_front #(
    .IssueWidth   (IssueWidth),
    .ResultWidth  (ResultWidth),
    .NumBanks     (NumTagBanks),
    .NumCollectors(NumCollectors),
    .IndexBits    (IndexBits)
  ) u_front (
    .*,
    .interleaved_i         (interleaved),
    .command_o             (command),
    .carried_out_i         (1'b1),
    .done_o                (front_done),
    .base_o                (base),
    .accept_o              (accept),
    .collector_o           (collector),
    .pending_o             (pending),
    .blocked_i             (parked),
    .bank_o                (source_bank),
    .row_o                 (source_row),
    .request_o             (read_request),
    .winner_i              (read_collector),
    .grant_i               (read_grant),
    .read_source_o         (read_source),
    .read_row_o            (read_row),
    .deliver_i             (deliver),
    .deliver_collector_i   (deliver_collector),
    .deliver_source_i      (deliver_source),
    .deliver_data_i        (row_data),
    .write_queued_o        (write_queued),
    .write_row_o           (write_row),
    .write_mask_o          (write_mask),
    .write_data_o          (write_data),
    .write_grant_i         (write_grant),
    .events_o              (front)
  );

  register_reads #(
    .IssueWidth(IssueWidth)
  ) u_reads (
    .clk_i,
    .rst_ni,
    .fair_i      (settings.fair),
    .issue_i,
    .accept_i    (accept),
    .collector_i (collector),
    .pending_i   (pending),
    .bank_i      (source_bank),
    .row_i       (source_row),
    .parked_o    (parked),
    .winner_i    (read_collector),
    .source_i    (read_source),
    .read_row_i  (read_row),
    .grant_i     (read_grant),
    .park_i      (read_parks),
    .dead_o      (read_dead),
    .wake_i      (refilled),
    .wake_place_i(returned_line[IndexBits-1:0])
  );

  // ---- the end of a warp ----
  tag_bank_set_t frees, freed;
  exit_group_t   free_group;
  exit_rows_t    free_rows [NumTagBanks];

  exit_walk u_exit (
    .clk_i,
    .rst_ni,
    .interleaved_i         (interleaved),
    .command_i             (command),
    .registers_per_thread_i(front.registers_per_thread),
    .base_i                (base),
    .done_o                (exit_done),
    .free_o                (frees),
    .group_o               (free_group),
    .rows_o                (free_rows),
    .freed_i               (freed)
  );

  // The command port answers an exit when it is taken over, the walk when it is carried out.
  always_comb begin : answer
    done_o = front_done;
    if (exit_done.valid) done_o = exit_done;
    else if (front_done.op == CmdExit) done_o = '0;
  end

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

  assign flushed = flush && done[bank_of(flush_line)] == OpFlush;

  // ---- loads and stores ----
  memory_side u_memory_side (
    .clk_i,
    .rst_ni,
    .request_i       (memory_request_i),
    .request_data_i  (memory_request_data_i),
    .request_ready_o (memory_request_ready_o),
    .performed_o     (memory_performed_o),
    .response_o      (memory_response_o),
    .response_data_o (memory_response_data_o),
    .lower_response_i,
    .lower_response_data_i,
    .popped_i        (popped),
    .lookup_o        (lookup),
    .joins_o         (access_joins),
    .access_o        (access),
    .fill_o          (fill),
    .fill_line_o     (returned_line),
    .fill_data_o     (fill_data),
    .refilled_o      (refilled),
    .done_i          (done),
    .hit_i           (hit),
    .selected_i      (selected),
    .lacks_i         (lacks),
    .row_data_i      (row_data),
    .refill_start_i  (refill_start),
    .mshr_free_o     (mshr_free),
    .deposit_line_i  (deposit_line),
    .deposit_open_o  (deposit_open),
    .deposit_i       (deposit_done),
    .deposit_fresh_i (deposit_fresh),
    .deposit_mask_i  (deposit_mask),
    .deposit_data_i  (deposit_data),
    .past_kind_o     (past_kind),
    .first_free_o    (first_free),
    .push_line_i     (push_line),
    .idle_o          (loads_idle),
    .stall_o         (memory_stall),
    .mshrs_used_o    (mshrs_used)
  );

  deposit_select u_deposit (
    .open_i     (!lower_response_i.valid),
    .deposit_i  (deposit),
    .line_i     (op_line),
    .refills_i  (refills),
    .commit_i   (commit),
    .deposited_o(deposited),
    .mask_i     (write_mask),
    .data_i     (write_data),
    .line_o     (deposit_line),
    .mshr_open_i(deposit_open),
    .fresh_o    (deposit_fresh),
    .done_o     (deposit_done),
    .mask_o     (deposit_mask),
    .data_o     (deposit_data)
  );

  // ---- tag banks and data banks ----
  index_t write_place [NumTagBanks];
  index_t read_place [NumTagBanks];

  integrated_memory #(
    .Ways(Ways)
  ) u_banks (
    .clk_i,
    .rst_ni,
    .fair_i          (settings.fair),
    .fill_i          (fill),
    .fill_line_i     (returned_line),
    .fill_data_i     (fill_data),
    .write_i         (write_queued),
    .write_place_i   (write_place),
    .write_mask_i    (write_mask),
    .write_data_i    (write_data),
    .lookup_i        (lookup),
    .joins_i         (access_joins),
    .access_i        (access),
    .free_i          (frees),
    .free_group_i    (free_group),
    .free_rows_i     (free_rows),
    .freed_o         (freed),
    .flush_i         (flush),
    .flush_line_i    (flush_line),
    .read_i          (read_request),
    .read_source_i   (read_source),
    .read_place_i    (read_place),
    .read_dead_i     (read_dead),
    .read_collector_o(read_collector),
    .read_parks_o    (read_parks),
    .done_o          (done),
    .line_o          (op_line),
    .hit_o           (hit),
    .commit_o        (commit),
    .selected_o      (selected),
    .lacks_o         (lacks),
    .push_o          (push),
    .evict_o         (evict),
    .evicted_o       (evicted_line),
    .refills_o       (refills),
    .refill_start_o  (refill_start),
    .deposit_o       (deposit),
    .deposited_i     (deposited),
    .pushed_i        (pushed),
    .entry_i         (push_entry),
    .room_i          (room),
    .mshr_free_i     (mshr_free),
    .target_o        (target),
    .collector_o     (deliver_collector),
    .source_o        (deliver_source),
    .entry_o         (evicted_entry),
    .data_o          (row_data),
    .busy_o          (busy),
    .activity_o      (activity)
  );

  for (genvar b = 0; b < NumTagBanks; b++) begin : gen_served
    assign write_place[b] = {write_row[b], tag_bank_t'(b)};
    assign read_place[b]  = {read_row[b], tag_bank_t'(b)};
    assign deliver[b]     = target[b] == ToCollector;
    assign read_grant[b]  = done[b] == OpReadReg;
    assign write_grant[b] = done[b] == OpWriteReg;
  end

  // ---- to L2 ----
  logic       lower_empty;
  logic [3:0] lower_level;

  lower_side u_lower_side (
    .clk_i,
    .rst_ni,
    .interleaved_i(interleaved),
    .push_i     (push),
    .evict_i    (evict),
    .evicted_i  (evicted_line),
    .refills_i  (refills),
    .line_i     (op_line),
    .room_o     (room),
    .pushed_o   (pushed),
    .line_o     (push_line),
    .entry_o    (push_entry),
    .access_i   (access),
    .past_kind_i(past_kind),
    .mshr_i     (first_free),
    .target_i   (target),
    .row_entry_i(evicted_entry),
    .row_data_i (row_data),
    .lower_request_o,
    .lower_request_data_o,
    .lower_ready_i,
    .popped_o   (popped),
    .empty_o    (lower_empty),
    .level_o    (lower_level)
  );

  assign memory_idle_o      = loads_idle && lower_empty && !flush;
  assign status_o.bank_busy = MaxBanks'(busy);

  // ---- events ----
  cerf_events #(
    .events_t(events_t)
  ) u_events (
    .*,
    .bank_i                (activity),
    .front_i               (front),
    .joins_i               (access_joins),
    .memory_stall_i        (memory_stall),
    .mshrs_i               (mshrs_used),
    .lower_level_i         (lower_level)
  );

endmodule
