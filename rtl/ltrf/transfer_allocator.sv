// Chooses, among the warps of the slots, those that move a register between cache and main register
// file.
//
// The arbiter between the active warps of figure 11: the slots are asked in rotating order, and
// every slot whose resources are free goes ahead. The slot asked first stays first until it has
// been served, so that no slot waits for ever. Each slot offers a register that leaves the cache
// and one that arrives. A write-back takes the read port of its cache bank and the inbound lane of
// its main bank; a fetch takes its main bank and a free cache bank of its warp. A register whose
// result is on its way to the cache is not written back, one whose result is on its way to the main
// register file is not fetched.
module transfer_allocator import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  slot_view_t  [NumSlots-1:0]                    slot_i,
  input  candidate_t  [NumSlots-1:0]                    leave_i,
  input  candidate_t  [NumSlots-1:0]                    arrive_i,
  // the slot has a free cache bank
  input  logic        [NumSlots-1:0]                    bank_free_i,
  input  queue_view_t [ResultWidth-1:0][QueueDepth-1:0] queue_i,
  input  logic        [NumMainBanks-1:0]                inbound_free_i,
  input  logic        [NumMainBanks-1:0]                inbound_busy_i,
  input  row_t        [NumMainBanks-1:0]                inbound_busy_row_i,
  input  logic        [NumMainBanks-1:0]                inbound_valid_i,
  input  row_t        [NumMainBanks-1:0]                inbound_row_i,
  input  logic        [NumMainBanks-1:0]                read_ready_i,
  output logic        [NumSlots-1:0]                    release_o,     // leaving register granted
  output logic        [NumSlots-1:0]                    write_back_o,  // of these, written back
  output logic        [NumSlots-1:0]                    fetch_o,       // arriving register granted
  output logic        [NumMainBanks-1:0]                inbound_o,       // write-back by main bank
  output slot_t       [NumMainBanks-1:0]                inbound_slot_o,
  output logic        [NumMainBanks-1:0]                read_o,          // fetch by main bank
  output slot_t       [NumMainBanks-1:0]                read_slot_o,
  output logic        [NumCacheBanks-1:0]               cache_read_o,    // write-back by cache bank
  output slot_t       [NumCacheBanks-1:0]               cache_read_slot_o
);

  slot_t                 top_q;
  logic   [NumSlots-1:0] pinned_hit, pinned_miss, pinned_lane;

  always_comb begin : pins
    pinned_hit  = '0;
    pinned_miss = '0;
    pinned_lane = '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      for (int unsigned p = 0; p < ResultWidth; p++) begin
        for (int unsigned e = 0; e < QueueDepth; e++) begin
          if (queue_i[p][e].located && queue_i[p][e].hit && leave_i[s].valid &&
              queue_i[p][e].index == leave_i[s].index) begin
            pinned_hit[s] = 1'b1;
          end
          if (queue_i[p][e].located && !queue_i[p][e].hit && arrive_i[s].valid &&
              queue_i[p][e].index == arrive_i[s].index) begin
            pinned_miss[s] = 1'b1;
          end
        end
      end
      if (arrive_i[s].valid) begin
        pinned_lane[s] = (inbound_busy_i[arrive_i[s].index.bank] &&
                          inbound_busy_row_i[arrive_i[s].index.bank] == arrive_i[s].index.row) ||
                         (inbound_valid_i[arrive_i[s].index.bank] &&
                          inbound_row_i[arrive_i[s].index.bank] == arrive_i[s].index.row);
      end
    end
  end

  slot_t chosen;
  logic  may_write_back, may_fetch;

  always_comb begin : choose
    release_o         = '0;
    write_back_o      = '0;
    fetch_o           = '0;
    inbound_o         = '0;
    inbound_slot_o    = '0;
    read_o            = '0;
    read_slot_o       = '0;
    cache_read_o      = '0;
    cache_read_slot_o = '0;
    chosen            = '0;
    may_write_back    = 1'b0;
    may_fetch         = 1'b0;
    for (int unsigned k = 0; k < NumSlots; k++) begin
      chosen = top_q + slot_t'(k);
      if (leave_i[chosen].valid) begin
        may_write_back = inbound_free_i[leave_i[chosen].index.bank] &&
                         !inbound_o[leave_i[chosen].index.bank] &&
                         !cache_read_o[leave_i[chosen].cache_bank] && !pinned_hit[chosen];
        if (slot_i[chosen].state == SlotRelease) begin
          release_o[chosen] = 1'b1;
        end else if (may_write_back) begin
          release_o[chosen]                             = 1'b1;
          write_back_o[chosen]                          = 1'b1;
          inbound_o[leave_i[chosen].index.bank]         = 1'b1;
          inbound_slot_o[leave_i[chosen].index.bank]    = chosen;
          cache_read_o[leave_i[chosen].cache_bank]      = 1'b1;
          cache_read_slot_o[leave_i[chosen].cache_bank] = chosen;
        end
      end
      if (arrive_i[chosen].valid) begin
        may_fetch = read_ready_i[arrive_i[chosen].index.bank] &&
                    !read_o[arrive_i[chosen].index.bank] && bank_free_i[chosen] &&
                    !pinned_miss[chosen] && !pinned_lane[chosen];
        if (may_fetch) begin
          fetch_o[chosen]                           = 1'b1;
          read_o[arrive_i[chosen].index.bank]       = 1'b1;
          read_slot_o[arrive_i[chosen].index.bank]  = chosen;
        end
      end
    end
  end

  logic top_waits;
  assign top_waits = (leave_i[top_q].valid && !release_o[top_q]) ||
                     (arrive_i[top_q].valid && !fetch_o[top_q]);

  always_ff @(posedge clk_i or negedge rst_ni) begin : rotate
    if (!rst_ni) top_q <= '0;
    else if (!top_waits) top_q <= top_q + slot_t'(1);
  end

endmodule
