// Memory macro of one bank: racetracks side by side, all shifted together, with `Ports` access
// ports.
//
// Each port reads and writes the domain that lies at it. A shift moves the domains by one place: up
// brings the next higher offset of every region to its port. Shifts beyond the regions are not
// asked for. Read data appear in the next cycle and stay until the next read.
//
// Two bodies with the same behaviour. `MoveData` = 1 moves the domains past the ports, with Rows /
// Ports - 1 overhead domains at the low end that keep what is shifted out of the lowest region.
// `MoveData` = 0 keeps the domains in place under a count of the shifts made, which simulates
// faster. In both, a shift too many or too few gives the wrong domain. After reset the lowest
// offset lies at the ports.
//
// With as many ports as rows nothing moves: the bank is a single-ported SRAM.
module racetrack_macro #(
  parameter  int unsigned Rows       = 128,
  parameter  int unsigned Ports      = 8,
  parameter  int unsigned Lanes      = 32,
  parameter  int unsigned LaneBits   = 32,
  parameter  bit          MoveData   = 1'b0,
  localparam int unsigned Offsets    = Rows / Ports,
  localparam int unsigned OffsetBits = (Offsets > 1) ? $clog2(Offsets) : 1,
  localparam int unsigned PortBits   = (Ports > 1) ? $clog2(Ports) : 1
) (
  input  logic                           clk_i,
  input  logic                           rst_ni,
  input  logic                           shift_i,
  input  logic                           up_i,
  input  logic                           read_i,
  input  logic                           write_i,
  input  logic [PortBits-1:0]            port_i,
  input  logic [Lanes-1:0]               lane_mask_i,
  input  logic [Lanes-1:0][LaneBits-1:0] write_data_i,
  output logic [Lanes-1:0][LaneBits-1:0] read_data_o
);

  if (Ports == Rows) begin : gen_sram
    sram_1rw #(
      .Rows    (Rows),
      .Lanes   (Lanes),
      .LaneBits(LaneBits)
    ) u_sram (
      .clk_i,
      .request_i (read_i || write_i),
      .write_i,
      .address_i (port_i),
      .lane_mask_i,
      .write_data_i,
      .read_data_o
    );

    // There is nothing to shift.
    logic unused_shift;
    assign unused_shift = &{rst_ni, shift_i, up_i};
  end else if (MoveData) begin : gen_moving
    localparam int unsigned Domains = Rows + Offsets - 1;

    // Domain d lies at place d; port p is at place p * Offsets + Offsets - 1 ... of a track whose
    // lowest Offsets - 1 places are overhead. With all regions at offset 0, offset o of region p
    // lies o places above its port.
    logic [Lanes-1:0][LaneBits-1:0] track_q [Domains];
    logic [Lanes-1:0][LaneBits-1:0] read_data_q;
    logic [$clog2(Domains)-1:0]     place;

    assign place       = $clog2(Domains)'(32'(port_i) * Offsets + Offsets - 1);
    assign read_data_o = read_data_q;

    always_ff @(posedge clk_i) begin : track
      if (read_i) read_data_q <= track_q[place];
      if (write_i) begin
        for (int unsigned lane = 0; lane < Lanes; lane++) begin
          if (lane_mask_i[lane]) track_q[place][lane] <= write_data_i[lane];
        end
      end
      if (shift_i && up_i) begin
        for (int unsigned d = 0; d < Domains - 1; d++) track_q[d] <= track_q[d+1];
      end
      if (shift_i && !up_i) begin
        for (int unsigned d = 1; d < Domains; d++) track_q[d] <= track_q[d-1];
      end
    end

    // The state lies in the domains alone.
    logic unused_reset;
    assign unused_reset = rst_ni;
  end else begin : gen_still
    logic [Lanes-1:0][LaneBits-1:0] domain_q [Rows];
    logic [Lanes-1:0][LaneBits-1:0] read_data_q;
    logic [OffsetBits-1:0]          shifts_q;  // shifts up less shifts down
    logic [$clog2(Rows)-1:0]        domain;    // the one at the port

    assign domain      = $clog2(Rows)'(32'(port_i) * Offsets + 32'(shifts_q));
    assign read_data_o = read_data_q;

    always_ff @(posedge clk_i or negedge rst_ni) begin : count
      if (!rst_ni) begin
        shifts_q <= '0;
      end else if (shift_i) begin
        shifts_q <= up_i ? shifts_q + OffsetBits'(1) : shifts_q - OffsetBits'(1);
      end
    end

    always_ff @(posedge clk_i) begin : domains
      if (read_i) read_data_q <= domain_q[domain];
      if (write_i) begin
        for (int unsigned lane = 0; lane < Lanes; lane++) begin
          if (lane_mask_i[lane]) domain_q[domain][lane] <= write_data_i[lane];
        end
      end
    end
  end

endmodule
