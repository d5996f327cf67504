// What the command unit tells the others belongs to the command that it holds.
module ltrf_command_unit_assertions
  import heddle_port_pkg::*;
(
  input logic       clk_i,
  input logic       rst_ni,
  input logic       full_i,  // a command is there
  input logic [2:0] op_i,
  input logic       match_i, // its warp has a slot
  input logic       base_i   // the base of its warp is written
);

  logic of_active;  // a command that only an active warp has

  assign of_active = full_i && op_i inside {CmdDeactivate, CmdPrefetch, CmdExit};

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      ActiveHasASlot :
      assert (!of_active || match_i)
      else $error("ActiveHasASlot: operation %0d of a warp without a slot", op_i);
      BaseOnlyByCommand :
      assert (!base_i || (full_i && op_i == CmdWarpBase))
      else $error("BaseOnlyByCommand: a base is written by operation %0d, held %b", op_i, full_i);
    end
  end

endmodule
