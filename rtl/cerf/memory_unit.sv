// Loads and stores: which operation the oldest request is, when it is looked up, and its event of
// the memory order.
//
// A request is looked up when its line is not on its way, or when it is a load that can join the
// line's MSHR. One that finds no MSHR or no room in the queue to L2 is not looked up again before
// one of them has changed. A request is performed in its look-up; requests are looked up in order.
module memory_unit
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input  logic           clk_i,
  input  logic           rst_ni,
  // from the coalescer
  input  mem_request_t   request_i,
  input  lane_words_t    request_data_i,
  output logic           request_ready_o,
  output mem_performed_t performed_o,
  // from the MSHRs
  input  logic           pending_i,
  input  logic           joinable_i,
  input  logic           mshr_released_i,
  // from the queue to L2
  input  logic           popped_i,
  // to and from the tag banks
  output logic           lookup_o,
  output op_e            op_o,
  output line_t          line_o,
  output logic           bypass_o,       // goes past the integrated memory
  output logic           write_o,
  output logic           joins_o,        // a load whose line is on its way
  output lower_kind_e    bypass_kind_o,
  output waiting_t       waiting_o,
  output bytes_t         byte_mask_o,
  output data_t          store_data_o,
  input  logic           selected_i,     // the tag bank looks it up in this cycle
  input  logic           lacks_i,        // and it lacks an MSHR or room
  input  logic           done_i,         // and it is carried out
  // to the port and the events
  output logic           empty_o,
  output logic           stall_o
);

  typedef struct packed {
    mem_request_t request;
    lane_words_t  data;
  } queued_t;

  queued_t        oldest;
  mem_request_t   head;
  lane_words_t    head_data;
  logic           waits, parked_q, atomic, past, open;
  logic [4:0]     first_lane;
  logic [NumLanes-1:0][3:0] bytes;
  mem_performed_t performed_q;

  fifo #(
    .Depth (2),
    .item_t(queued_t)
  ) u_queue (
    .clk_i,
    .rst_ni,
    .push_i (request_i.valid && request_ready_o),
    .item_i ('{request: request_i, data: request_data_i}),
    .room_o (request_ready_o),
    .valid_o(waits),
    .item_o (oldest),
    .pop_i  (done_i),
    .count_o()
  );

  always_comb begin : request
    head       = oldest.request;
    head.valid = waits;
  end

  assign head_data = oldest.data;

  // ---- what it is ----
  assign write_o  = head.kind == MemWrite;
  assign atomic   = head.kind == MemAtomic;
  assign past     = head.cache_operator == 3'd1 || head.cache_operator == 3'd4 ||
                    head.cache_operator == 3'd6;
  assign bypass_o = atomic || past;

  always_comb begin : classify
    if (bypass_o) op_o = OpBypass;
    else op_o = write_o ? OpStore : OpLoad;
    if (atomic) bypass_kind_o = LowerAtomic;
    else bypass_kind_o = write_o ? LowerBypassWrite : LowerBypassRead;
  end

  lowest_bit #(
    .Width(NumLanes)
  ) u_first_lane (
    .set_i  (head.mask),
    .valid_o(),
    .bit_o  (),
    .index_o(first_lane)
  );

  assign line_o = head.address[first_lane][31:OffsetBits];

  always_comb begin : keep
    waiting_o.tag       = head.tag;
    waiting_o.mask      = head.mask;
    waiting_o.part      = head.part;
    waiting_o.store     = write_o;
    waiting_o.size_log2 = head.size_log2;
    if (bypass_o) waiting_o.outcome = MemBypassed;
    else waiting_o.outcome = joins_o ? MemMerged : MemMiss;
    for (int unsigned lane = 0; lane < NumLanes; lane++) begin
      waiting_o.offset[lane] = head.address[lane][OffsetBits-1:0];
    end
  end

  lane_scatter u_scatter (
    .lanes_i    (head.mask),
    .size_log2_i(head.size_log2),
    .offset_i   (waiting_o.offset),
    .words_i    (head_data),
    .line_o     (store_data_o),
    .bytes_o    (bytes)
  );

  assign byte_mask_o = bytes;

  // ---- when it is looked up ----
  assign joins_o  = op_o == OpLoad && joinable_i;
  assign open     = !pending_i || joins_o;
  assign lookup_o = waits && open && !parked_q;
  assign stall_o  = waits && !done_i;
  assign empty_o  = !waits;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      parked_q    <= 1'b0;
      performed_q <= '0;
    end else begin
      if (mshr_released_i || popped_i) parked_q <= 1'b0;
      else if (selected_i && lacks_i) parked_q <= 1'b1;
      performed_q.valid <= done_i;
      performed_q.tag   <= head.tag;
      performed_q.mask  <= head.mask;
    end
  end

  assign performed_o = performed_q;

endmodule
