// The two write buffers with the register control module and the arbiter of their write-back: where
// the oldest result goes, which sources of the active warp lie in its buffer, and what is written
// to the STT-RAM.
module write_buffers
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                gating_i,
  input  logic [7:0]          wakeup_cycles_i,
  input  index_t              base_i [NumWarps],
  // from the command unit
  input  warp_t               command_warp_i,
  input  logic [Buffers-1:0]  open_i,
  input  logic [Buffers-1:0]  close_i,
  input  logic [Buffers-1:0]  drop_i,
  input  logic                youngest_i,       // the buffer that was opened last
  // the oldest result
  input  logic                staged_i,
  input  staged_t             oldest_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] oldest_data_i,
  output logic                pop_o,            // it is written
  // sources of the active warp; data in the next cycle
  input  number_t             number_i [NumSources],
  output source_set_t         hit_o,
  output slot_t               hit_slot_o [NumSources],
  input  source_set_t         grant_i,
  output source_set_t         buffered_o,       // granted sources that lie in its buffer
  output logic [Lanes-1:0]    read_mask_o [NumSources],
  output logic [Lanes-1:0][LaneWidth-1:0] read_data_o [Buffers][ArraysPerBank],
  // writes to the STT-RAM, one a bank
  input  logic [SttBanks-1:0] bank_open_i,      // neither occupied nor read in this cycle
  output logic [SttBanks-1:0] write_o,
  output logic [SttBanks-1:0] from_buffer_o,    // else the oldest result
  output address_t            write_address_o [SttBanks],
  output logic [Lanes-1:0]    write_mask_o [SttBanks],
  output logic [Lanes-1:0][LaneWidth-1:0] write_data_o [SttBanks],
  // state, by buffer
  output logic [Buffers-1:0]  free_o,
  output logic [Buffers-1:0]  filling_o,
  output logic [Buffers-1:0]  draining_o,
  output warp_t               owner_o [Buffers],
  output count_t              count_o [Buffers],
  output count_t              drained_o [Buffers],
  output logic [Buffers-1:0]  upper_on_o,
  // what happens in this cycle
  output buffer_cycle_t       cycle_o
);

  // ---- results ----
  logic [Buffers-1:0] request, accept, new_entry, waits_power;
  logic               late, late_grant, write_hit;  // late: the oldest result has no buffer
  slot_t              write_slot;
  slot_t              slot [Buffers];

  for (genvar b = 0; b < Buffers; b++) begin : gen_route
    assign request[b] = staged_i && !free_o[b] && owner_o[b] == oldest_i.warp;
  end

  assign late  = staged_i && request == '0;
  assign pop_o = accept != '0 || late_grant;

  // ---- control module ----
  logic active;  // the buffer of the active warp

  assign active     = filling_o[1];
  assign buffered_o = grant_i & hit_o;

  register_control_module u_rcm (
    .clk_i,
    .rst_ni,
    .clear_i       (open_i != '0),
    .set_i         ((new_entry & filling_o) != '0),
    .set_number_i  (oldest_i.number),
    .set_slot_i    (slot[active]),
    .write_number_i(oldest_i.number),
    .write_hit_o   (write_hit),
    .write_slot_o  (write_slot),
    .read_number_i (number_i),
    .read_hit_o    (hit_o),
    .read_slot_o   (hit_slot_o)
  );

  // ---- buffers ----
  buffer_state_e      state [Buffers];
  logic [Lanes-1:0]   read_mask [Buffers][NumSources];
  logic [Buffers-1:0] entry_valid, entry_take, entry_bank, wakes;
  number_t            entry_number [Buffers];
  logic [Lanes-1:0]   entry_mask [Buffers];
  count_t             used [Buffers];
  entry_set_t         lost [Buffers];

  logic [Lanes-1:0][LaneWidth-1:0] entry_data [Buffers];

  assign read_mask_o = read_mask[active];

  for (genvar b = 0; b < Buffers; b++) begin : gen_buffer
    hybrid_buffer #(
      .Lanes    (Lanes),
      .LaneWidth(LaneWidth)
    ) u_buffer (
      .clk_i,
      .rst_ni,
      .gating_i,
      .wakeup_cycles_i,
      .open_i        (open_i[b]),
      .warp_i        (command_warp_i),
      .close_i       (close_i[b]),
      .drop_i        (drop_i[b]),
      .request_i     (request[b]),
      .number_i      (oldest_i.number),
      .mask_i        (oldest_i.mask[Lanes-1:0]),
      .data_i        (oldest_data_i),
      .hit_i         (write_hit),
      .hit_slot_i    (write_slot),
      .accept_o      (accept[b]),
      .new_entry_o   (new_entry[b]),
      .slot_o        (slot[b]),
      .waits_power_o (waits_power[b]),
      .read_i        (filling_o[b] ? buffered_o : '0),
      .read_slot_i   (hit_slot_o),
      .read_mask_o   (read_mask[b]),
      .read_data_o   (read_data_o[b]),
      .entry_valid_o (entry_valid[b]),
      .entry_number_o(entry_number[b]),
      .entry_mask_o  (entry_mask[b]),
      .entry_data_o  (entry_data[b]),
      .entry_take_i  (entry_take[b]),
      .state_o       (state[b]),
      .owner_o       (owner_o[b]),
      .count_o       (count_o[b]),
      .drained_o     (drained_o[b]),
      .used_o        (used[b]),
      .lost_o        (lost[b]),
      .upper_on_o    (upper_on_o[b]),
      .wakes_o       (wakes[b])
    );

    assign free_o[b]     = state[b] == BufferFree;
    assign filling_o[b]  = state[b] == BufferFill;
    assign draining_o[b] = state[b] == BufferDrain;
    assign entry_bank[b] = owner_o[b][0];
  end

  // ---- write-back ----
  logic [SttBanks-1:0] which;

  write_back_arbiter u_write_back (
    .bank_open_i,
    .late_i       (late),
    .late_bank_i  (oldest_i.warp[0]),
    .entry_i      (entry_valid),
    .entry_bank_i (entry_bank),
    .youngest_i,
    .late_grant_o (late_grant),
    .entry_grant_o(entry_take),
    .write_o,
    .from_buffer_o,
    .buffer_o     (which)
  );

  for (genvar k = 0; k < SttBanks; k++) begin : gen_write
    address_t entry_address;
    logic     unused_beyond;  // registers of odd warps lie beyond one bank

    locate #(
      .NumBanks (ArraysPerBank),
      .IndexBits(AddressBits)
    ) u_locate (
      .base_i    (base_i[owner_o[which[k]]]),
      .register_i(register_t'(entry_number[which[k]])),
      .interleaved_i(1'b0),
      .bank_o    (entry_address.array),
      .row_o     (entry_address.row),
      .beyond_o  (unused_beyond)
    );

    assign write_address_o[k] = from_buffer_o[k] ? entry_address : oldest_i.address;
    assign write_mask_o[k]    = from_buffer_o[k] ? entry_mask[which[k]] : oldest_i.mask[Lanes-1:0];
    assign write_data_o[k]    = from_buffer_o[k] ? entry_data[which[k]] : oldest_data_i;
  end

  // ---- events ----
  logic [Buffers-1:0] ending;  // an active period ends with this buffer

  assign ending              = close_i | (drop_i & filling_o);
  assign cycle_o.write_back  = entry_take;
  assign cycle_o.write       = accept;
  assign cycle_o.merge       = accept & ~new_entry;
  assign cycle_o.append      = new_entry & draining_o;
  assign cycle_o.look_up     = (request & filling_o) != '0 && pop_o;
  assign cycle_o.waits_power = waits_power != '0;
  assign cycle_o.waits_full  = request != '0 && !pop_o && waits_power == '0;
  assign cycle_o.waits_bank  = late && !late_grant;
  assign cycle_o.period      = ending == '0 ? '0 : use_class(used[ending[1]]);
  assign cycle_o.wakes       = wakes;
  assign cycle_o.lost        = lost[0] | lost[1];

endmodule
