// Prefetch engine (LTRF, section 5.2): moves working sets between the main register file and the
// cache.
//
// Each active warp has a slot, numbered by its warp offset. A command loads the slot's two lists
// with the registers that leave the cache and those that arrive; every cycle the slot decodes the
// lowest register of each list into a candidate, and the transfer allocator chooses among the
// candidates of all slots. A prefetch writes back what leaves the working set and fetches what is
// missing into the cache banks that are free or become free (SlotSwap); an activation fetches
// everything (SlotFill), a deactivation writes everything back (SlotEvict), an exit only gives the
// cache banks back (SlotRelease). A prefetch or an activation has finished when everything that
// arrives is there, a deactivation when everything is written.
module prefetch_engine import heddle_port_pkg::*, ltrf_pkg::*; (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  input  logic        [4:0]               cache_banks_i,   // in use
  input  logic        [3:0]               active_warps_i,  // at once
  // commands that start
  input  warp_t                           command_warp_i,
  input  logic        [IntervalBits-1:0]  interval_i,
  input  vector_t                         vector_i,
  input  index_t                          command_base_i,
  input  logic                            activate_i,
  input  logic                            deactivate_i,
  input  logic                            exit_i,
  input  logic                            prefetch_i,
  input  slot_t                           slot_i,
  input  vector_t                         warp_valid_i,    // registers of the warp in the cache
  input  vector_t                         warp_set_i,      // its working set
  input  logic        [NumSlots-1:0]      reported_i,
  output slot_view_t  [NumSlots-1:0]      slot_o,
  output logic                            offset_valid_o,
  output slot_t                           offset_o,
  output logic                            offset_release_o,
  // decoding of registers that leave
  output reg_t        [NumSlots-1:0]      decode_register_o,
  input  cache_bank_t [NumSlots-1:0]      decode_bank_i,
  // transfers
  output candidate_t  [NumSlots-1:0]      leave_o,
  output candidate_t  [NumSlots-1:0]      arrive_o,
  output logic        [NumSlots-1:0]      bank_free_o,
  output cache_bank_t [NumSlots-1:0]      bank_o,          // the next free cache bank
  input  logic        [NumSlots-1:0]      release_i,
  input  logic        [NumSlots-1:0]      write_back_i,
  input  logic        [NumSlots-1:0]      fetch_i,
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
  vector_t                 leave_list_q  [NumSlots];
  vector_t                 arrive_list_q [NumSlots];
  candidate_t              leave_q       [NumSlots];
  candidate_t              arrive_q      [NumSlots];
  count_t                  write_backs_q [NumSlots];  // under way
  count_t                  fetches_q     [NumSlots];  // under way

  logic [NumSlots-1:0] leave_empty, arrive_empty, quiet, arrived, finished, load_leave, load_arrive;
  reg_t                arrive_register [NumSlots];
  logic                start;
  vector_t             start_leave, start_arrive;

  assign start = activate_i || deactivate_i || exit_i || prefetch_i;

  always_comb begin : status
    for (int unsigned s = 0; s < NumSlots; s++) begin
      leave_empty[s]  = leave_list_q[s] == '0;
      arrive_empty[s] = arrive_list_q[s] == '0;
      quiet[s]        = leave_empty[s] && !leave_q[s].valid && arrive_empty[s] &&
                        !arrive_q[s].valid;
      arrived[s]      = quiet[s] && fetches_q[s] == '0;
      unique case (state_q[s])
        SlotSwap, SlotFill: finished[s] = arrived[s];
        SlotEvict:          finished[s] = quiet[s] && write_backs_q[s] == '0;
        SlotRelease:        finished[s] = quiet[s];
        default:            finished[s] = 1'b0;
      endcase
      slot_o[s]   = '{state: state_q[s], finished: finished[s], warp: warp_q[s],
                      interval: interval_q[s]};
      leave_o[s]  = leave_q[s];
      arrive_o[s] = arrive_q[s];
    end
  end

  always_comb begin : decode
    for (int unsigned s = 0; s < NumSlots; s++) begin
      load_leave[s]        = !leave_empty[s] && (!leave_q[s].valid || release_i[s]);
      load_arrive[s]       = !arrive_empty[s] && (!arrive_q[s].valid || fetch_i[s]);
      decode_register_o[s] = '0;
      arrive_register[s]   = '0;
      if (load_leave[s]) decode_register_o[s] = first_register(leave_list_q[s]);
      if (load_arrive[s]) arrive_register[s] = first_register(arrive_list_q[s]);
    end
  end

  always_comb begin : first_lists
    start_leave  = warp_valid_i;
    start_arrive = '0;
    if (activate_i) begin
      start_leave  = '0;
      start_arrive = warp_set_i;
    end
    if (prefetch_i) begin
      start_leave  = warp_valid_i & ~vector_i;
      start_arrive = vector_i & ~warp_valid_i;
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : states
    if (!rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        state_q[s]       <= SlotIdle;
        leave_list_q[s]  <= '0;
        arrive_list_q[s] <= '0;
      end
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (load_leave[s]) leave_list_q[s][decode_register_o[s]] <= 1'b0;
        if (load_arrive[s]) arrive_list_q[s][arrive_register[s]] <= 1'b0;
        if (reported_i[s]) begin
          state_q[s] <= (state_q[s] == SlotFill || state_q[s] == SlotSwap) ? SlotReady : SlotIdle;
        end
        if (start && slot_i == slot_t'(s)) begin
          leave_list_q[s]  <= start_leave;
          arrive_list_q[s] <= start_arrive;
          if (activate_i) state_q[s] <= SlotFill;
          if (prefetch_i) state_q[s] <= SlotSwap;
          if (deactivate_i) state_q[s] <= SlotEvict;
          if (exit_i) state_q[s] <= SlotRelease;
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin : identities
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (start && slot_i == slot_t'(s)) begin
        warp_q[s]     <= command_warp_i;
        base_q[s]     <= command_base_i;
        interval_q[s] <= interval_i;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : candidates
    if (!rst_ni) begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        leave_q[s]  <= '0;
        arrive_q[s] <= '0;
      end
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (load_leave[s]) begin
          leave_q[s] <= '{valid: 1'b1, reg_no: decode_register_o[s],
                          index: index_t'(base_q[s] + 16'(decode_register_o[s])),
                          cache_bank: decode_bank_i[s]};
        end else if (release_i[s]) begin
          leave_q[s].valid <= 1'b0;
        end
        if (load_arrive[s]) begin
          arrive_q[s] <= '{valid: 1'b1, reg_no: arrive_register[s],
                           index: index_t'(base_q[s] + 16'(arrive_register[s])), cache_bank: '0};
        end else if (fetch_i[s]) begin
          arrive_q[s].valid <= 1'b0;
        end
      end
    end
  end

  count_t written [NumSlots];
  count_t filled  [NumSlots];

  always_comb begin : count_ends
    for (int unsigned s = 0; s < NumSlots; s++) begin
      written[s] = '0;
      filled[s]  = '0;
    end
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      if (written_i[b]) written[written_slot_i[b]] += count_t'(1);
      if (filled_i[b]) filled[filled_slot_i[b]] += count_t'(1);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : under_way
    if (!rst_ni) begin
      write_backs_q <= '{default: '0};
      fetches_q     <= '{default: '0};
    end else begin
      for (int unsigned s = 0; s < NumSlots; s++) begin
        write_backs_q[s] <= write_backs_q[s] + count_t'(write_back_i[s]) - written[s];
        fetches_q[s]     <= fetches_q[s] + count_t'(fetch_i[s]) - filled[s];
      end
    end
  end

  // The cache banks of a warp, and the warp offsets.
  for (genvar s = 0; s < NumSlots; s++) begin : gen_banks
    address_allocation_unit #(.Depth(NumCacheBanks)) u_banks (
      .clk_i,
      .rst_ni,
      .size_i           (cache_banks_i),
      .allocate_i       (fetch_i[s]),
      .release_i        (release_i[s]),
      .release_address_i(leave_q[s].cache_bank),
      .valid_o          (bank_free_o[s]),
      .address_o        (bank_o[s])
    );
  end

  logic  offset_release;
  slot_t offset_release_address;

  always_comb begin : release_offset
    offset_release         = 1'b0;
    offset_release_address = '0;
    for (int unsigned s = 0; s < NumSlots; s++) begin
      if (reported_i[s] && (state_q[s] == SlotEvict || state_q[s] == SlotRelease)) begin
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
