// The place of a warp register gives its index back, so that no two of them share a place.
module locate_formal
  import shell_pkg::*;
#(
  parameter  int unsigned NumBanks  = DefaultBanks,
  parameter  int unsigned IndexBits = BaseBits,
  localparam int unsigned BankBits  = $clog2(NumBanks),
  localparam int unsigned RowBits   = IndexBits - BankBits
) (
  input index_t              base_i,
  input register_t           register_i,
  input logic                interleaved_i,
  input logic [BankBits-1:0] bank_i,
  input logic [RowBits-1:0]  row_i,
  input logic                beyond_i
);

  index_t              index;
  logic [BankBits-1:0] turn;  // by how many banks the row is turned

  assign index = base_i + index_t'(register_i);
  assign turn  = interleaved_i ? BankBits'(row_i) : '0;

  always_comb begin : checks
    PlaceGivesBack : assert ({row_i, BankBits'(bank_i - turn)} == index[IndexBits-1:0]);
    BeyondTells : assert (beyond_i == (32'(index) >= 2 ** IndexBits));
    TurnedAround : cover (interleaved_i && !beyond_i && bank_i < index[BankBits-1:0]);
  end

endmodule

bind locate locate_formal #(
  .NumBanks (NumBanks),
  .IndexBits(IndexBits)
) u_formal (
  .base_i,
  .register_i,
  .interleaved_i,
  .bank_i  (bank_o),
  .row_i   (row_o),
  .beyond_i(beyond_o)
);
