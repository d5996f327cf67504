// A write buffer takes results of its own warp only, writes every entry back once and in order, and
// is not given up before; entries that are switched off are not used.
module hybrid_buffer_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input buffer_state_e state_i,
  input logic          open_i,
  input logic          close_i,
  input logic          drop_i,
  input logic          drained_i,
  input logic          request_i,
  input warp_t         owner_i,
  input logic          accept_i,
  input logic          new_entry_i,
  input slot_t         slot_i,
  input count_t        count_i,
  input logic          take_i,
  input count_t        taken_i,
  input logic          fetch_i,
  input source_set_t   read_i,
  input slot_t         read_slot_i [NumSources],
  input logic          gating_i,
  input logic          upper_on_i
);

  count_t     entered_q, left_q;  // counted apart from the buffer's own registers
  logic       gating_q;
  array_set_t used;
  logic       used_twice;

  always_comb begin : arrays
    used       = '0;
    used_twice = 1'b0;
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (read_i[s]) begin
        if (used[read_slot_i[s][ArrayBits-1:0]]) used_twice = 1'b1;
        used[read_slot_i[s][ArrayBits-1:0]] = 1'b1;
      end
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      entered_q <= '0;
      left_q    <= '0;
    end else if (open_i) begin
      entered_q <= '0;
      left_q    <= '0;
    end else begin
      entered_q <= entered_q + count_t'(new_entry_i);
      left_q    <= left_q + count_t'(take_i);
    end
  end

  always_ff @(posedge clk_i) gating_q <= gating_i;

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OpenOnlyFree :
      assert (!open_i || state_i == BufferFree)
      else $error("OpenOnlyFree: the buffer of W%0d is given away", owner_i);
      CloseOnlyFilling :
      assert (!close_i || state_i == BufferFill)
      else $error("CloseOnlyFilling: no warp fills the buffer");
      DropOnlyFilling :
      assert (!drop_i || state_i == BufferFill)
      else $error("DropOnlyFilling: W%0d ends while its buffer does not fill", owner_i);
      OwnResults :
      assert (!request_i || state_i != BufferFree)
      else $error("OwnResults: a result for a buffer without a warp");
      NewEntryIsNext :
      assert (!new_entry_i || 7'(slot_i) == entered_q)
      else $error("NewEntryIsNext: entry %0d, %0d is next", slot_i, entered_q);
      EntryThere :
      assert (!accept_i || new_entry_i || 7'(slot_i) < entered_q)
      else $error("EntryThere: entry %0d of %0d is overwritten", slot_i, entered_q);
      CountIsEntered :
      assert (state_i == BufferFree || count_i == entered_q)
      else $error("CountIsEntered: %0d counted, %0d entered", count_i, entered_q);
      TakeOnlyDraining :
      assert (!take_i || state_i == BufferDrain)
      else $error("TakeOnlyDraining: an entry leaves while the buffer does not drain");
      TakenInOrder :
      assert (!take_i || (taken_i == left_q && left_q < entered_q))
      else $error("TakenInOrder: entry %0d is written back, %0d of %0d is due",
                  taken_i, left_q, entered_q);
      AllWrittenBack :
      assert (!drained_i || left_q == entered_q)
      else $error("AllWrittenBack: given up with %0d of %0d entries written back",
                  left_q, entered_q);
      DropNotOther :
      assert (!(drop_i && accept_i))
      else $error("DropNotOther: a result of a warp that has ended");
      FetchOrRead :
      assert (!(fetch_i && read_i != '0))
      else $error("FetchOrRead: a source is read while the buffer drains");
      ReadOnlyFilling :
      assert (read_i == '0 || state_i == BufferFill)
      else $error("ReadOnlyFilling: sources %b are read and the buffer does not fill", read_i);
      OneReadAnArray :
      assert (!used_twice)
      else $error("OneReadAnArray: sources %b", read_i);
      GatingHeld :
      assert (gating_i == gating_q || state_i == BufferFree)
      else $error("GatingHeld: gating changes while W%0d has the buffer", owner_i);
      PowerForAccess :
      assert (!accept_i || slot_i < slot_t'(AlwaysOn) || upper_on_i)
      else $error("PowerForAccess: entry %0d is switched off", slot_i);
      PowerWhileLive :
      assert (state_i == BufferFree || entered_q <= count_t'(AlwaysOn) || upper_on_i)
      else $error("PowerWhileLive: %0d entries and the upper ones are off", entered_q);
    end
  end

endmodule
