// What `make formal` proves of the mapping table: the place of one row that the solver chooses.
module mapping_table_formal
  import racetrack_pkg::*;
#(
  parameter  int unsigned Rows      = 128,
  parameter  int unsigned Ports     = 8,
  localparam int unsigned BlockBits = $clog2(BankBlocks),
  localparam int unsigned RowBits   = $clog2(Rows)
) (
  input logic                                   clk_i,
  input logic                                   rst_ni,
  input logic                                   clear_i,
  input logic                                   load_i,
  input logic [BlockBits-1:0]                   block_i,
  input logic [BlockEntries-1:0][EntryBits-1:0] entries_i,
  input logic [RowBits-1:0]                     read_row_i,
  input place_t                                 read_place_i,
  input logic [RowBits-1:0]                     write_row_i,
  input place_t                                 write_place_i,
  // what the table keeps
  input logic [BankBlocks-1:0]                  loaded_i,
  input logic [BlockEntries-1:0][$bits(place_t)-1:0] entry_i [BankBlocks]
);

  logic [RowBits-1:0]         row_q;     // any: what the read row is in the cycle of reset
  logic                       loaded_q;  // since the last clear
  place_t                     entry_q, place;
  logic [BlockBits-1:0]       block;
  logic [$clog2(BlockEntries)-1:0] item;

  assign block = BlockBits'(32'(row_q) / BlockEntries);
  assign item  = $bits(item)'(32'(row_q) % BlockEntries);
  assign place = loaded_q ? entry_q :
                 place_t'(32'(row_q) % Ports * (Rows / Ports) + 32'(row_q) / Ports);

  always_ff @(posedge clk_i) begin : choice
    if (!rst_ni) row_q <= read_row_i;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) loaded_q <= 1'b0;
    else loaded_q <= !clear_i && (loaded_q || (load_i && block_i == block));
  end

  always_ff @(posedge clk_i) begin : load
    if (load_i && block_i == block) entry_q <= place_t'(entries_i[item]);
  end

  always_comb begin : checks
    if (rst_ni) begin
      ReadsLoaded : assert (read_row_i != row_q || read_place_i == place);
      WritesWhereRead : assert (read_row_i != write_row_i || read_place_i == write_place_i);
      ForgetsAll : assert (loaded_q || !loaded_i[block]);
      LoadedIsKept : assert (!loaded_q || (loaded_i[block] && entry_i[block][item] == entry_q));
      LoadedTwice : cover (loaded_q && load_i && block_i == block && read_row_i == row_q);
    end
  end

endmodule

bind mapping_table mapping_table_formal #(
  .Rows (Rows),
  .Ports(Ports)
) u_formal (
  .clk_i,
  .rst_ni,
  .clear_i,
  .load_i,
  .block_i,
  .entries_i,
  .read_row_i,
  .read_place_i (read_place_o),
  .write_row_i,
  .write_place_i(write_place_o),
  .loaded_i     (loaded_q),
  .entry_i      (entry_q)
);
