// One bank of STT-RAM: eight arrays, interleaved by address, whose writes take longer than their
// reads.
//
// Either up to eight registers are read, each from another array, or one is written: a bank that
// serves a write serves no read (section 4.3). Not pipelined: an access taken in cycle t occupies
// the bank for read_cycles_i or write_cycles_i cycles. The data of reads taken in cycle t lie on
// `read_data_o` in cycle t + read_cycles_i, marked by `read_valid_o`.
module sttram_bank
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic                    clk_i,
  input  logic                    rst_ni,
  input  logic [7:0]              read_cycles_i,
  input  logic [7:0]              write_cycles_i,
  output logic                    ready_o,
  output logic                    writing_o,  // a write began earlier and still occupies the bank
  output logic                    busy_o,     // the bank was occupied in the cycle before
  // at most one of the two
  input  array_set_t              read_i,
  input  logic [ArrayRowBits-1:0] read_row_i [ArraysPerBank],
  input  logic                    write_i,
  input  address_t                write_address_i,
  input  logic [Lanes-1:0]        write_mask_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] write_data_i,
  output logic                    read_valid_o,
  output logic [Lanes-1:0][LaneWidth-1:0] read_data_o [ArraysPerBank]
);

  logic [7:0] left_q;  // cycles for which the bank is still occupied, this one included
  logic       writing_q, read_valid_q, busy_q;
  logic       reads, access, last_cycle;
  logic [7:0] cycles;

  assign reads      = read_i != '0;
  assign access     = reads || write_i;
  assign cycles     = write_i ? write_cycles_i : read_cycles_i;
  assign ready_o    = left_q == '0;
  assign writing_o  = !ready_o && writing_q;
  assign last_cycle = access ? cycles == 8'd1 : left_q == 8'd1;

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      left_q       <= '0;
      writing_q    <= 1'b0;
      read_valid_q <= 1'b0;
      busy_q       <= 1'b0;
    end else begin
      busy_q       <= access || !ready_o;
      read_valid_q <= last_cycle && (access ? reads : !writing_q);
      if (access) begin
        left_q    <= cycles - 8'd1;
        writing_q <= write_i;
      end else if (!ready_o) begin
        left_q <= left_q - 8'd1;
      end
    end
  end

  for (genvar a = 0; a < ArraysPerBank; a++) begin : gen_array
    logic here;
    assign here = write_i && write_address_i.array == ArrayBits'(a);

    sram_1rw #(
      .Rows    (ArrayRows),
      .Lanes   (Lanes),
      .LaneBits(LaneWidth)
    ) u_array (
      .clk_i,
      .request_i   (read_i[a] || here),
      .write_i     (here),
      .address_i   (here ? write_address_i.row : read_row_i[a]),
      .lane_mask_i (write_mask_i),
      .write_data_i(write_data_i),
      .read_data_o (read_data_o[a])
    );
  end

  assign read_valid_o = read_valid_q;
  assign busy_o       = busy_q;

endmodule
