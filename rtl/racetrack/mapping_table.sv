// Where the rows of one bank lie: the loadable register mapping of section 4.3.
//
// Until its entry is loaded, row r lies in region r mod Ports at offset r div Ports, the naive
// ascending order, which fills the low offsets of all regions first (figure 6). One command loads
// BlockEntries entries; a kernel start forgets all of them.
module mapping_table
  import racetrack_pkg::*;
#(
  parameter  int unsigned Rows      = 128,
  parameter  int unsigned Ports     = 8,
  localparam int unsigned BlockBits = $clog2(BankBlocks),
  localparam int unsigned RowBits   = $clog2(Rows)
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  input  logic                                   clear_i,
  input  logic                                   load_i,
  input  logic [BlockBits-1:0]                   block_i,
  input  logic [BlockEntries-1:0][EntryBits-1:0] entries_i,
  // two look-ups: a read request and a result on their way into the bank
  input  logic [RowBits-1:0]                     read_row_i,
  output place_t                                 read_place_o,
  input  logic [RowBits-1:0]                     write_row_i,
  output place_t                                 write_place_o
);

  localparam int unsigned ItemBits  = $clog2(BlockEntries);
  localparam int unsigned PortsBits = $clog2(Ports);

  logic [BankBlocks-1:0]                        loaded_q;
  logic [BlockEntries-1:0][$bits(place_t)-1:0]  entry_q [BankBlocks];

  function automatic place_t ascending(logic [RowBits-1:0] row);
    return place_t'({row, row} >> PortsBits);  // the bits of the region first
  endfunction

  function automatic place_t look_up(logic [RowBits-1:0] row);
    logic [BlockBits-1:0] block;
    block = BlockBits'(row >> ItemBits);
    return loaded_q[block] ? place_t'(entry_q[block][row[ItemBits-1:0]]) : ascending(row);
  endfunction

  // Not `assign`: it would not see a change of the table that the function reads.
  always_comb begin : places
    read_place_o  = look_up(read_row_i);
    write_place_o = look_up(write_row_i);
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : valid
    if (!rst_ni) begin
      loaded_q <= '0;
    end else if (clear_i) begin
      loaded_q <= '0;
    end else if (load_i) begin
      loaded_q[block_i] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : entries
    if (load_i) begin
      for (int unsigned e = 0; e < BlockEntries; e++) begin
        entry_q[block_i][e] <= entries_i[e][$bits(place_t)-1:0];
      end
    end
  end

endmodule
