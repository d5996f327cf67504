// Memory macro wrapper with one read port and one write port with a write enable per lane.
//
// Read data appear in the next cycle and stay until the next read. A read of the address that is
// written in the same cycle returns the old row. Contents are undefined until written.
module sram_1r1w #(
  parameter  int unsigned Rows        = 8,
  parameter  int unsigned Lanes       = 32,
  parameter  int unsigned LaneBits    = 32,
  localparam int unsigned AddressBits = (Rows > 1) ? $clog2(Rows) : 1
) (
  input  logic                           clk_i,
  input  logic                           read_i,
  input  logic [AddressBits-1:0]         read_address_i,
  output logic [Lanes-1:0][LaneBits-1:0] read_data_o,
  input  logic                           write_i,
  input  logic [AddressBits-1:0]         write_address_i,
  input  logic [Lanes-1:0]               lane_mask_i,
  input  logic [Lanes-1:0][LaneBits-1:0] write_data_i
);

  logic [Lanes-1:0][LaneBits-1:0] memory_q [Rows];
  logic [Lanes-1:0][LaneBits-1:0] read_data_q;

  assign read_data_o = read_data_q;

  always_ff @(posedge clk_i) begin : ports
    if (read_i) read_data_q <= memory_q[read_address_i];
    if (write_i) begin
      for (int unsigned lane = 0; lane < Lanes; lane++) begin
        if (lane_mask_i[lane]) memory_q[write_address_i][lane] <= write_data_i[lane];
      end
    end
  end

endmodule
