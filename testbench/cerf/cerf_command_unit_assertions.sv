// A warp that ends frees its own registers, each one once.
module cerf_command_unit_assertions
  import heddle_port_pkg::*;
  import cerf_pkg::*;
(
  input logic     clk_i,
  input logic     rst_ni,
  input command_t command_i,
  input logic     accept_i,
  input logic     kill_i,
  input index_t   kill_index_i,
  input logic     killed_i,
  input logic     last_i      // the walk ends
);

  logic [15:0] base_q [NumWarps];
  logic [15:0] first_q;
  logic [7:0]  registers_q, freed_q;
  logic        exits_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : remember
    if (!rst_ni) begin
      registers_q <= '0;
      freed_q     <= '0;
      exits_q     <= 1'b0;
    end else begin
      if (accept_i && command_i.op == CmdKernelStart) registers_q <= command_i.value[7:0];
      if (accept_i) exits_q <= command_i.op == CmdExit;
      if (accept_i) freed_q <= '0;
      else if (killed_i) freed_q <= freed_q + 8'd1;
    end
  end

  always_ff @(posedge clk_i) begin : remember_bases
    if (accept_i && command_i.op == CmdWarpBase) base_q[command_i.warp] <= command_i.value;
    if (accept_i) first_q <= base_q[command_i.warp];
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni && kill_i) begin
      FreesOwnRegisters :
      assert (exits_q && 16'(kill_index_i) >= first_q &&
              16'(kill_index_i) < first_q + 16'(registers_q))
      else $error("FreesOwnRegisters: register %0d, the warp has %0d from %0d",
                  kill_index_i, registers_q, first_q);
      FreesEachOnce :
      assert (16'(kill_index_i) == first_q + 16'(freed_q))
      else $error("FreesEachOnce: register %0d after %0d from %0d", kill_index_i, freed_q, first_q);
    end
    if (rst_ni && last_i) begin
      FreesAll :
      assert (freed_q + 8'(killed_i) == registers_q)
      else $error("FreesAll: %0d and one of %0d registers", freed_q, registers_q);
    end
  end

endmodule
