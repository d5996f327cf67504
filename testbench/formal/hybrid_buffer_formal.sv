// One entry of a write buffer and one lane of it, that the solver chooses, from the result that
// takes the entry to its write-back; and counts of entries that entered and left.
module hybrid_buffer_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  localparam int unsigned LaneIndexBits = $clog2(NumLanes),
  localparam int unsigned Rows          = BufferEntries / ArraysPerBank
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  gating_i,
  input logic                  open_i,
  input warp_t                 warp_i,
  input logic                  close_i,
  input logic                  drop_i,
  input logic                  request_i,
  input number_t               number_i,
  input mask_t                 mask_i,
  input data_t                 data_i,
  input logic                  hit_i,
  input slot_t                 hit_slot_i,
  input logic                  accept_i,
  input logic                  new_entry_i,
  input slot_t                 slot_i,
  input logic [NumSources-1:0] read_i,
  input slot_t                 read_slot_i [NumSources],
  input mask_t                 read_mask_i [NumSources],
  input data_t                 read_data_i [ArraysPerBank],
  input logic                  entry_valid_i,
  input number_t               entry_number_i,
  input mask_t                 entry_mask_i,
  input data_t                 entry_data_i,
  input logic                  entry_take_i,
  input buffer_state_e         state_i,
  input warp_t                 owner_i,
  input entry_set_t            lost_i,
  input logic                  upper_on_i,
  // what the buffer keeps
  input count_t                count_i,
  input count_t                drained_i,
  input number_t               kept_number_i [BufferEntries],
  input mask_t                 kept_mask_i [BufferEntries],
  input logic [ArraysPerBank-1:0][LaneBits-1:0] kept_value_i,  // in the row and the lane
  input logic [Rows-1:0]       kept_rows_i [ArraysPerBank]
);

  // Any entry, and any lane: what the inputs are in the cycle of reset.
  slot_t                    slot_q;
  logic [LaneIndexBits-1:0] lane_q;

  buffer_state_e state_q;
  warp_t         owner_q;
  count_t        entered_q, left_q;
  logic          gating_q;
  logic          due_q;        // an entry is to be offered
  number_t       number_q;     // what the entry has
  mask_t         mask_q;
  logic [31:0]   value_q;      // in the lane
  logic          read_q;       // the entry was the last to be read from its array
  logic [31:0]   read_value_q;
  logic          ends, there, here, merges;

  // Where the entry lies; the memories keep this row and this lane.
  logic [ArrayBits-1:0]          array;
  logic [SlotBits-ArrayBits-1:0] kept_row;
  logic [LaneIndexBits-1:0]      kept_lane;

  assign {kept_row, array} = slot_q;
  assign kept_lane         = lane_q;

  assign merges = state_q == BufferFill && hit_i;
  assign there  = state_q != BufferFree && count_t'(slot_q) < entered_q;
  assign here   = accept_i && slot_i == slot_q;
  assign ends   = state_q == BufferDrain && left_q == entered_q && !accept_i;

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      slot_q <= hit_slot_i;
      lane_q <= LaneIndexBits'(data_i);
    end
    gating_q <= gating_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : life
    if (!rst_ni) begin
      state_q   <= BufferFree;
      entered_q <= '0;
      left_q    <= '0;
      due_q     <= 1'b0;
    end else if (open_i) begin
      state_q   <= BufferFill;
      entered_q <= '0;
      left_q    <= '0;
      due_q     <= 1'b0;
    end else if (drop_i || ends) begin
      state_q <= BufferFree;
      due_q   <= 1'b0;
    end else begin
      if (close_i) state_q <= BufferDrain;
      entered_q <= entered_q + count_t'(new_entry_i);
      left_q    <= left_q + count_t'(entry_take_i);
      due_q     <= state_q == BufferDrain && left_q + count_t'(entry_take_i) < entered_q;
    end
  end

  always_ff @(posedge clk_i) begin : content
    if (open_i) owner_q <= warp_i;
    if (here && new_entry_i) number_q <= number_i;
    if (here) begin
      mask_q <= (new_entry_i ? '0 : mask_q) | mask_i;
      if (mask_i[lane_q]) value_q <= data_i[lane_q];
    end
  end

  // ---- reads ----
  logic [NumSources-1:0] of_entry, of_array, twice;

  for (genvar s = 0; s < NumSources; s++) begin : gen_source
    assign of_entry[s] = read_i[s] && read_slot_i[s] == slot_q;
    assign of_array[s] = read_i[s] && read_slot_i[s][ArrayBits-1:0] == array;

    always_comb begin : others
      twice[s] = 1'b0;
      for (int unsigned t = 0; t < s; t++) begin
        if (read_i[s] && read_i[t] &&
            read_slot_i[s][ArrayBits-1:0] == read_slot_i[t][ArrayBits-1:0]) begin
          twice[s] = 1'b1;
        end
      end
    end

    always_comb begin : checks
      if (rst_ni) begin
        MaskIsRead :
        assert (!of_entry[s] || !there || read_mask_i[s][lane_q] == mask_q[lane_q]);
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : reads
    if (!rst_ni) read_q <= 1'b0;
    else if (of_array != '0) read_q <= of_entry != '0 && there && mask_q[lane_q];
    else if (state_q != BufferFill) read_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin : read_value
    if (of_array != '0) read_value_q <= value_q;
  end

  always_comb begin : checks
    if (rst_ni) begin
      OpenOnlyFree : assume (!open_i || state_i == BufferFree);
      CloseOnlyFilling : assume (!close_i || state_i == BufferFill);
      DropOnlyFilling : assume (!drop_i || state_i == BufferFill);
      OwnResults : assume (!request_i || state_i != BufferFree);
      DropNotOther : assume (!(drop_i && accept_i));
      EntryThere : assume (!accept_i || new_entry_i || count_t'(slot_i) < entered_q);
      TakeOnlyOffered : assume (!entry_take_i || entry_valid_i);
      ReadOnlyFilling : assume (read_i == '0 || state_i == BufferFill);
      OneReadAnArray : assume (twice == '0);
      GatingHeld : assume (gating_i == gating_q || state_i == BufferFree);

      StateAgrees :
      assert (count_i == (state_q == BufferFree ? '0 : entered_q) &&
              drained_i == (state_q == BufferFree ? '0 : left_q));
      CountsInRange : assert (32'(entered_q) <= BufferEntries && left_q <= entered_q);
      DueIsLeft :
      assert (!due_q || (state_q == BufferDrain && left_q < entered_q));
      DrainsAfter : assert (state_q == BufferDrain || left_q == '0 || state_q == BufferFree);
      PowerWhileLive :
      assert (state_q == BufferFree || 32'(entered_q) <= AlwaysOn || upper_on_i);
      EntryIsKept :
      assert (!there || (kept_number_i[slot_q] == number_q && kept_mask_i[slot_q] == mask_q));
      ValueIsKept :
      assert (!there || !mask_q[lane_q] || kept_value_i[array] == value_q);
      RowIsKept : assert (!there || 32'(slot_q) < AlwaysOn || kept_rows_i[array][kept_row]);
      ReadOfEntry : assert (!read_q || state_q != BufferFree || 32'(left_q) == 0);

      GivenUpEmpty : assert (state_i == state_q && (state_q == BufferFree || owner_i == owner_q));
      TakenWithRoom :
      assert (accept_i == (request_i && (merges || 32'(entered_q) < BufferEntries) &&
                           (32'(slot_i) < AlwaysOn || upper_on_i)));
      NextEntry :
      assert (!accept_i ||
              (new_entry_i == !merges && slot_i == (merges ? hit_slot_i : slot_t'(entered_q))));
      OfferedAtOnce : assert (entry_valid_i == due_q);
      OldestAsWritten :
      assert (!entry_valid_i || left_q != count_t'(slot_q) ||
              (entry_number_i == number_q && entry_mask_i == mask_q));
      NewestWritten :
      assert (!entry_valid_i || left_q != count_t'(slot_q) || !mask_q[lane_q] ||
              entry_data_i[lane_q] == value_q);
      NewestRead : assert (!read_q || read_data_i[array][lane_q] == read_value_q);
      LossIsSaid : assert (lost_i[slot_q] == (drop_i && there));
      LateLeaves :
      cover (entry_take_i && left_q == count_t'(slot_q) && slot_q == 6'd1 && owner_q == 6'd3);
    end
  end

endmodule

bind hybrid_buffer hybrid_buffer_formal u_formal (
  .clk_i,
  .rst_ni,
  .gating_i,
  .open_i,
  .warp_i,
  .close_i,
  .drop_i,
  .request_i,
  .number_i,
  .mask_i,
  .data_i,
  .hit_i,
  .hit_slot_i,
  .accept_i      (accept_o),
  .new_entry_i   (new_entry_o),
  .slot_i        (slot_o),
  .read_i,
  .read_slot_i,
  .read_mask_i   (read_mask_o),
  .read_data_i   (read_data_o),
  .entry_valid_i (entry_valid_o),
  .entry_number_i(entry_number_o),
  .entry_mask_i  (entry_mask_o),
  .entry_data_i  (entry_data_o),
  .entry_take_i,
  .state_i       (state_o),
  .owner_i       (owner_o),
  .lost_i        (lost_o),
  .upper_on_i    (upper_on_o),
  .count_i       (count_q),
  .drained_i     (drained_q),
  .kept_number_i (number_q),
  .kept_mask_i   (mask_q),
  .kept_value_i  ({
      u_store.gen_array[7].u_array.word_q, u_store.gen_array[6].u_array.word_q,
      u_store.gen_array[5].u_array.word_q, u_store.gen_array[4].u_array.word_q,
      u_store.gen_array[3].u_array.word_q, u_store.gen_array[2].u_array.word_q,
      u_store.gen_array[1].u_array.word_q, u_store.gen_array[0].u_array.word_q
  }),
  .kept_rows_i   (u_store.kept_q)
);
