// Loaded entries are places that the bank has, each of a block once, and no row is looked up while
// its entry is loaded.
module mapping_table_assertions
  import racetrack_pkg::*;
#(
  parameter int unsigned Rows = 128
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,
  input logic                                   clear_i,
  input logic                                   load_i,
  input logic [BlockEntries-1:0][EntryBits-1:0] entries_i
);

  logic [Rows-1:0] named;
  logic            in_bank;

  always_comb begin : collect
    named  = '0;
    in_bank = 1'b1;
    for (int unsigned e = 0; e < BlockEntries; e++) begin
      if (32'(entries_i[e]) < Rows) named[entries_i[e][$clog2(Rows)-1:0]] = 1'b1;
      else in_bank = 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && load_i) begin
      EntriesInBank :
      assert (in_bank)
      else $error("EntriesInBank: an entry lies beyond row %0d", Rows - 1);
      EntriesDiffer :
      assert ($countones(named) == BlockEntries)
      else $error("EntriesDiffer: %0d places for %0d rows", $countones(named), BlockEntries);
      LoadOrClear :
      assert (!clear_i)
      else $error("LoadOrClear: both in one cycle");
    end
  end

endmodule
