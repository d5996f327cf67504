// One of the 32 banks: a 4-byte word of every line, with an enable for each byte.
//
// A read takes place in the cycle of the decision and a write in the cycle after it, when the data
// of an atomic access are there. A read of the word that is being written for the access before it
// gets the new bytes: they are kept beside the memory and take the place of the old ones.
module shared_bank #(
  parameter  int unsigned Rows        = 64,
  localparam int unsigned AddressBits = $clog2(Rows)
) (
  input  logic                   clk_i,
  input  logic                   read_i,
  input  logic [AddressBits-1:0] read_row_i,
  output logic [3:0][7:0]        read_data_o,
  input  logic [3:0]             write_bytes_i,
  input  logic [AddressBits-1:0] write_row_i,
  input  logic [3:0][7:0]        write_data_i
);

  logic [3:0][7:0] stored, newer_q;
  logic [3:0]      newer_bytes_q;

  sram_1r1w #(
    .Rows    (Rows),
    .Lanes   (4),
    .LaneBits(8)
  ) u_memory (
    .clk_i,
    .read_i,
    .read_address_i (read_row_i),
    .read_data_o    (stored),
    .write_i        (write_bytes_i != '0),
    .write_address_i(write_row_i),
    .lane_mask_i    (write_bytes_i),
    .write_data_i
  );

  always_ff @(posedge clk_i) begin : newer
    if (read_i) begin
      newer_bytes_q <= (write_row_i == read_row_i) ? write_bytes_i : '0;
      newer_q       <= write_data_i;
    end
  end

  for (genvar k = 0; k < 4; k++) begin : gen_byte
    assign read_data_o[k] = newer_bytes_q[k] ? newer_q[k] : stored[k];
  end

endmodule
