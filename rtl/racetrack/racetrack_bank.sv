// One bank: racetracks, the position at their ports, and what the bank does in each cycle.
//
// The oldest buffered result comes first, then the oldest read request; a read waits while a result
// for the bank is still on its way into the write buffer. A read that the write buffer covers needs
// no access. When the wanted offset does not lie at the ports, the bank shifts one step towards it,
// if it is served or may preshift (section 4.4); when it does, the bank reads or writes, if it is
// served. With `shift_release` a bank that was served for its first step makes the others without a
// place, and asks for one again when the offset lies at the ports.
module racetrack_bank
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import racetrack_pkg::*;
#(
  parameter int unsigned Rows      = 128,
  parameter int unsigned Ports     = 8,
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits,
  parameter bit          MoveData  = 1'b0
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  timing_t             timing_i,
  // results: one still staged for this bank; the oldest one in the write buffer
  input  logic                staged_i,
  input  logic                write_valid_i,
  input  place_t              write_place_i,
  input  logic [Lanes-1:0]    write_mask_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] write_data_i,
  output logic                write_pop_o,
  // read requests
  input  logic                read_valid_i,
  input  place_t              read_place_i,
  input  target_t             read_target_i,
  output logic                read_pop_o,
  // the write buffer holds all lanes of the oldest read request
  input  logic                covered_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] covered_data_i,
  // from and to the request arbitrator
  output logic                request_o,
  input  logic                served_i,
  output logic                done_o,
  // through the crossbar to the collectors
  output logic                deliver_o,
  output target_t             deliver_target_o,
  output logic [Lanes-1:0][LaneWidth-1:0] deliver_data_o,
  // to status and events
  output bank_action_e        starts_o,      // what begins in this cycle
  output logic                on_way_o,      // it was served for an earlier step of its way
  output logic                forward_o,
  output logic                read_waits_o,  // a read request is there and its data are not taken
  output logic                busy_o,
  output position_t           position_o
);

  localparam int unsigned Offsets      = Rows / Ports;
  localparam int unsigned OffsetBits   = $clog2(Offsets);
  localparam int unsigned PortsBits    = $clog2(Ports);

  bank_action_e action_q;   // what is under way while left_q is above zero
  logic [7:0]   left_q;     // further cycles of it, this one included
  position_t    position_q; // offset that lies at the ports
  target_t      target_q;
  logic [Lanes-1:0][LaneWidth-1:0] forward_data_q, track_data;
  logic         read_valid_q, forward_valid_q, busy_q;
  logic         on_way_q;   // served for an earlier step, and no place is held for the others

  // ---- the next access ----
  logic                 free, reading, has_write, has_read, has_target, aligned, up;
  place_t               place;
  logic [PortsBits-1:0] place_port;  // in whose region it lies
  position_t            offset;      // in that region

  assign free       = left_q == '0;
  assign reading    = !free && action_q == BankRead;
  assign forward_o  = read_valid_i && covered_i && !staged_i && !reading;
  assign has_write  = write_valid_i;
  assign has_read   = read_valid_i && !write_valid_i && !staged_i;
  assign has_target = has_write || has_read;
  assign place      = has_write ? write_place_i : read_place_i;
  assign place_port = place[OffsetBits+:PortsBits];
  assign offset     = position_t'(place & PlaceBits'(Offsets - 1));
  assign aligned    = offset == position_q;
  assign up         = offset > position_q;
  assign request_o  = (has_target && !(on_way_q && (!aligned || !free))) ||
                      (!free && action_q != BankShift);

  always_comb begin : start
    starts_o = BankIdle;
    if (free && has_target) begin
      if (!aligned) begin
        if (served_i || on_way_q || timing_i.preshift) starts_o = BankShift;
      end else if (served_i) begin
        starts_o = has_write ? BankWrite : BankRead;
      end
    end
  end

  assign write_pop_o  = starts_o == BankWrite;
  assign read_pop_o   = starts_o == BankRead || forward_o;
  assign read_waits_o = read_valid_i && !read_pop_o;

  // ---- its cycles ----
  logic [7:0] cycles;
  logic       last_cycle, ends_read, ends_write;

  always_comb begin : duration
    unique case (starts_o)
      BankRead:  cycles = timing_i.read;
      BankWrite: cycles = timing_i.write;
      default:   cycles = timing_i.shift;
    endcase
  end

  assign last_cycle = (starts_o == BankIdle) ? left_q == 8'd1 : cycles == 8'd1;
  assign ends_read  = last_cycle && (starts_o == BankRead || (starts_o == BankIdle && reading));
  assign ends_write = last_cycle && (starts_o == BankWrite ||
                                     (starts_o == BankIdle && action_q == BankWrite));
  assign done_o     = ends_read || ends_write;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      action_q        <= BankIdle;
      left_q          <= '0;
      position_q      <= '0;
      read_valid_q    <= 1'b0;
      forward_valid_q <= 1'b0;
      busy_q          <= 1'b0;
      on_way_q        <= 1'b0;
    end else begin
      read_valid_q    <= ends_read;
      forward_valid_q <= forward_o;
      busy_q          <= !free || starts_o != BankIdle;
      if (starts_o != BankIdle) begin
        action_q <= starts_o;
        left_q   <= cycles - 8'd1;
      end else if (!free) begin
        left_q <= left_q - 8'd1;
      end
      if (starts_o == BankShift) begin
        position_q <= up ? position_q + position_t'(1) : position_q - position_t'(1);
        on_way_q   <= timing_i.shift_release && (served_i || on_way_q);
      end else if (!has_target || starts_o != BankIdle) begin
        on_way_q <= 1'b0;
      end
    end
  end

  // Neither a forwarded read nor the next access begins before the data under way are out, so one
  // note is enough.
  always_ff @(posedge clk_i) begin : note
    if (read_pop_o) target_q <= read_target_i;
    if (forward_o) forward_data_q <= covered_data_i;
  end

  racetrack_macro #(
    .Rows    (Rows),
    .Ports   (Ports),
    .Lanes   (Lanes),
    .LaneBits(LaneWidth),
    .MoveData(MoveData)
  ) u_macro (
    .clk_i,
    .rst_ni,
    .shift_i     (starts_o == BankShift),
    .up_i        (up),
    .read_i      (starts_o == BankRead),
    .write_i     (starts_o == BankWrite),
    .port_i      (place_port),
    .lane_mask_i (write_mask_i),
    .write_data_i(write_data_i),
    .read_data_o (track_data)
  );

  assign deliver_o        = read_valid_q || forward_valid_q;
  assign deliver_target_o = target_q;
  assign deliver_data_o   = forward_valid_q ? forward_data_q : track_data;
  assign busy_o           = busy_q;
  assign position_o       = position_q;
  assign on_way_o         = on_way_q;

  if (OffsetBits > PositionBits || (1 << PlaceBits) != Rows || (1 << PortsBits) != Ports ||
      Ports > Rows) begin : gen_bad_size
    $fatal(1, "a bank of 128 rows has 8 to 128 ports, a power of two");
  end

endmodule
