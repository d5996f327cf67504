// A warp that ends frees its own registers, each one once.
module exit_walk_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic        clk_i,
  input logic        rst_ni,
  input command_t    command_i,
  input logic [7:0]  registers_i,   // per thread
  input logic [15:0] base_i [NumWarps],
  input logic        carried_i,     // the command is carried out
  input logic        kill_i,
  input index_t      kill_index_i,
  input logic        killed_i
);

  logic [15:0] first;
  logic [7:0]  freed_q;  // in the walk so far
  logic        exits;

  assign exits = command_i.valid && command_i.op == CmdExit;
  assign first = base_i[command_i.warp];

  always_ff @(posedge clk_i or negedge rst_ni) begin : remember
    if (!rst_ni) freed_q <= '0;
    else if (!exits || carried_i) freed_q <= '0;
    else if (killed_i) freed_q <= freed_q + 8'd1;
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && kill_i) begin
      FreesOwnRegisters :
      assert (exits && 16'(kill_index_i) >= first &&
              16'(kill_index_i) < first + 16'(registers_i))
      else $error("FreesOwnRegisters: register %0d, the warp has %0d from %0d",
                  kill_index_i, registers_i, first);
      FreesEachOnce :
      assert (16'(kill_index_i) == first + 16'(freed_q))
      else $error("FreesEachOnce: register %0d after %0d from %0d", kill_index_i, freed_q, first);
    end
    if (rst_ni && exits && carried_i) begin
      FreesAll :
      assert (freed_q + 8'(killed_i) == registers_i)
      else $error("FreesAll: %0d and one of %0d registers", freed_q, registers_i);
    end
  end

endmodule
