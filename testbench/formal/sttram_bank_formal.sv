// A bank of STT-RAM against counts of its cycles, and one lane of one register of it, that the
// solver chooses.
module sttram_bank_formal
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  localparam int unsigned LaneIndexBits = $clog2(NumLanes)
) (
  input logic                               clk_i,
  input logic                               rst_ni,
  input logic [7:0]                         read_cycles_i,
  input logic [7:0]                         write_cycles_i,
  input logic                               ready_i,
  input logic                               writing_i,
  input logic                               busy_i,
  input array_set_t                         read_i,
  input logic [ArrayRowBits-1:0]            read_row_i [ArraysPerBank],
  input logic                               write_i,
  input address_t                           write_address_i,
  input mask_t                              write_mask_i,
  input data_t                              write_data_i,
  input logic                               read_valid_i,
  input data_t                              read_data_i [ArraysPerBank],
  // what the bank keeps; of the memories the row and the lane that are chosen
  input logic [7:0]                         left_i,
  input logic                               writes_i,
  input logic [ArraysPerBank-1:0][LaneBits-1:0] word_i
);

  // Any register of the bank, and any lane: what is written in the cycle of reset.
  logic [ArrayBits-1:0]     array_q;
  logic [ArrayRowBits-1:0]  kept_row;
  logic [LaneIndexBits-1:0] kept_lane;

  logic [7:0]          occupied_q;    // cycles for which the bank is still occupied
  logic [8:0]          until_data_q;  // cycles until the data of the last read lie there
  logic                write_q;       // the last access was a write
  logic                busy_q;
  logic                known_q;       // the register was written
  logic [LaneBits-1:0] value_q;       // with this
  logic                of_word_q;     // the last read was of the register, and that was written
  logic [LaneBits-1:0] read_value_q;  // it was this then
  logic                writes_word;

  assign writes_word = write_i && write_mask_i[kept_lane] &&
                       write_address_i == {kept_row, array_q};

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) begin
      {kept_row, array_q} <= write_address_i;
      kept_lane           <= LaneIndexBits'(write_data_i);
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      occupied_q   <= '0;
      until_data_q <= '0;
      busy_q       <= 1'b0;
      known_q      <= 1'b0;
    end else begin
      busy_q <= write_i || read_i != '0 || occupied_q != '0;
      if (write_i) occupied_q <= write_cycles_i - 8'd1;
      else if (read_i != '0) occupied_q <= read_cycles_i - 8'd1;
      else if (occupied_q != '0) occupied_q <= occupied_q - 8'd1;
      if (read_i != '0) until_data_q <= 9'(read_cycles_i);
      else if (until_data_q != '0) until_data_q <= until_data_q - 9'd1;
      if (writes_word) known_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : values
    if (write_i || read_i != '0) write_q <= write_i;
    if (writes_word) value_q <= write_data_i[kept_lane];
    if (read_i != '0) begin
      of_word_q    <= read_i[array_q] && read_row_i[array_q] == kept_row && known_q;
      read_value_q <= value_q;
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      ReadOrWrite : assume (!(read_i != '0 && write_i));
      AccessOnlyFree : assume (!(read_i != '0 || write_i) || occupied_q == '0);
      CyclesPositive : assume (read_cycles_i != '0 && write_cycles_i != '0);
      OccupiedAsLong : assert (ready_i == (occupied_q == '0));
      WriteIsTold : assert (writing_i == (occupied_q != '0 && write_q));
      BusyIsTold : assert (busy_i == busy_q);
      DataOnTime : assert (read_valid_i == (until_data_q == 9'd1));
      DataAsWritten :
      assert (!read_valid_i || !of_word_q || read_data_i[array_q][kept_lane] == read_value_q);
      LeftAgrees : assert (left_i == occupied_q);
      KindAgrees : assert (occupied_q == '0 || writes_i == write_q);
      DataWhileOccupied :
      assert ((until_data_q == '0 || (!write_q && until_data_q == 9'(occupied_q) + 9'd1)) &&
              (occupied_q == '0 || write_q || until_data_q != '0));
      WordIsKept : assert (!known_q || word_i[array_q] == value_q);
      DataHold :
      assert (until_data_q == '0 || !of_word_q ||
              read_data_i[array_q][kept_lane] == read_value_q);
      ReadAfterWrite :
      cover (until_data_q == 9'd3 && of_word_q && read_value_q != '0 && kept_row != '0);
    end
  end

endmodule

bind sttram_bank sttram_bank_formal u_formal (
  .clk_i,
  .rst_ni,
  .read_cycles_i,
  .write_cycles_i,
  .ready_i     (ready_o),
  .writing_i   (writing_o),
  .busy_i      (busy_o),
  .read_i,
  .read_row_i,
  .write_i,
  .write_address_i,
  .write_mask_i,
  .write_data_i,
  .read_valid_i(read_valid_o),
  .read_data_i (read_data_o),
  .left_i      (left_q),
  .writes_i    (writing_q),
  .word_i      ({
      gen_array[7].u_array.word_q, gen_array[6].u_array.word_q,
      gen_array[5].u_array.word_q, gen_array[4].u_array.word_q,
      gen_array[3].u_array.word_q, gen_array[2].u_array.word_q,
      gen_array[1].u_array.word_q, gen_array[0].u_array.word_q
  })
);
