// From cycle to cycle the base of a warp changes by a write of it, and by nothing else; the warp is
// the one of the command, so the solver chooses it.
module warp_base_table_formal
  import heddle_port_pkg::*;
  import ltrf_pkg::*;
#(
  parameter int unsigned ResultWidth = 2
) (
  input logic                     clk_i,
  input logic                     write_i,
  input warp_t                    write_warp_i,
  input index_t                   write_base_i,
  input warp_t  [ResultWidth-1:0] result_warp_i,
  input index_t [ResultWidth-1:0] result_base_i,
  input warp_t                    command_warp_i,
  input index_t                   command_base_i,
  input index_t                   base_i [NumWarps]
);

  warp_t  warp_q;      // of the command in the cycle before
  index_t expected_q;  // its base then, or what was written to it

  always_ff @(posedge clk_i) begin : past
    warp_q     <= command_warp_i;
    expected_q <= (write_i && write_warp_i == command_warp_i) ? write_base_i :
                                                               base_i[command_warp_i];
  end

  for (genvar p = 0; p < ResultWidth; p++) begin : gen_result
    always_comb begin : checks
      ResultGetsBase : assert (result_warp_i[p] != warp_q || result_base_i[p] == expected_q);
    end
  end

  always_comb begin : checks
    CommandGetsBase : assert (command_warp_i != warp_q || command_base_i == expected_q);
    BaseStays : assert (base_i[warp_q] == expected_q);
    AnotherWritten :
    cover (write_i && write_warp_i != warp_q && command_warp_i == warp_q && command_base_i != '0);
  end

endmodule

bind warp_base_table warp_base_table_formal #(
  .ResultWidth(ResultWidth)
) u_formal (
  .clk_i,
  .write_i,
  .write_warp_i,
  .write_base_i,
  .result_warp_i,
  .result_base_i (result_base_o),
  .command_warp_i,
  .command_base_i(command_base_o),
  .base_i        (base_q)
);
