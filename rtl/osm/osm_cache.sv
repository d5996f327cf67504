// The shared-memory cache of off-chip shared memory (OSM, sections 3 and 4) and, with Unified, the
// unified cache (UCM), which holds lines of global and local memory too.
//
// Shared memory lies off chip, one block a CTA slot. This cache of Sets x 64 lines of 128 bytes
// stands in front of it, with 32 banks of 4-byte words as a conventional shared memory.
// docs/designs/osm.md has the policies and the timing.
module osm_cache
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter int unsigned Sets        = 1,
  parameter bit          ReadCounter = 1'b0,
  parameter bit          WordLock    = 1'b0,  // a lock bit a word instead of one a line
  parameter bit          Unified     = 1'b0   // global and local lines too: UCM
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  input  osm_config_t               config_i,
  // a kernel has ended: no line stays. While idle; what is dirty then, no one can read any more
  input  logic                      flush_i,
  // from the SM's coalescer; of an atomic access words 0 and 1 are the operand, 2 and 3 the value
  // to swap in
  input  mem_request_t              request_i,
  input  lane_data_t                request_data_i,
  output logic                      request_ready_o,
  // to the SM
  output mem_response_t             response_o,
  output lane_data_t                response_data_o,
  output mem_performed_t            performed_o,
  // to and from the off-chip memory
  output mem_lower_request_t        lower_request_o,
  output line_data_t                lower_request_data_o,
  input  logic                      lower_ready_i,
  input  mem_lower_response_t       lower_response_i,
  input  line_data_t                lower_response_data_i,
  output logic                      idle_o,
  output logic [CacheEventBits-1:0] events_o
);

  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1;
  localparam int unsigned IndexBits = SetBits + WayBits;

  if (Sets != 1 && Sets != 2 && Sets != 4 && Sets != 8 && Sets != 16) begin : gen_bad_sets
    $fatal(1, "Sets is 1, 2, 4, 8 or 16");
  end

  // ---- what comes from off chip ----
  logic                 fills, returns;
  logic [IndexBits-1:0] fill_line;
  sector_set_t          fill_sectors;
  byte_set_t            fill_bytes;
  request_index_t       return_index;

  assign returns = Unified && lower_response_i.valid && lower_response_i.id[AwayBit];
  assign fills   = lower_response_i.valid && !returns;

  assign return_index = lower_response_i.id[RequestBits-1:0];

  // ---- the request to serve ----
  logic           accept, requests_empty, serving, missed, merged, finish, fetches, wait_lines;
  request_index_t accept_index, request_index;
  logic           accept_shared;
  request_t       request;
  access_t        access, returned, answered;
  address_t [NumLanes-1:0] address, returned_address;
  way_set_t       awaited;
  lane_set_t      waiting, served, needed, alike;
  logic           passes;
  action_e        action;

  request_buffer #(
    .Unified(Unified)
  ) u_requests (
    .clk_i,
    .rst_ni,
    .request_i,
    .request_ready_o,
    .accept_o       (accept),
    .accept_index_o (accept_index),
    .accept_shared_o(accept_shared),
    .valid_o        (serving),
    .index_o        (request_index),
    .request_o      (request),
    .lanes_o        (waiting),
    .missed_o       (missed),
    .merged_o       (merged),
    .return_i       (returns),
    .return_index_i (return_index),
    .returned_o     (returned),
    .served_i       (served),
    .finish_i       (finish),
    .missed_i       (fetches),
    .wait_lines_i   (wait_lines),
    .awaited_i      (awaited),
    .away_i         (action == ActPast),
    .wake_i         (fills),
    .wake_class_i   (wake_class(MaxIndexBits'(fill_line))),
    .empty_o        (requests_empty)
  );

  request_addresses u_addresses (
    .clk_i,
    .accept_i      (accept),
    .accept_index_i(accept_index),
    .shared_i      (accept_shared),
    .cta_slot_i    (request_i.cta_slot),
    .size_log2_i   (request_i.size_log2),
    .address_i     (request_i.address),
    .index_i       (request_index),
    .address_o     (address),
    .return_index_i(return_index),
    .returned_o    (returned_address)
  );

  assign access   = request.access;
  assign answered = returns ? returned : access;

  // ---- its lines ----
  lane_set_t            found, filling, complete, closed, shut, ready, pass_lanes;
  way_set_t             closed_lines [Sets];
  logic [IndexBits-1:0] lane_index [NumLanes];
  logic [IndexBits-1:0] row [NumBanks];
  logic [IndexBits-1:0] line;
  bank_set_t            banks;
  logic [NumBanks-1:0][3:0] bytes;
  lane_t                lane;
  logic                 own_line, free, stores, takes_line, replaces, copy_busy;
  logic [SetBits-1:0]   wanted_set;
  number_t              wanted, line_number;
  way_t                 free_way, oldest;
  way_set_t             candidates;
  byte_set_t            dirty_bytes;
  sector_set_t          sectors;
  way_set_t             of_slot [Sets];
  way_set_t             locked [Sets];

  line_table #(
    .Sets(Sets)
  ) u_lines (
    .clk_i,
    .rst_ni,
    .size_log2_kb_i  (config_i.size_log2_kb),
    .cta_slot_i      (request.cta_slot),
    .access_size_i   (access.size_log2),
    .address_i        (address),
    .closed_i        (closed_lines),
    .found_o         (found),
    .filling_o       (filling),
    .complete_o      (complete),
    .closed_o        (closed),
    .lane_index_o    (lane_index),
    .wanted_i        (wanted),
    .wanted_set_o    (wanted_set),
    .free_o          (free),
    .free_way_o      (free_way),
    .candidates_o    (candidates),
    .index_i         (line),
    .number_o        (line_number),
    .dirty_bytes_o   (dirty_bytes),
    .busy_o          (copy_busy),
    .allocate_i      (takes_line),
    .begin_fill_i    (fetches ? sectors : '0),
    .evict_i         (action == ActEvictClean),
    .end_fill_i      (fills ? fill_sectors : '0),
    .fill_index_i    (fill_line),
    .fill_bytes_o    (fill_bytes),
    .write_i         (stores ? banks : '0),
    .keep_i          (!request.through),
    .row_i           (row),
    .bytes_i         (bytes),
    .release_i       (action == ActRelease),
    .flush_i         (action == ActFlush),
    .of_slot_o       (of_slot)
  );

  assign takes_line = action == ActFetch || action == ActWriteAllocate;
  assign replaces   = takes_line && !free;
  assign stores     = access.kind != MemRead &&
                    (action == ActPass || (action == ActThrough && found[lane]));
  assign wanted     = address[lane][31:LineBits];

  always_comb begin : line_of_action
    if (own_line) line = lane_index[lane];
    else if (free) line = {wanted_set, free_way};
    else line = {wanted_set, oldest};
  end

  always_comb begin : waits
    awaited = '0;
    for (int unsigned l = 0; l < NumLanes; l++) begin
      if (waiting[l] && found[l] && filling[l]) begin
        awaited[wake_class(MaxIndexBits'(lane_index[l]))] = 1'b1;
      end
    end
    if (fetches) awaited[wake_class(MaxIndexBits'(line))] = 1'b1;
  end

  // ---- the decision ----
  logic  fill_room, fills_empty, lower_room, lower_room_for_two, lower_empty;
  logic  writes_back;
  fill_t fill_id;
  logic  adds, adding, sums_next;  // of additions of floating-point numbers

  assign adds = access.kind == MemAtomic && adds_floats(access.atomic);

  access_control u_control (
    .flush_i,
    .fill_i        (fills),
    .return_i      (returns),
    .valid_i       (serving),
    .kind_i        (access.kind),
    .through_i     (request.through),
    .past_i        (request.past),
    .lanes_i       (waiting),
    .found_i       (found),
    .filling_i     (filling),
    .complete_i    (complete),
    .closed_i      (closed),
    .adds_i        (adds),
    .sums_next_i   (sums_next),
    .free_i        (free),
    .victim_i      (candidates != '0),
    .victim_dirty_i(dirty_bytes != '0),
    .copy_busy_i   (copy_busy),
    .lower_room_i  (lower_room),
    .lower_two_i   (lower_room_for_two),
    .lower_empty_i (lower_empty && !adding),
    .fill_room_i   (fill_room),
    .ready_o       (ready),
    .shut_o        (shut),
    .needed_o      (needed),
    .lane_o        (lane),
    .own_line_o    (own_line),
    .writes_back_o (writes_back),
    .action_o      (action)
  );

  sector_select u_sectors (
    .whole_i  (!config_i.sectors),
    .needed_i (needed),
    .address_i(address),
    .wanted_i (wanted),
    .alike_o  (alike),
    .sectors_o(sectors)
  );

  // A request whose last lanes are fetched for waits from then on. One with lanes that wait for
  // sums stays the oldest, so that none overtakes it.
  assign fetches    = action == ActFetch || action == ActFetchPartial;
  assign wait_lines = action == ActWaitLines || (fetches && (needed & ~alike) == '0 && shut == '0);

  pass_selector #(
    .IndexBits(IndexBits)
  ) u_pass (
    .ready_i     (request.through ? waiting & ~filling : ready),
    .address_i    (address),
    .lane_index_i(lane_index),
    .size_log2_i (access.size_log2),
    .atomic_i    (access.kind == MemAtomic),
    .one_line_i  (request.is_global),
    .lanes_o     (pass_lanes),
    .banks_o     (banks),
    .row_o       (row),
    .bytes_o     (bytes)
  );

  assign passes = action == ActPass || action == ActThrough;
  assign served = passes ? pass_lanes : (action == ActPast) ? waiting : '0;
  assign finish = (passes && waiting == pass_lanes) || action == ActRelease || action == ActReturn;

  fill_table #(
    .IndexBits(IndexBits)
  ) u_fills (
    .clk_i,
    .rst_ni,
    .room_o          (fill_room),
    .free_o          (fill_id),
    .start_i         (fetches),
    .line_i          (line),
    .sectors_i       (sectors),
    .finish_i        (fills),
    .finish_id_i     (lower_response_i.id[FillBits-1:0]),
    .finish_line_o   (fill_line),
    .finish_sectors_o(fill_sectors),
    .empty_o         (fills_empty)
  );

  // ---- locks and recency ----
  way_set_t passed [Sets];
  logic     lock, unlock;

  line_uses #(
    .Sets       (Sets),
    .ReadCounter(ReadCounter),
    .WordLock   (WordLock)
  ) u_uses (
    .clk_i,
    .rst_ni,
    .enable_i         (config_i.lock),
    .reads_to_unlock_i(config_i.reads_to_unlock),
    .action_i         (action),
    .shared_i         (request.shared),
    .reads_i          (access.kind == MemRead),
    .lanes_i          (passes ? served & found : '0),
    .lane_index_i     (lane_index),
    .banks_i          (banks),
    .row_i            (row),
    .line_i           (line),
    .takes_line_i     (takes_line),
    .replaces_i       (replaces),
    .of_slot_i        (of_slot),
    .passed_o         (passed),
    .locked_o         (locked),
    .lock_o           (lock),
    .unlock_o         (unlock),
    .set_i            (wanted_set),
    .candidates_i     (candidates),
    .oldest_o         (oldest)
  );

  // ---- data ----
  line_data_t      line_data;
  lane_data_t      answer_data;
  logic [5:0]      move;
  logic [3:0][3:0] step;
  float_format_e   sum_format;

  addition_stages #(
    .Sets(Sets)
  ) u_additions (
    .clk_i,
    .rst_ni,
    .start_i      (action == ActPass && adds),
    .format_i     (format_of(access.atomic, access.size_log2)),
    .lines_i      (passed),
    .fill_i       (fills),
    .move_o       (move),
    .step_o       (step),
    .format_o     (sum_format),
    .writes_next_o(sums_next),
    .closed_o     (closed_lines),
    .busy_o       (adding)
  );

  data_path #(
    .Sets(Sets)
  ) u_data (
    .clk_i,
    .rst_ni,
    .accept_i       (accept),
    .accept_index_i (accept_index),
    .accept_data_i  (request_data_i),
    .action_i       (action),
    .writes_back_i  (writes_back),
    .here_i         (found[lane]),
    .kind_i         (answered.kind),
    .atomic_i       (answered.atomic),
    .size_log2_i    (answered.size_log2),
    .address_i      (returns ? returned_address : address),
    .request_index_i(returns ? return_index : request_index),
    .lanes_i        (returns ? returned.mask : served),
    .move_i         (move),
    .step_i         (step),
    .sum_format_i   (sum_format),
    .banks_i        (banks),
    .row_i          (row),
    .line_i         (line),
    .fill_i         (fills),
    .fill_line_i    (fill_line),
    .fill_bytes_i   (fill_bytes),
    .fill_data_i    (lower_response_data_i),
    .line_data_o    (line_data),
    .answer_data_o  (answer_data)
  );

  // ---- the cycle after the decision ----
  logic           answer_q, soon_q;
  answer_t        staged_answer_q;
  mem_performed_t performed_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : staged
    if (!rst_ni) begin
      answer_q    <= 1'b0;
      performed_q <= '0;
    end else begin
      answer_q          <= finish;
      performed_q.valid <= passes || action == ActPast;
      performed_q.tag   <= access.tag;
      performed_q.mask  <= served;
    end
  end

  always_ff @(posedge clk_i) begin : staged_payload
    staged_answer_q.tag        <= answered.tag;
    staged_answer_q.mask       <= answered.mask;
    staged_answer_q.part       <= answered.part;
    staged_answer_q.store      <= answered.kind == MemWrite;
    if (action == ActRelease) staged_answer_q.outcome <= MemHit;
    else if (action == ActReturn) staged_answer_q.outcome <= MemBypassed;
    else if (missed) staged_answer_q.outcome <= MemMiss;
    else staged_answer_q.outcome <= merged ? MemMerged : MemHit;
    // Lines of shared memory take the way of a hit (table 1: a miss is a miss's trip and a hit).
    soon_q <= action == ActReturn || (!request.shared && (missed || merged));
  end

  lower_stage u_lower (
    .clk_i,
    .rst_ni,
    .action_i       (action),
    .fetches_i      (fetches),
    .writes_back_i  (writes_back),
    .fill_id_i      (fill_id),
    .request_index_i(request_index),
    .atomic_i       (access.kind == MemAtomic),
    .wanted_i       (wanted),
    .victim_i       (line_number),
    .sectors_i      (sectors),
    .dirty_bytes_i  (dirty_bytes),
    .store_bytes_i  (bytes),
    .room_o         (lower_room),
    .room_for_two_o (lower_room_for_two),
    .data_i         (line_data),
    .request_o      (lower_request_o),
    .data_o         (lower_request_data_o),
    .ready_i        (lower_ready_i),
    .empty_o        (lower_empty)
  );

  logic ring_empty;

  response_ring u_ring (
    .clk_i,
    .rst_ni,
    .hit_latency_i(config_i.hit_latency),
    .write_i      (answer_q),
    .soon_i       (soon_q),
    .answer_i     (staged_answer_q),
    .data_i       (answer_data),
    .response_o,
    .data_o       (response_data_o),
    .empty_o      (ring_empty)
  );

  assign performed_o = performed_q;

  // ---- idle, and the events of the cycle before ----
  logic idle_q;

  assign idle_o = idle_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : idle
    if (!rst_ni) begin
      idle_q <= 1'b1;
    end else begin
      idle_q <= !accept && requests_empty && fills_empty && !answer_q && lower_empty &&
                ring_empty && !adding;
    end
  end

  cache_events #(
    .IndexBits(IndexBits)
  ) u_events (
    .clk_i,
    .rst_ni,
    .accept_i       (accept),
    .action_i       (action),
    .kind_i         (access.kind),
    .finish_i       (finish),
    .missed_i       (missed),
    .merged_i       (merged),
    .lock_i         (lock),
    .unlock_i       (unlock),
    .through_i      (request.through),
    .replaces_i     (replaces),
    .writes_back_i  (writes_back),
    .victim_locked_i(locked[line[WayBits+:SetBits]][line[WayBits-1:0]]),
    .line_i         (line),
    .wait_lines_i   (wait_lines),
    .fetched_i      (fetches ? sectors : '0),
    .fill_i         (fills),
    .fill_line_i    (fill_line),
    .banks_i        (banks),
    .stores_i       (stores),
    .fill_bytes_i   (fill_bytes),
    .events_o
  );

endmodule
