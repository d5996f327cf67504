// What the mapping of a bank must be seen to do: look-ups in blocks that are loaded and that are
// not, a block loaded twice, all loaded, all forgotten.
module mapping_table_covers
  import racetrack_pkg::*;
#(
  localparam int unsigned BlockBits = $clog2(BankBlocks)
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  clear_i,
  input logic                  load_i,
  input logic [BlockBits-1:0]  block_i,
  input logic [BankBlocks-1:0] loaded_i
);

  default clocking @(posedge clk_i);
  endclocking
  default disable iff (!rst_ni);

  NothingLoaded : cover property (loaded_i == '0);
  AllLoaded : cover property (loaded_i == '1);
  SomeLoaded : cover property (loaded_i != '0 && loaded_i != '1);
  Loads : cover property (load_i && !loaded_i[block_i]);
  LoadsLastBlock : cover property (load_i && block_i == '1);
  ForgetsLoaded : cover property (clear_i && loaded_i != '0);

endmodule
