// Prefetch engine (LTRF, section 5.2): moves working sets between the main register file and the cache.
//
// Each active warp has a slot, numbered by its warp offset. A command loads the slot's list with the
// registers to move; every cycle the slot decodes the lowest one into a candidate, and the transfer
// allocator chooses among the candidates of all slots. A prefetch first writes back what leaves the working
// set (SlotDrain), then fetches what is missing (SlotFill); a deactivation writes everything back
// (SlotEvict), an exit only gives the cache banks back (SlotRelease). A slot has finished when its list is
// empty and all its transfers have arrived.
module prefetch_engine import heddle_port_pkg::*, ltrf_pkg::*; (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic        [4:0]               cache_banks_i,   // in use
  input  logic        [3:0]               active_warps_i,  // at once
  // commands that start
  input  warp_t                           command_warp_i,
  input  logic   [IntervalBits-1:0]       interval_i,
  input  vector_t                         vector_i,
  input  index_t                          command_base_i,
  input  logic                            activate_i,
  input  logic                            deactivate_i,
  input  logic                            exit_i,
  input  logic                            prefetch_i,
  input  slot_t                           slot_i,
  input  logic        [NumSlots-1:0]      reported_i,
  output slot_view_t  [NumSlots-1:0]      slot_o,
  output logic                            offset_valid_o,
  output slot_t                           offset_o,
  output logic                            offset_release_o,
  // vector port of the warp control blocks
  output logic                            vector_busy_o,
  output warp_t                           vector_warp_o,
  input  vector_t                         vector_valid_i,
  input  vector_t                         vector_set_i,
  // decoding
  output reg_t        [NumSlots-1:0]      decode_register_o,
  input  cache_bank_t [NumSlots-1:0]      decode_bank_i,
  // transfers
  output candidate_t  [NumSlots-1:0]      candidate_o,
  input  logic        [NumSlots-1:0]      grant_i,
  input  logic        [NumSlots-1:0]      write_back_i,
  input  logic        [NumSlots-1:0]      fetch_i,
  output cache_bank_t [NumSlots-1:0]      bank_o,        // cache bank of a fetch
  output logic        [NumSlots-1:0]      bank_release_o,
  // ends of transfers, by main bank
  input  logic        [NumMainBanks-1:0]  written_i,
  input  slot_t       [NumMainBanks-1:0]  written_slot_i,
  input  logic        [NumMainBanks-1:0]  filled_i,
  input  slot_t       [NumMainBanks-1:0]  filled_slot_i
);

  typedef logic [CountBits-1:0] count_t;

  slot_state_e             state_q       [NumSlots];
  warp_t                   warp_q        [NumSlots];
  index_t                  base_q        [NumSlots];
  logic [IntervalBits-1:0] interval_q    [NumSlots];
  logic                    activation_q  [NumSlots];
  vector_t                 list_q        [NumSlots];
  count_t                  outstanding_q [NumSlots];
  candidate_t              candidate_q   [NumSlots];

  logic  [NumSlots-1:0] list_empty, quiet, finished, drained, load;
  logic                 start;
  slot_t                fill_slot;
  vector_t              start_list;

  assign start = activate_i || deactivate_i || exit_i || prefetch_i;

  always_comb begin : status
    for (int unsigned s = 0; s < NumSlots; s++) begin
      list_empty[s] = list_q[s] == '0;
      quiet[s]      = list_empty[s] && !candidate_q[s].valid;
      drained[s]    = state_q[s] == SlotDrain && quiet[s];
      finished[s]   = (state_q[s] == SlotFill || state_q[s] == SlotEvict ||
                       state_q[s] == SlotRelease) && quiet[s] && outstanding_q[s] == '0;
      slot_o[s]     = '{state: state_q[s], activation: activation_q[s], finished: finished[s],
                        warp: warp_q[s], interval: interval_q[s]};
      candidate_o[s] = candidate_q[s];
    end
  end

  always_comb begin : vector_port
    fill_slot = '0;
    for (int unsigned s = NumSlots; s > 0; s--) begin
      if (drained[s-1]) fill_slot = slot_t'(s - 1);
    end
  end

  assign vector_busy_o = drained != '0;
  assign vector_warp_o = vector_busy_o ? warp_q[fill_slot] : command_warp_i;

  always_comb begin : decode
    for (int unsigned s = 0; s < NumSlots; s++) begin
      load[s]              = !list_empty[s] && (!candidate_q[s].valid || grant_i[s]);
      decode_register_o[s] = '0;
      if (load[s]) decode_register_o[s] = first_register(list_q[s]);
    end
  end

  always_comb begin : first_list
    start_list = vector_valid_i;
    if (activate_i) start_list = vector_set_i;
    if (prefetch_i) start_list = vector_valid_i & ~vector_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : states
    if (!rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        state_q[s] <= SlotIdle;
        list_q[s]  <= '0;
      end
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (load[s]) list_q[s][decode_register_o[s]] <= 1'b0;
        if (reported_i[s]) state_q[s] <= (state_q[s] == SlotFill) ? SlotReady : SlotIdle;
        if (drained[s] && fill_slot == slot_t'(s)) begin
          state_q[s] <= SlotFill;
          list_q[s]  <= vector_set_i & ~vector_valid_i;
        end
        if (start && slot_i == slot_t'(s)) begin
          list_q[s] <= start_list;
          if (activate_i) state_q[s] <= SlotFill;
          if (prefetch_i) state_q[s] <= SlotDrain;
          if (deactivate_i) state_q[s] <= SlotEvict;
          if (exit_i) state_q[s] <= SlotRelease;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : identities
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (start && slot_i == slot_t'(s)) begin
        warp_q[s]       <= command_warp_i;
        base_q[s]       <= command_base_i;
        interval_q[s]   <= interval_i;
        activation_q[s] <= activate_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : candidates
    if (!rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) candidate_q[s] <= '0;
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (load[s]) begin
          candidate_q[s] <= '{valid: 1'b1, reg_no: decode_register_o[s],
                              index: index_t'(base_q[s] + 16'(decode_register_o[s])),
                              cache_bank: decode_bank_i[s]};
        end else if (grant_i[s]) begin
          candidate_q[s].valid <= 1'b0;
        end
      end
    end
  end

  count_t ended [NumSlots];

  always_comb begin : count_ends
    for (int unsigned s = 0; s < NumSlots; s++) ended[s] = '0;
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      if (written_i[b]) ended[written_slot_i[b]] += count_t'(1);
      if (filled_i[b]) ended[filled_slot_i[b]] += count_t'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : outstanding
    if (!rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) outstanding_q[s] <= '0;
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        outstanding_q[s] <= outstanding_q[s] + count_t'(write_back_i[s] || fetch_i[s]) - ended[s];
      end
    end
  end

  // The cache banks of a warp, and the warp offsets.
  assign bank_release_o = grant_i & ~fetch_i;

  for (genvar s = 0; s < NumSlots; s++) begin : gen_banks
    logic unused_valid;

    address_allocation_unit #(.Depth(NumCacheBanks)) u_banks (
      .clk_i,
      .rst_ni,
      .size_i           (cache_banks_i),
      .allocate_i       (fetch_i[s]),
      .release_i        (bank_release_o[s]),
      .release_address_i(candidate_q[s].cache_bank),
      .valid_o          (unused_valid),
      .address_o        (bank_o[s])
    );
  end

  logic  offset_release;
  slot_t offset_release_address;

  always_comb begin : release_offset
    offset_release         = 1'b0;
    offset_release_address = '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (reported_i[s] && state_q[s] != SlotFill) begin
        offset_release         = 1'b1;
        offset_release_address = slot_t'(s);
      end
    end
  end

  assign offset_release_o = offset_release;

  address_allocation_unit #(.Depth(NumSlots)) u_offsets (
    .clk_i,
    .rst_ni,
    .size_i           (active_warps_i),
    .allocate_i       (activate_i),
    .release_i        (offset_release),
    .release_address_i(offset_release_address),
    .valid_o          (offset_valid_o),
    .address_o        (offset_o)
  );

endmodule
