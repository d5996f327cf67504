// Stand-in for the memory wrapper in jobs whose checker follows one word: it keeps one lane of one
// row, those of `kept_row` and `kept_lane` of the checker `u_formal` around it, which the
// solver chooses. A read of another row returns what happens to be at the write port, and other
// lanes the complement.
// So a memory of any size costs the solver one word; addresses, masks and times are as they are.
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

  logic [LaneBits-1:0] word_q, read_q, written;

  assign written = write_data_i[u_formal.kept_lane];

  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    assign read_data_o[l] = (u_formal.kept_lane == l) ? read_q : ~read_q;
  end

  always_ff @(posedge clk_i) begin : port
    if (request_i && !write_i) begin
      read_q <= address_i == u_formal.kept_row ? word_q : written;
    end
    if (request_i && write_i && address_i == u_formal.kept_row &&
        lane_mask_i[u_formal.kept_lane]) begin
      word_q <= written;
    end
  end

endmodule
