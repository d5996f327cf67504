// Loads and stores from request to response: what looks them up, the MSHRs of those that miss, the
// lines that come back, spilled registers among them, and the responses.
module memory_side
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic                clk_i,
  input  logic                rst_ni,
  // from the SM's coalescer
  input  mem_request_t        request_i,
  input  lane_words_t         request_data_i,
  output logic                request_ready_o,
  // to the SM's load-store unit
  output mem_performed_t      performed_o,
  output mem_response_t       response_o,
  output lane_words_t         response_data_o,
  // from L2, and from the queue to it
  input  mem_lower_response_t lower_response_i,
  input  data_t               lower_response_data_i,
  input  logic                popped_i,
  // to the integrated memory: a load or store
  output logic                lookup_o,
  output logic                joins_o,
  output access_t             access_o,
  // to the integrated memory: a line or register that came back
  output logic                fill_o,
  output line_t               fill_line_o,
  output data_t               fill_data_o,
  output logic                refilled_o,     // a register is in its entry again
  // from the integrated memory
  input  op_e                 done_i [NumTagBanks],
  input  logic                hit_i [NumTagBanks],
  input  tag_bank_set_t       selected_i,
  input  tag_bank_set_t       lacks_i,
  input  data_t               row_data_i [NumTagBanks],
  // registers that are fetched, and results that wait beside them
  input  tag_bank_set_t       refill_start_i,
  output logic                mshr_free_o,
  input  line_t               deposit_line_i,
  output logic                deposit_open_o,
  input  logic                deposit_i,
  input  logic                deposit_fresh_i,
  input  logic [NumLanes-1:0] deposit_mask_i,
  input  data_t               deposit_data_i,
  // to and from the queue to L2
  output lower_kind_e         past_kind_o,
  output mshr_t               first_free_o,
  input  line_t               push_line_i,
  // to the end of a kernel and the events
  output logic                idle_o,
  output logic                stall_o,
  output logic [5:0]          mshrs_used_o
);

  logic      access_past, access_selected, access_done, hit_done, fetch_done, past_done;
  tag_bank_t access_bank;
  waiting_t  access_waiting;
  logic      pending, joinable, mshr_allocate, mshr_release, fetches, close, returned_fetches;
  mshr_t     matched, deposit_matched, returned;
  merge_t    join_slot, returned_last;
  logic      filled, answer, answered, empty, fill_idle, response_idle;
  waiting_t  answer_waiting;

  // ---- what became of the load or store, and of what came back ----
  assign access_bank     = bank_of(access_o.line);
  assign access_selected = selected_i != '0;
  assign access_done     = access_selected && done_i[access_bank] == access_o.op;
  assign hit_done        = access_done && (access_o.write ||
                                           (access_o.op == OpLoad && hit_i[access_bank]));
  assign fetch_done      = access_done && access_o.op == OpLoad && !hit_i[access_bank];
  assign past_done       = access_done && access_past && !access_o.write;
  assign mshr_allocate   = (fetch_done && !joins_o) || past_done || refill_start_i != '0;
  assign fetches         = !access_past || refill_start_i != '0;
  assign refilled_o      = done_i[bank_of(fill_line_o)] == OpRefill;
  assign filled          = refilled_o || done_i[bank_of(fill_line_o)] == OpFill;

  memory_unit u_memory (
    .clk_i,
    .rst_ni,
    .request_i,
    .request_data_i,
    .request_ready_o,
    .performed_o,
    .pending_i      (pending),
    .joinable_i     (joinable),
    .mshr_released_i(mshr_release),
    .popped_i,
    .lookup_o,
    .op_o           (access_o.op),
    .line_o         (access_o.line),
    .bypass_o       (access_past),
    .write_o        (access_o.write),
    .joins_o,
    .bypass_kind_o  (past_kind_o),
    .waiting_o      (access_waiting),
    .byte_mask_o    (access_o.bytes),
    .store_data_o   (access_o.data),
    .selected_i     (access_selected),
    .lacks_i        (lacks_i[access_bank]),
    .done_i         (access_done),
    .empty_o        (empty),
    .stall_o
  );

  mshr_file u_mshrs (
    .clk_i,
    .rst_ni,
    .line_i            (access_o.line),
    .pending_o         (pending),
    .joinable_o        (joinable),
    .match_o           (matched),
    .slot_o            (join_slot),
    .free_o            (mshr_free_o),
    .first_free_o,
    .allocate_i        (mshr_allocate),
    .allocate_line_i   (push_line_i),
    .fetches_i         (fetches),
    .join_i            (fetch_done && joins_o),
    .deposit_line_i,
    .deposit_match_o   (deposit_matched),
    .deposit_open_o,
    .returned_i        (returned),
    .close_i           (close),
    .release_i         (mshr_release),
    .returned_line_o   (fill_line_o),
    .returned_fetches_o(returned_fetches),
    .returned_last_o   (returned_last),
    .used_o            (mshrs_used_o)
  );

  fill_unit u_fill (
    .clk_i,
    .rst_ni,
    .lower_response_i,
    .lower_response_data_i,
    .wait_i          (fetch_done || past_done),
    .wait_mshr_i     (joins_o ? matched : first_free_o),
    .wait_slot_i     (joins_o ? join_slot : '0),
    .waiting_i       (access_waiting),
    .allocate_i      (mshr_allocate),
    .allocate_mshr_i (first_free_o),
    .deposit_i,
    .deposit_fresh_i,
    .deposit_mshr_i  (deposit_fresh_i ? first_free_o : deposit_matched),
    .deposit_mask_i,
    .deposit_data_i,
    .returned_o      (returned),
    .close_o         (close),
    .release_o       (mshr_release),
    .fetches_i       (returned_fetches),
    .register_i      (is_register(fill_line_o)),
    .last_i          (returned_last),
    .fill_o,
    .line_data_o     (fill_data_o),
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
    .data_i          (row_data_i),
    .answer_i        (answer),
    .answer_waiting_i(answer_waiting),
    .answer_line_i   (fill_data_o),
    .answered_o      (answered),
    .response_o,
    .response_data_o,
    .idle_o          (response_idle)
  );

  assign idle_o = empty && mshrs_used_o == '0 && fill_idle && response_idle && !performed_o.valid;

endmodule
