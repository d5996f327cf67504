// The tagging stage of one tag bank: chooses an operation, looks it up, and hands the access to the
// data banks.
//
// An operation that needs a spilled register fetches it. A read then waits in its collector, a
// result beside the line that is on its way. Registers of a warp that has ended are freed beside an
// operation that sets up no entry.
module tag_pipe
  import heddle_port_pkg::*;
  import cerf_pkg::*;
#(
  parameter int unsigned Ways = 4
) (
  input  logic           clk_i,
  input  logic           rst_ni,
  input  logic           fair_i,
  // who asks
  input  logic           fill_i,
  input  line_t          fill_line_i,
  input  data_t          fill_data_i,
  input  logic           write_i,
  input  index_t         write_place_i,
  input  logic [NumLanes-1:0] write_mask_i,
  input  data_t          write_data_i,
  input  logic           access_i,
  input  op_e            access_op_i,
  input  line_t          access_line_i,
  input  logic           access_write_i,  // a store
  input  logic           access_joins_i,  // a load whose line is on its way
  input  bytes_t         access_bytes_i,
  input  data_t          access_data_i,
  input  logic           flush_i,
  input  line_t          flush_line_i,
  input  collector_set_t read_i,
  input  index_t         read_place_i,
  input  logic           read_dead_i,
  output collector_t     read_collector_o,
  // who is served
  output op_e            done_o,       // the operation carried out; none while it evicts
  output logic           selected_o,   // the load or store is looked up
  output logic           lacks_o,      // the operation lacks an MSHR or room in the queue to L2
  output logic           hit_o,
  output line_t          line_o,
  output logic           parks_o,      // the read waits for its register
  // registers of a warp that has ended
  input  logic           free_i,
  input  exit_group_t    free_group_i,
  input  exit_rows_t     free_rows_i,
  output logic           freed_o,
  output exit_rows_t     ended_o,      // of them, those that had an entry
  // to and from the queue to L2, the MSHRs and the fill unit
  output logic           push_o,
  output logic           evict_o,      // the push is a write-back
  output line_t          evicted_o,
  output logic           refills_o,    // the operation fetches its register
  output logic           deposit_o,    // the result is put beside its register, which is on its way
  input  logic           deposited_i,
  input  logic           pushed_i,
  input  logic           room_i,
  input  logic           mshr_free_i,
  // to the data banks
  output logic           row_access_o,
  output logic           row_write_o,
  output row_t           row_o,
  output bytes_t         row_bytes_o,
  output data_t          row_data_o,
  output target_e        row_target_o,
  // to the events
  output op_e            op_o,
  output state_e         before_o,
  output logic           placed_o,
  output logic           away_o,       // the operation's register is spilled or on its way
  output logic           commit_o,
  output logic           wait_write_o,
  output logic           wait_bank_o,
  output logic [RowBits:0] registers_o,
  output logic [RowBits:0] lines_o
);

  op_e   op;
  line_t line;
  logic  evict, placed, hit, is_access, misses, needs_mshr, needs_push, lacks_mshr, commit;
  logic  spilled, returning, away, free_waits, frees;

  tag_arbiter u_arbiter (
    .clk_i,
    .rst_ni,
    .fill_i,
    .fill_line_i,
    .write_i,
    .write_line_i (register_line(write_place_i)),
    .access_i,
    .access_op_i,
    .access_line_i,
    .flush_i,
    .flush_line_i,
    .read_i,
    .read_line_i  (register_line(read_place_i)),
    .collector_o  (read_collector_o),
    .op_o         (op),
    .line_o       (line),
    .wait_write_o,
    .wait_bank_o
  );

  tag_bank #(
    .Ways(Ways)
  ) u_bank (
    .clk_i,
    .rst_ni,
    .fair_i,
    .op_i        (op),
    .line_i      (line),
    .dead_i      (read_dead_i),
    .full_i      (write_mask_i == '1),
    .commit_i    (commit),
    .hit_o       (hit),
    .evict_o     (evict),
    .spilled_o   (spilled),
    .returning_o (returning),
    .placed_o    (placed),
    .before_o,
    .row_o,
    .evicted_o,
    .frees_i     (frees),
    .free_group_i,
    .free_rows_i,
    .free_waits_o(free_waits),
    .ended_o,
    .registers_o,
    .lines_o
  );

  // ---- the end of a warp ----
  // Behind its queued results, and never while an entry may change hands.
  assign frees   = free_i && !fill_i && !write_i && !free_waits;
  assign freed_o = frees;

  // ---- what it needs ----
  assign is_access  = op == OpLoad || op == OpStore || op == OpBypass;
  assign misses     = (op == OpLoad && !hit && !access_joins_i) || (op == OpStore && !hit) ||
                      op == OpBypass;
  assign away       = spilled || returning;
  assign needs_mshr = (misses && !access_write_i && !evict) || spilled;
  assign needs_push = evict || misses || spilled;
  assign lacks_mshr = needs_mshr && !mshr_free_i;
  assign deposit_o  = away && op == OpWriteReg;
  assign push_o     = needs_push && !lacks_mshr && (!deposit_o || deposited_i);
  assign commit     = op != OpNone && (!needs_push || pushed_i) && (!deposit_o || deposited_i);
  assign lacks_o    = lacks_mshr || (needs_push && !room_i);
  assign selected_o = is_access;
  assign parks_o    = commit && away && op == OpReadReg;
  assign refills_o  = spilled;
  assign done_o     = (commit && !evict && !parks_o) ? op : OpNone;

  // ---- to the data banks ----
  always_comb begin : row_access
    row_access_o = commit && (evict || ((op == OpReadReg || op == OpWriteReg) && !away) ||
                              ((op == OpFill || op == OpRefill) && placed) ||
                              ((op == OpLoad || op == OpStore) && hit));
    row_write_o  = !evict && (op == OpWriteReg || op == OpFill || op == OpRefill || op == OpStore);
    row_data_o   = access_data_i;
    row_bytes_o  = access_bytes_i;
    row_target_o = ToNobody;
    if (evict) begin
      row_target_o = ToLower;
    end else begin
      unique case (op)
        OpReadReg: row_target_o = ToCollector;
        OpLoad:    row_target_o = ToResponse;
        OpFill, OpRefill: begin
          row_data_o  = fill_data_i;
          row_bytes_o = '1;
        end
        OpWriteReg: begin
          row_data_o = write_data_i;
          for (int unsigned lane = 0; lane < NumLanes; lane++) begin
            row_bytes_o[4*lane+:4] = {4{write_mask_i[lane]}};
          end
        end
        default: row_target_o = ToNobody;
      endcase
    end
  end

  assign hit_o    = hit;
  assign evict_o  = evict;
  assign op_o     = op;
  assign line_o   = line;
  assign away_o   = away;
  assign placed_o = placed;
  assign commit_o = commit;

endmodule
