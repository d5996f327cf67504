// Data of one write buffer: eight SRAM arrays, entry e in array e mod 8, row e div 8. The rows of
// the entries from AlwaysOn on lose their contents when they are switched off, and are not written
// until they are on again.
module buffer_store
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       upper_on_i,
  input  logic       write_i,
  input  slot_t      write_slot_i,
  input  logic [Lanes-1:0] write_mask_i,
  input  logic [Lanes-1:0][LaneWidth-1:0] write_data_i,
  // one read an array; data in the next cycle, until the next read
  input  array_set_t read_i,
  input  slot_t      read_slot_i [ArraysPerBank],
  output logic [Lanes-1:0][LaneWidth-1:0] read_data_o [ArraysPerBank]
);

  localparam int unsigned RowBits = SlotBits - ArrayBits;
  localparam int unsigned Rows    = 2 ** RowBits;

  logic [Rows-1:0] kept_q [ArraysPerBank];  // rows that were written since they were switched on

  for (genvar a = 0; a < ArraysPerBank; a++) begin : gen_array
    logic               lost_q, here;
    logic [RowBits-1:0] read_row;

    logic [Lanes-1:0][LaneWidth-1:0] data;

    assign here     = write_i && write_slot_i[ArrayBits-1:0] == ArrayBits'(a);
    assign read_row = read_slot_i[a][SlotBits-1:ArrayBits];

    sram_1r1w #(
      .Rows    (Rows),
      .Lanes   (Lanes),
      .LaneBits(LaneWidth)
    ) u_array (
      .clk_i,
      .read_i         (read_i[a]),
      .read_address_i (read_row),
      .read_data_o    (data),
      .write_i        (here),
      .write_address_i(write_slot_i[SlotBits-1:ArrayBits]),
      .lane_mask_i    (write_mask_i),
      .write_data_i   (write_data_i)
    );

    always_ff @(posedge clk_i or negedge rst_ni) begin : contents
      if (!rst_ni) begin
        kept_q[a] <= '0;
      end else if (!upper_on_i) begin
        kept_q[a] <= '0;
      end else if (here) begin
        kept_q[a][write_slot_i[SlotBits-1:ArrayBits]] <= 1'b1;
      end
    end

    always_ff @(posedge clk_i) begin : loss
      if (read_i[a]) lost_q <= read_slot_i[a] >= slot_t'(AlwaysOn) && !kept_q[a][read_row];
    end

    assign read_data_o[a] = lost_q ? '0 : data;
  end

endmodule
