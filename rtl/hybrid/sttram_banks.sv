// The STT-RAM: two banks, one for even and one for odd warps.
//
// In a cycle one warp's sources are read, all in its bank, and each bank that is not read may be
// written.
module sttram_banks
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
#(
  parameter int unsigned Lanes     = NumLanes,
  parameter int unsigned LaneWidth = LaneBits
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [7:0]          read_cycles_i,
  input  logic [7:0]          write_cycles_i,
  output logic [SttBanks-1:0] ready_o,
  output logic [SttBanks-1:0] writing_o,   // a write began earlier and still occupies the bank
  output logic [SttBanks-1:0] busy_o,      // the bank was occupied in the cycle before
  // sources that begin to be read, each from another array
  input  logic                bank_i,
  input  source_set_t         grant_i,
  input  address_t            address_i [NumSources],
  output array_set_t          reads_o [SttBanks],
  // one write a bank
  input  logic [SttBanks-1:0] write_i,
  input  address_t            write_address_i [SttBanks],
  input  logic [Lanes-1:0]    write_mask_i [SttBanks],
  input  logic [Lanes-1:0][LaneWidth-1:0] write_data_i [SttBanks],
  // data of earlier reads, by source
  output logic [SttBanks-1:0] arrive_o,
  output logic [Lanes-1:0][LaneWidth-1:0] data_o [SttBanks][NumSources]
);

  logic [ArrayRowBits-1:0] row [ArraysPerBank];
  logic [ArrayBits-1:0]    array_q [SttBanks][NumSources];  // of the reads under way

  logic [Lanes-1:0][LaneWidth-1:0] array_data [SttBanks][ArraysPerBank];

  always_comb begin : reads
    reads_o = '{default: '0};
    row     = '{default: '0};
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (grant_i[s]) begin
        reads_o[bank_i][address_i[s].array] = 1'b1;
        row[address_i[s].array]             = address_i[s].row;
      end
    end
  end

  for (genvar k = 0; k < SttBanks; k++) begin : gen_bank
    sttram_bank #(
      .Lanes    (Lanes),
      .LaneWidth(LaneWidth)
    ) u_bank (
      .clk_i,
      .rst_ni,
      .read_cycles_i,
      .write_cycles_i,
      .ready_o        (ready_o[k]),
      .writing_o      (writing_o[k]),
      .busy_o         (busy_o[k]),
      .read_i         (reads_o[k]),
      .read_row_i     (row),
      .write_i        (write_i[k]),
      .write_address_i(write_address_i[k]),
      .write_mask_i   (write_mask_i[k]),
      .write_data_i   (write_data_i[k]),
      .read_valid_o   (arrive_o[k]),
      .read_data_o    (array_data[k])
    );

    for (genvar s = 0; s < NumSources; s++) begin : gen_source
      assign data_o[k][s] = array_data[k][array_q[k][s]];
    end
  end

  always_ff @(posedge clk_i) begin : notes
    for (int unsigned s = 0; s < NumSources; s++) begin
      if (grant_i[s]) array_q[bank_i][s] <= address_i[s].array;
    end
  end

endmodule
