// Chooses, among the warps of the slots, those that move a register between cache and main register file.
//
// The arbiter between the active warps of figure 11: the slots are asked in rotating order, and every slot
// whose resources are free goes ahead. The slot asked first stays first until it has been served, so that
// no slot waits for ever. A write-back takes the read port of its cache bank and the inbound lane of its
// main bank; a fetch takes its main bank. A register whose result is on its way to the cache is not written
// back, one whose result is on its way to the main register file is not fetched.
module transfer_allocator import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input  logic                                          clk_i,
  input  logic                                          rst_ni,
  input  slot_view_t  [NumSlots-1:0]                    slot_i,
  input  candidate_t  [NumSlots-1:0]                    candidate_i,
  input  queue_view_t [ResultWidth-1:0][QueueDepth-1:0] queue_i,
  input  logic        [NumMainBanks-1:0]                inbound_free_i,
  input  logic        [NumMainBanks-1:0]                inbound_busy_i,
  input  row_t        [NumMainBanks-1:0]                inbound_busy_row_i,
  input  logic        [NumMainBanks-1:0]                inbound_valid_i,
  input  row_t        [NumMainBanks-1:0]                inbound_row_i,
  input  logic        [NumMainBanks-1:0]                read_ready_i,
  output logic        [NumSlots-1:0]                    grant_o,
  output logic        [NumSlots-1:0]                    write_back_o,
  output logic        [NumSlots-1:0]                    fetch_o,
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
      if (candidate_i[s].valid) begin
        for (int unsigned p = 0; p < ResultWidth; p++) begin
          for (int unsigned e = 0; e < QueueDepth; e++) begin
            if (queue_i[p][e].located && queue_i[p][e].index == candidate_i[s].index) begin
              if (queue_i[p][e].hit) pinned_hit[s] = 1'b1;
              else pinned_miss[s] = 1'b1;
            end
          end
        end
        pinned_lane[s] =
            (inbound_busy_i[candidate_i[s].index.bank] &&
             inbound_busy_row_i[candidate_i[s].index.bank] == candidate_i[s].index.row) ||
            (inbound_valid_i[candidate_i[s].index.bank] &&
             inbound_row_i[candidate_i[s].index.bank] == candidate_i[s].index.row);
      end
    end
  end

  slot_t      chosen;
  main_bank_t bank;

  always_comb begin : choose
    grant_o           = '0;
    write_back_o      = '0;
    fetch_o           = '0;
    inbound_o         = '0;
    inbound_slot_o    = '0;
    read_o            = '0;
    read_slot_o       = '0;
    cache_read_o      = '0;
    cache_read_slot_o = '0;
    chosen            = '0;
    bank              = '0;
    for (int unsigned k = 0; k < NumSlots; k++) begin
      chosen = top_q + slot_t'(k);
      bank   = candidate_i[chosen].index.bank;
      if (candidate_i[chosen].valid) begin
        unique case (slot_i[chosen].state)
          SlotDrain, SlotEvict: begin
            if (inbound_free_i[bank] && !inbound_o[bank] &&
                !cache_read_o[candidate_i[chosen].cache_bank] && !pinned_hit[chosen]) begin
              grant_o[chosen]                                   = 1'b1;
              write_back_o[chosen]                              = 1'b1;
              inbound_o[bank]                                   = 1'b1;
              inbound_slot_o[bank]                              = chosen;
              cache_read_o[candidate_i[chosen].cache_bank]      = 1'b1;
              cache_read_slot_o[candidate_i[chosen].cache_bank] = chosen;
            end
          end
          SlotFill: begin
            if (read_ready_i[bank] && !read_o[bank] && !pinned_miss[chosen] && !pinned_lane[chosen])
            begin
              grant_o[chosen]   = 1'b1;
              fetch_o[chosen]   = 1'b1;
              read_o[bank]      = 1'b1;
              read_slot_o[bank] = chosen;
            end
          end
          default: grant_o[chosen] = 1'b1;
        endcase
      end
    end
  end

  logic top_waits;
  assign top_waits = candidate_i[top_q].valid && !grant_o[top_q];

  always_ff @(posedge clk_i or negedge rst_ni) begin : rotate
    if (!rst_ni) top_q <= '0;
    else if (!top_waits) top_q <= top_q + slot_t'(1);
  end

endmodule
