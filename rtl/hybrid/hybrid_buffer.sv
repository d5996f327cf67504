// One write buffer: data, the register number of each entry as its address tag, and its lane mask.
//
// It fills while its warp is active: the first result of a register takes the next entry, later
// ones overwrite it, lane by lane. When the warp leaves, it drains: entry after entry goes to the
// STT-RAM. A result that comes for the warp now takes a new entry at the end, even of a register
// that has one: the entries drain in order, so the younger one is written last. No look-up is
// needed, and the control module is free for the next warp.
module hybrid_buffer
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic          clk_i,
  input  logic          rst_ni,
  input  logic          gating_i,
  input  logic [7:0]    wakeup_cycles_i,
  // from the command unit
  input  logic          open_i,    // becomes the buffer of this warp
  input  warp_t         warp_i,
  input  logic          close_i,   // its warp leaves
  input  logic          drop_i,    // its warp has ended
  // a result of its warp
  input  logic          request_i,
  input  number_t       number_i,
  input  logic [Lanes-1:0] mask_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] data_i,
  input  logic          hit_i,     // from the control module
  input  slot_t         hit_slot_i,
  output logic          accept_o,
  output logic          new_entry_o,
  output slot_t         slot_o,
  output logic          waits_power_o,
  // sources of the active warp, each from another array; data in the next cycle
  input  logic [NumSources-1:0] read_i,
  input  slot_t         read_slot_i [NumSources],
  output logic [Lanes-1:0] read_mask_o [NumSources],
  output logic [Lanes-1:0][LaneWidth-1:0] read_data_o [ArraysPerBank],
  // the oldest entry that is not written back
  output logic          entry_valid_o,
  output number_t       entry_number_o,
  output logic [Lanes-1:0] entry_mask_o,
  output logic [Lanes-1:0][LaneWidth-1:0] entry_data_o,
  input  logic          entry_take_i,
  // state
  output buffer_state_e state_o,
  output warp_t         owner_o,
  output count_t        count_o,
  output count_t        drained_o,
  output count_t        used_o,    // entries in use at the end of this cycle
  output entry_set_t    lost_o,    // entries that are dropped without write-back
  output logic          upper_on_o,
  output logic          wakes_o
);

  buffer_state_e state_q;
  warp_t         owner_q;
  count_t        count_q, drained_q, next_entry;
  logic          fetched_q, fetch, full, upper, drained;
  number_t       number_q [BufferEntries];

  logic [Lanes-1:0] mask_q [BufferEntries];

  // ---- results ----
  logic merge;

  assign merge         = state_q == BufferFill && hit_i;
  assign slot_o        = merge ? hit_slot_i : slot_t'(count_q);
  assign full          = !merge && count_q == count_t'(BufferEntries);
  assign upper         = slot_o >= slot_t'(AlwaysOn);
  assign waits_power_o = request_i && !full && upper && !upper_on_o;
  assign accept_o      = request_i && !full && !(upper && !upper_on_o);
  assign new_entry_o   = accept_o && !merge;
  assign used_o        = count_q + count_t'(new_entry_o);

  for (genvar e = 0; e < BufferEntries; e++) begin : gen_lost
    assign lost_o[e] = drop_i && count_t'(e) < count_q;
  end

  // ---- write-back ----
  assign next_entry = drained_q + count_t'(fetched_q);
  assign fetch      = state_q == BufferDrain && next_entry < count_q &&
                      (!fetched_q || entry_take_i);
  assign drained    = state_q == BufferDrain && drained_q == count_q && !accept_o;

  assign entry_valid_o  = fetched_q;
  assign entry_number_o = number_q[slot_t'(drained_q)];
  assign entry_mask_o   = mask_q[slot_t'(drained_q)];
  assign entry_data_o   = read_data_o[drained_q[ArrayBits-1:0]];

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      state_q   <= BufferFree;
      owner_q   <= '0;
      count_q   <= '0;
      drained_q <= '0;
      fetched_q <= 1'b0;
    end else if (open_i) begin
      state_q   <= BufferFill;
      owner_q   <= warp_i;
      count_q   <= '0;
      drained_q <= '0;
      fetched_q <= 1'b0;
    end else if (drop_i || drained) begin
      state_q   <= BufferFree;
      count_q   <= '0;
      drained_q <= '0;
      fetched_q <= 1'b0;
    end else begin
      if (close_i) state_q <= BufferDrain;
      count_q   <= used_o;
      drained_q <= drained_q + count_t'(entry_take_i);
      fetched_q <= fetch || (fetched_q && !entry_take_i);
    end
  end

  always_ff @(posedge clk_i) begin : tags
    if (new_entry_o) begin
      number_q[slot_o] <= number_i;
      mask_q[slot_o]   <= mask_i;
    end else if (accept_o) begin
      mask_q[slot_o] <= mask_q[slot_o] | mask_i;
    end
  end

  // ---- data ----
  array_set_t read_array;
  slot_t      array_slot [ArraysPerBank];

  always_comb begin : reads
    read_array = '0;
    for (int unsigned a = 0; a < ArraysPerBank; a++) array_slot[a] = slot_t'(next_entry);
    for (int unsigned s = 0; s < NumSources; s++) begin
      read_mask_o[s] = mask_q[read_slot_i[s]];
      if (read_i[s]) begin
        read_array[read_slot_i[s][ArrayBits-1:0]] = 1'b1;
        array_slot[read_slot_i[s][ArrayBits-1:0]] = read_slot_i[s];
      end
    end
    if (fetch) read_array[next_entry[ArrayBits-1:0]] = 1'b1;
  end

  buffer_store #(
    .Lanes    (Lanes),
    .LaneWidth(LaneWidth)
  ) u_store (
    .clk_i,
    .rst_ni,
    .upper_on_i  (upper_on_o),
    .write_i     (accept_o),
    .write_slot_i(slot_o),
    .write_mask_i(mask_i),
    .write_data_i(data_i),
    .read_i      (read_array),
    .read_slot_i (array_slot),
    .read_data_o
  );

  buffer_power u_power (
    .clk_i,
    .rst_ni,
    .gating_i,
    .wakeup_cycles_i,
    .needed_i (waits_power_o),
    .release_i(drop_i || drained),
    .on_o     (upper_on_o),
    .wakes_o
  );

  assign state_o   = state_q;
  assign owner_o   = owner_q;
  assign count_o   = count_q;
  assign drained_o = drained_q;

endmodule
