// Where a warp register lies: its bank and its row there.
//
// The lowest bits of its index choose the bank, the rest is the row. Interleaved, the number of its
// block of 16 registers (of as many as there are banks, where that is more) is added to the bank,
// so that registers of one number lie in other banks from warp to warp where each has as many as a
// multiple of the banks; every row still has one register in each bank. Reads and writes ask this
// cell alone, so that another mapping replaces it alone.
module locate
  import shell_pkg::*;
#(
  parameter  int unsigned NumBanks  = DefaultBanks,
  parameter  int unsigned IndexBits = BaseBits,  // of a warp register of the file
  localparam int unsigned BankBits  = $clog2(NumBanks),
  localparam int unsigned RowBits   = IndexBits - BankBits
) (
  input  index_t              base_i,      // of the warp
  input  register_t           register_i,
  input  logic                interleaved_i,
  output logic [BankBits-1:0] bank_o,
  output logic [RowBits-1:0]  row_o,
  output logic                beyond_o     // the file lacks this warp register
);

  localparam int unsigned BlockBits = BankBits > 4 ? BankBits : 4;

  index_t index;

  assign index  = base_i + index_t'(register_i);
  assign row_o  = index[IndexBits-1:BankBits];
  assign bank_o = index[BankBits-1:0] + (interleaved_i ? BankBits'(index >> BlockBits) : '0);

  if (IndexBits < BaseBits) begin : gen_beyond
    assign beyond_o = index[BaseBits-1:IndexBits] != '0;
  end else begin : gen_all_there
    assign beyond_o = 1'b0;
  end

endmodule
