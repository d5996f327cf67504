// Chooses the registers that move between cache and main register file.
//
// The arbiters between the active warps of figure 11. At the main banks of every lane one of the
// slots with a fetch at a bank that can start it, in rotating order; a register whose result is on
// its way to the main register file is not fetched, and its slot's turn passes. At every cache
// bank one of the slots with a register to write back of which no result is on its way to the
// cache, in rotating order; at every free lane one of the cache banks so chosen. A slot whose
// register's lane has no room for it passes its turn too.
module transfer_allocator import ltrf_pkg::*; #(
  parameter int unsigned ResultWidth  = 2,
  parameter int unsigned NumLaneBanks = 1  // main banks of a lane
) (
  input  logic                                           clk_i,
  input  logic                                           rst_ni,
  input  logic        [NumSlots-1:0][NumCacheBanks-1:0]  leave_i,
  input  held_t       [NumSlots-1:0][NumCacheBanks-1:0]  held_i,
  input  logic        [NumMainBanks-1:0][NumSlots-1:0]   arrive_i,
  input  fetch_t      [NumMainBanks-1:0][NumSlots-1:0]   fetch_i,
  input  pin_t        [ResultWidth-1:0][QueueDepth-1:0]  pin_i,
  input  logic        [NumMainBanks-1:0]                 inbound_free_i,
  input  logic        [NumMainBanks-1:0]                 inbound_busy_i,
  input  row_t        [NumMainBanks-1:0]                 inbound_busy_row_i,
  input  logic        [NumMainBanks-1:0]                 inbound_valid_i,
  input  row_t        [NumMainBanks-1:0]                 inbound_row_i,
  input  logic        [NumMainBanks-1:0][NumLaneBanks-1:0] read_ready_i,
  // write-backs: by cache bank, and by main bank
  output logic        [NumCacheBanks-1:0]                write_back_o,
  output slot_t       [NumCacheBanks-1:0]                write_back_slot_o,
  output logic        [NumMainBanks-1:0]                 inbound_o,
  output cache_bank_t [NumMainBanks-1:0]                 inbound_bank_o,
  // fetches, by main bank
  output logic        [NumMainBanks-1:0]                 read_o,
  output slot_t       [NumMainBanks-1:0]                 read_slot_o
);

  // ---- fetches ----
  logic   [NumMainBanks-1:0] pinned_miss, pinned_lane, wanted;
  fetch_t                    next [NumMainBanks];

  for (genvar b = 0; b < NumMainBanks; b++) begin : gen_reads
    logic [NumSlots-1:0] open, unused_grant;

    for (genvar s = 0; s < NumSlots; s++) begin : gen_open
      if (NumLaneBanks == 1) begin : gen_one_bank
        assign open[s] = read_ready_i[b][0];
      end else begin : gen_bank
        assign open[s] = read_ready_i[b][fetch_i[b][s].row[$clog2(NumLaneBanks)-1:0]];
      end
    end

    rr_arbiter #(.Width(NumSlots)) u_read (
      .clk_i,
      .rst_ni,
      .request_i(arrive_i[b] & open),
      .advance_i(|open),
      .valid_o  (wanted[b]),
      .grant_o  (unused_grant),
      .index_o  (read_slot_o[b])
    );

    assign next[b]        = fetch_i[b][read_slot_o[b]];
    assign pinned_lane[b] = (inbound_busy_i[b] && inbound_busy_row_i[b] == next[b].row) ||
                            (inbound_valid_i[b] && inbound_row_i[b] == next[b].row);
  end

  logic [NumSlots-1:0][NumCacheBanks-1:0] pinned_hit;

  always_comb begin : pins
    pinned_hit  = '0;
    pinned_miss = '0;
    for (int unsigned p = 0; p < ResultWidth; p++) begin
      for (int unsigned e = 0; e < QueueDepth; e++) begin
        for (int unsigned s = 0; s < NumSlots; s++) begin
          if (pin_i[p][e].slot[s]) pinned_hit[s] = pinned_hit[s] | pin_i[p][e].cache_bank;
        end
        if (pin_i[p][e].main && pin_i[p][e].index.row == next[pin_i[p][e].index.bank].row) begin
          pinned_miss[pin_i[p][e].index.bank] = 1'b1;
        end
      end
    end
  end

  assign read_o = wanted & ~pinned_miss & ~pinned_lane;

  // ---- write-backs ----
  logic [NumCacheBanks-1:0][NumSlots-1:0]     chosen;  // at each cache bank, one or none
  logic [NumMainBanks-1:0][NumCacheBanks-1:0] request, grant;

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_writes
    logic [NumSlots-1:0] may;
    logic                unused_valid;

    for (genvar s = 0; s < NumSlots; s++) begin : gen_slots
      assign may[s] = leave_i[s][c] && !pinned_hit[s][c];
    end

    rr_arbiter #(.Width(NumSlots)) u_write (
      .clk_i,
      .rst_ni,
      .request_i(may),
      .advance_i(1'b1),
      .valid_o  (unused_valid),
      .grant_o  (chosen[c]),
      .index_o  (write_back_slot_o[c])
    );
  end

  // By the bit of the chosen slot, which is there before its number is.
  always_comb begin : requests
    request = '0;
    for (int unsigned c = 0; c < NumCacheBanks; c++) begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (chosen[c][s]) request[held_i[s][c].index.bank][c] = 1'b1;
      end
    end
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      if (!inbound_free_i[b]) request[b] = '0;
    end
  end

  for (genvar b = 0; b < NumMainBanks; b++) begin : gen_lanes
    rr_arbiter #(.Width(NumCacheBanks)) u_lane (
      .clk_i,
      .rst_ni,
      .request_i(request[b]),
      .advance_i(1'b1),
      .valid_o  (inbound_o[b]),
      .grant_o  (grant[b]),
      .index_o  (inbound_bank_o[b])
    );
  end

  always_comb begin : granted
    write_back_o = '0;
    for (int unsigned b = 0; b < NumMainBanks; b++) write_back_o = write_back_o | grant[b];
  end

endmodule
