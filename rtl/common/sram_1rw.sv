// Single-port memory macro wrapper with a write enable per lane: one read or one write a cycle.
//
// Read data appear in the next cycle and stay until the next read. Contents are undefined until
// written.
module sram_1rw #(
  parameter  int unsigned Rows        = 128,
  parameter  int unsigned Lanes       = 32,
  parameter  int unsigned LaneBits    = 32,
  localparam int unsigned AddressBits = (Rows > 1) ? $clog2(Rows) : 1
) (
  input  logic                           clk_i,
  input  logic                           request_i,
  input  logic                           write_i,
  input  logic [AddressBits-1:0]         address_i,
  input  logic [Lanes-1:0]               lane_mask_i,
  input  logic [Lanes-1:0][LaneBits-1:0] write_data_i,
  output logic [Lanes-1:0][LaneBits-1:0] read_data_o
);

  logic [Lanes-1:0][LaneBits-1:0] memory_q [Rows];
  logic [Lanes-1:0][LaneBits-1:0] read_data_q;

  assign read_data_o = read_data_q;

  always_ff @(posedge clk_i) begin : port
    if (request_i) begin
      if (write_i) begin
        for (int unsigned lane = 0; lane < Lanes; lane++) begin
          if (lane_mask_i[lane]) memory_q[address_i][lane] <= write_data_i[lane];
        end
      end else begin
        read_data_q <= memory_q[address_i];
      end
    end
  end

endmodule
