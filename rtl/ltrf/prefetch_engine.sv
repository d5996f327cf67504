// Prefetch engine (LTRF, section 5.2): moves working sets between the main register file and the
// cache.
//
// Each active warp has a slot, numbered by its warp offset. A command loads the slot's sets: the
// cache banks whose registers leave, and the vector of registers that arrive. A prefetch writes
// back what leaves the working set and fetches what is missing into the cache banks that are
// unused or become so (SlotSwap); an activation fetches everything (SlotFill), a deactivation
// writes everything back (SlotEvict), an exit only gives the cache banks back (SlotRelease). With
// `early_release_i` a deactivation has finished as it starts: its slot is free, and its registers
// leave while those of the slot's next warp come, which get the cache banks that become unused.
// With Liveness (LTRF+), what is dead is neither written back nor fetched: its cache bank is given
// back at once, or taken without a fetch. What is clean, where cache banks have dirty bits, is not
// written back.
//
// Every cycle one slot decodes its vector, in rotating order (decode_lists): the lowest register of
// each main bank for which the slot has no fetch waiting there, `decode_width_i` of them at most,
// gets an unused cache bank and waits at its main bank from the next cycle on. A prefetch or an
// activation has finished when everything that arrives is there and nothing of the slot is left to
// write back, a deactivation without early release when everything is on its way.
module prefetch_engine import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter bit Liveness = 1'b0
) (
  input  logic                                         clk_i,
  input  logic                                         rst_ni,
  input  logic        [4:0]                            cache_banks_i,   // in use
  input  logic        [3:0]                            active_warps_i,  // at once
  input  logic        [4:0]                            decode_width_i,  // registers a cycle
  input  logic                                         early_release_i,
  // commands that start
  input  warp_t                                        command_warp_i,
  input  logic        [IntervalBits-1:0]               interval_i,
  input  vector_t                                      vector_i,
  input  index_t                                       command_base_i,
  input  logic                                         activate_i,
  input  logic                                         deactivate_i,
  input  logic                                         exit_i,
  input  logic                                         prefetch_i,
  input  slot_t                                        slot_i,
  input  vector_t                                      warp_valid_i,  // registers in the cache
  input  vector_t                                      warp_set_i,    // its working set
  input  vector_t                                      warp_live_i,   // its live registers
  input  logic        [NumSlots-1:0]                   reported_i,
  output slot_view_t  [NumSlots-1:0]                   slot_o,
  output logic                                         offset_valid_o,
  output slot_t                                        offset_o,
  output logic                                         offset_release_o,
  // decoding: registers that get a cache bank, by column
  input  logic        [NumSlots-1:0][NumCacheBanks-1:0] occupied_i,
  input  held_t       [NumSlots-1:0][NumCacheBanks-1:0] held_i,
  input  logic        [NumSlots-1:0][NumCacheBanks-1:0] dirty_i,
  output logic        [NumColumns-1:0]                 allocate_o,
  output slot_t                                        allocate_slot_o,
  output held_t       [NumColumns-1:0]                 allocate_held_o,
  output cache_bank_t [NumColumns-1:0]                 allocate_bank_o,
  output logic        [NumColumns-1:0]                 allocate_dead_o,  // without a fetch
  output logic        [NumCacheBanks-1:0]              allocated_o,      // by cache bank
  // cache banks of slot_i that a command gives back without a write-back
  output logic        [NumCacheBanks-1:0]              drop_o,
  output logic        [NumCacheBanks-1:0]              drop_clean_o,  // of these, live ones
  // transfers
  output logic        [NumSlots-1:0][NumCacheBanks-1:0] leave_o,
  output logic        [NumMainBanks-1:0][NumSlots-1:0] arrive_o,
  output fetch_t      [NumMainBanks-1:0][NumSlots-1:0] fetch_o,
  input  logic        [NumCacheBanks-1:0]              write_back_i,
  input  slot_t       [NumCacheBanks-1:0]              write_back_slot_i,
  input  logic        [NumMainBanks-1:0]               read_i,
  input  slot_t       [NumMainBanks-1:0]               read_slot_i,
  input  logic        [NumCacheBanks-1:0]              fill_i,
  input  slot_t       [NumCacheBanks-1:0]              fill_slot_i
);

  localparam int unsigned NumRows = NumRegs / NumColumns;  // registers of a column

  slot_state_e             state_q       [NumSlots];
  warp_t                   warp_q        [NumSlots];
  warp_t                   leave_warp_q  [NumSlots];  // of what is to be written back
  logic [IntervalBits-1:0] interval_q    [NumSlots];

  logic   [NumSlots-1:0][NumCacheBanks-1:0] leave_q;   // registers that are to be written back
  logic   [NumSlots-1:0][NumCacheBanks-1:0] coming_q;  // banks whose register has not come yet
  logic   [NumMainBanks-1:0][NumSlots-1:0]  arrive_q;  // a fetch waits
  fetch_t [NumMainBanks-1:0][NumSlots-1:0]  fetch_q;

  assign leave_o  = leave_q;
  assign arrive_o = arrive_q;
  assign fetch_o  = fetch_q;

  logic [NumSlots-1:0] arrive_empty, finished;
  logic                start;

  assign start = activate_i || deactivate_i || exit_i || prefetch_i;

  always_comb begin : status
    for (int unsigned s = 0; s < NumSlots; s++) begin
      unique case (state_q[s])
        SlotSwap, SlotFill: finished[s] = leave_q[s] == '0 && arrive_empty[s] && coming_q[s] == '0;
        SlotEvict:          finished[s] = early_release_i || leave_q[s] == '0;
        SlotRelease:        finished[s] = 1'b1;
        default:            finished[s] = 1'b0;
      endcase
      slot_o[s] = '{state: state_q[s], finished: finished[s], warp: warp_q[s],
                    interval: interval_q[s], leaving: |leave_q[s], leave_warp: leave_warp_q[s]};
    end
  end

  // ---- what a command starts with ----
  logic [NumCacheBanks-1:0] start_leave;
  vector_t                  start_arrive;

  always_comb begin : first_sets
    start_leave  = '0;
    start_arrive = '0;
    drop_o       = {NumCacheBanks{exit_i}};
    drop_clean_o = '0;
    if (activate_i) start_arrive = warp_set_i;
    if (prefetch_i) start_arrive = vector_i & ~warp_valid_i;
    if (prefetch_i || deactivate_i) begin
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (occupied_i[slot_i][c] && !(prefetch_i && vector_i[held_i[slot_i][c].reg_no])) begin
          start_leave[c]  = warp_live_i[held_i[slot_i][c].reg_no] && dirty_i[slot_i][c];
          drop_o[c]       = !start_leave[c];
          drop_clean_o[c] = warp_live_i[held_i[slot_i][c].reg_no] && !dirty_i[slot_i][c];
        end
      end
    end
  end

  // ---- decoding ----
  slot_t                           chosen;
  index_t                          base;
  vector_t                         list;
  vector_t                         taken;     // registers of the list that get a cache bank
  logic        [NumMainBanks-1:0]  waiting;   // main banks at which a fetch of the slot waits
  logic        [NumColumns-1:0]    waits_at;  // and columns whose registers lie there
  logic        [NumColumns-1:0]    ask, fetches;
  held_t       [NumColumns-1:0]    held;
  logic        [NumCacheBanks-1:0] unused_bank, comes;

  decode_lists u_lists (
    .clk_i,
    .rst_ni,
    .start_i (start),
    .slot_i,
    .base_i  (command_base_i),
    .arrive_i(start_arrive),
    .chosen_o(chosen),
    .base_o  (base),
    .list_o  (list),
    .taken_i (taken),
    .empty_o (arrive_empty)
  );

  for (genvar b = 0; b < NumMainBanks; b++) begin : gen_waiting
    assign waiting[b] = arrive_q[b][chosen];
  end

  // Column j lies in the j-th main bank behind that of the base.
  assign waits_at = NumColumns'({waiting, waiting} >> base.bank);

  // Registers of the list that are dead.
  vector_t dead_list;

  if (Liveness) begin : gen_dead
    vector_t dead_list_q [NumSlots];

    always_ff @(posedge clk_i) begin : dead_lists
      if (start) dead_list_q[slot_i] <= ~warp_live_i;
    end

    assign dead_list = dead_list_q[chosen];
  end else begin : gen_none_dead
    assign dead_list = '0;
  end

  for (genvar j = 0; j < NumColumns; j++) begin : gen_columns
    logic [NumRows-1:0]         rows, lowest_row;
    logic                       any;
    logic [$clog2(NumRows)-1:0] row;
    reg_t                       lowest;

    for (genvar k = 0; k < NumRows; k++) begin : gen_rows
      assign rows[k]               = list[NumColumns*k+j];
      assign taken[NumColumns*k+j] = allocate_o[j] && lowest_row[k];
    end

    lowest_bit #(
      .Width(NumRows)
    ) u_row (
      .set_i  (rows),
      .valid_o(any),
      .bit_o  (lowest_row),
      .index_o(row)
    );

    assign lowest             = {row, ColumnBits'(j)};
    assign held[j]            = '{reg_no: lowest, index: index_t'(base + 16'(lowest))};
    assign allocate_dead_o[j] = dead_list[lowest];
    assign ask[j]             = any && (allocate_dead_o[j] || !waits_at[j]);
  end

  for (genvar c = 0; c < NumCacheBanks; c++) begin : gen_unused
    assign unused_bank[c] = !occupied_i[chosen][c] && 5'(c) < cache_banks_i;
  end

  bank_matcher u_matcher (
    .ask_i   (ask),
    .unused_i(unused_bank),
    .most_i  (decode_width_i),
    .take_o  (allocate_o),
    .bank_o  (allocate_bank_o),
    .taken_o (allocated_o)
  );

  assign allocate_slot_o = chosen;
  assign allocate_held_o = held;
  assign fetches         = allocate_o & ~allocate_dead_o;

  always_comb begin : decoded
    comes = allocated_o;
    for (int unsigned j = 0; j < NumColumns; j++) begin
      if (allocate_o[j] && allocate_dead_o[j]) comes[allocate_bank_o[j]] = 1'b0;
    end
  end

  // The same by main bank: rotated by the base's.
  localparam int unsigned FetchBits = $bits(fetch_t);

  logic   [NumMainBanks-1:0] waits;
  fetch_t [NumMainBanks-1:0] fetch;

  always_comb begin : by_main_bank
    waits = fetches;
    for (int unsigned j = 0; j < NumColumns; j++) begin
      fetch[j] = '{reg_no: held[j].reg_no, row: held[j].index.row, cache_bank: allocate_bank_o[j]};
    end
    for (int unsigned r = 0; r < MainBankBits; r++) begin
      if (base.bank[r]) begin
        waits = (waits << (1 << r)) | (waits >> (NumMainBanks - (1 << r)));
        fetch = (fetch << (FetchBits << r)) | (fetch >> (FetchBits * (NumMainBanks - (1 << r))));
      end
    end
  end

  // ---- states ----
  always_ff @(posedge clk_i or negedge rst_ni) begin : states
    if (!rst_ni) begin
      state_q  <= '{default: SlotIdle};
      leave_q  <= '0;
      coming_q <= '0;
      arrive_q <= '0;
    end else begin
      coming_q[chosen] <= coming_q[chosen] | comes;
      for (int unsigned b = 0; b < NumMainBanks; b++) begin
        if (waits[b]) arrive_q[b][chosen] <= 1'b1;
        if (read_i[b]) arrive_q[b][read_slot_i[b]] <= 1'b0;
      end
      for (int unsigned c = 0; c < NumCacheBanks; c++) begin
        if (fill_i[c]) coming_q[fill_slot_i[c]][c] <= 1'b0;
        if (write_back_i[c]) leave_q[write_back_slot_i[c]][c] <= 1'b0;
      end
      for (int unsigned s = 0; s < NumSlots; s++) begin
        if (reported_i[s]) begin
          state_q[s] <= (state_q[s] == SlotFill || state_q[s] == SlotSwap) ? SlotReady : SlotIdle;
        end
      end
      if (start) begin
        if (prefetch_i || deactivate_i || exit_i) leave_q[slot_i] <= start_leave;
        if (activate_i) state_q[slot_i] <= SlotFill;
        if (prefetch_i) state_q[slot_i] <= SlotSwap;
        if (deactivate_i) state_q[slot_i] <= SlotEvict;
        if (exit_i) state_q[slot_i] <= SlotRelease;
      end
    end
  end

  always_ff @(posedge clk_i) begin : payload
    if (start) begin
      warp_q[slot_i]     <= command_warp_i;
      if (!activate_i) leave_warp_q[slot_i] <= command_warp_i;
      interval_q[slot_i] <= interval_i;
    end
    for (int unsigned b = 0; b < NumMainBanks; b++) begin
      // whether one comes is known too late to decide this, and counts in arrive_q alone
      if (!waiting[b]) fetch_q[b][chosen] <= fetch[b];
    end
  end

  // ---- warp offsets ----
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
