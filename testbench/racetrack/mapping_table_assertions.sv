// Loaded entries are places that the bank has, each for one row of the bank, and no row is looked
// up while its entry is loaded.
module mapping_table_assertions
  import racetrack_pkg::*;
#(
  parameter  int unsigned Rows      = 128,
  localparam int unsigned BlockBits = $clog2(BankBlocks)
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,
  input logic                                   clear_i,
  input logic                                   load_i,
  input logic [BlockBits-1:0]                   block_i,
  input logic [BlockEntries-1:0][EntryBits-1:0] entries_i
);

  logic [Rows-1:0] named, of_others;
  logic [Rows-1:0] taken_q [BankBlocks];  // places of the rows of each block, since the last clear
  logic            in_bank;

  always_comb begin : collect
    named   = '0;
    in_bank = 1'b1;
    for (int unsigned e = 0; e < BlockEntries; e++) begin
      if (32'(entries_i[e]) < Rows) named[entries_i[e][$clog2(Rows)-1:0]] = 1'b1;
      else in_bank = 1'b0;
    end
    of_others = '0;
    for (int unsigned b = 0; b < BankBlocks; b++) begin
      if (block_i != BlockBits'(b)) of_others |= taken_q[b];
    end
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) taken_q <= '{default: '0};
    else if (clear_i) taken_q <= '{default: '0};
    else if (load_i) taken_q[block_i] <= named;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && load_i) begin
      EntriesInBank :
      assert (in_bank)
      else $error("EntriesInBank: an entry lies beyond row %0d", Rows - 1);
      EntriesDiffer :
      assert ($countones(named) == BlockEntries)
      else $error("EntriesDiffer: %0d places for %0d rows", $countones(named), BlockEntries);
      BlocksDiffer :
      assert ((named & of_others) == '0)
      else $error("BlocksDiffer: block %0d has places of others, %h", block_i, named & of_others);
      LoadOrClear :
      assert (!clear_i)
      else $error("LoadOrClear: both in one cycle");
    end
  end

endmodule
