// The requests that the cache works on, until their last lane is served; the addresses of their
// lanes lie beside them (request_addresses).
//
// The oldest request that does not wait for a fill is served. A request waits only when each of its
// lanes lies in a sector that is on its way, and such a sector is closed to all requests; when one
// comes, all that wait for a line of its class try again, the oldest first. So accesses to one
// sector keep the order in which they came.
module request_buffer
  import heddle_port_pkg::*;
  import osm_pkg::*;
#(
  parameter bit Unified = 1'b0  // global and local memory too
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  // from the SM's coalescer
  input  mem_request_t   request_i,
  output logic           request_ready_o,
  output logic           accept_o,
  output request_index_t accept_index_o,
  output logic           accept_shared_o,  // it is of shared memory
  // the request to serve: of the state alone, so that its look-up does not wait for what comes in
  output logic           valid_o,
  output request_index_t index_o,
  output request_t       request_o,
  output lane_set_t      lanes_o,
  output logic           missed_o,
  output logic           merged_o,
  // a request that went past the cache comes back: it ends in this cycle
  input  logic           return_i,
  input  request_index_t return_index_i,
  output access_t        returned_o,
  // what became of it
  input  lane_set_t      served_i,
  input  logic           finish_i,
  input  logic           missed_i,
  input  logic           wait_lines_i,
  // classes of lines whose fill makes a waiting request try again. One that comes in the cycle in
  // which the request begins to wait does so too
  input  way_set_t       awaited_i,
  input  logic           away_i,
  input  logic           wake_i,     // a line of this class has come
  input  way_t           wake_class_i,
  output logic           empty_o
);

  typedef logic [NumRequests-1:0] request_set_t;

  request_set_t   in_use, active_q, away_q, missed_q, merged_q;
  request_t       request_q [NumRequests];
  lane_set_t      lanes_q [NumRequests];
  way_set_t       awaited_q [NumRequests];
  request_set_t   candidates;
  request_set_t   taken [1];  // the place that a request takes
  request_index_t free_index;
  logic           comes_now;

  // ---- the oldest that does not wait ----
  assign candidates = in_use & active_q & ~away_q;

  recency_order #(
    .Ways(NumRequests)
  ) u_order (
    .clk_i,
    .rst_ni,
    .used_i      (taken),
    .set_i       ('0),
    .candidates_i(candidates),
    .locked_i    ('0),
    .oldest_o    (index_o)
  );

  assign valid_o    = candidates != '0;
  assign request_o  = request_q[index_o];
  assign returned_o = request_q[return_index_i].access;
  assign lanes_o    = lanes_q[index_o];
  assign missed_o   = missed_q[index_o];
  assign merged_o   = merged_q[index_o];
  assign empty_o    = in_use == '0;

  // ---- acceptance ----
  request_index_t ended;

  number_pool #(
    .Numbers(NumRequests)
  ) u_places (
    .clk_i,
    .rst_ni,
    .room_o    (request_ready_o),
    .free_o    (free_index),
    .take_i    (accept_o),
    .release_i (finish_i),
    .released_i(ended),
    .in_use_o  (in_use)
  );

  assign ended          = return_i ? return_index_i : index_o;
  assign accept_o       = request_i.valid && request_ready_o;
  assign accept_index_o = free_index;
  assign taken[0]       = request_set_t'(accept_o) << free_index;

  assign accept_shared_o = !Unified || request_i.space == MemShared;

  // ---- what becomes of global accesses ----
  logic is_global, uncached;

  assign is_global = Unified && request_i.space == MemGlobal;
  assign uncached  = request_i.cache_operator inside {3'd1, 3'd4, 3'd6};  // .cg, .cv, volatile

  // ---- state ----
  assign comes_now = wake_i && awaited_i[wake_class_i];

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      active_q <= '0;
      away_q   <= '0;
    end else begin
      for (int unsigned r = 0; r < NumRequests; r++) begin
        if (wake_i && awaited_q[r][wake_class_i]) active_q[r] <= 1'b1;
      end
      if (wait_lines_i && !comes_now) active_q[index_o] <= 1'b0;
      if (away_i) away_q[index_o] <= 1'b1;
      if (accept_o) begin
        active_q[free_index] <= 1'b1;
        away_q[free_index]   <= 1'b0;
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    lanes_q[index_o] <= lanes_q[index_o] & ~served_i;
    if (missed_i) missed_q[index_o] <= 1'b1;
    if (wait_lines_i) awaited_q[index_o] <= awaited_i;
    if (wait_lines_i && !missed_i && !missed_q[index_o]) merged_q[index_o] <= 1'b1;
    if (accept_o) begin
      lanes_q[free_index]             <= request_i.mask;
      missed_q[free_index]            <= 1'b0;
      merged_q[free_index]            <= 1'b0;
      request_q[free_index].access.tag       <= request_i.tag;
      request_q[free_index].access.kind      <= request_i.kind;
      request_q[free_index].access.atomic    <= request_i.atomic;
      request_q[free_index].access.size_log2 <= request_i.size_log2;
      request_q[free_index].access.part      <= request_i.part;
      request_q[free_index].access.mask      <= request_i.mask;
      request_q[free_index].cta_slot         <= request_i.cta_slot;
      request_q[free_index].shared           <= accept_shared_o;
      request_q[free_index].is_global        <= is_global;
      request_q[free_index].through          <= is_global && request_i.kind == MemWrite;
      request_q[free_index].past             <= is_global && (request_i.kind == MemAtomic ||
                                                           (request_i.kind == MemRead && uncached));
    end
  end

endmodule
