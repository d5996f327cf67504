// First warp register of every warp in the main register file, set when the warp's CTA is launched.
module warp_base_table import heddle_port_pkg::*, ltrf_pkg::*; #(
  parameter int unsigned ResultWidth = 2
) (
  input  logic                     clk_i,
  input  logic                     write_i,
  input  warp_t                    write_warp_i,
  input  index_t                   write_base_i,
  input  warp_t  [ResultWidth-1:0] result_warp_i,
  output index_t [ResultWidth-1:0] result_base_o,
  input  warp_t                    command_warp_i,
  output index_t                   command_base_o
);

  index_t base_q [NumWarps];

  always_comb begin : results
    for (int unsigned p = 0; p < ResultWidth; p++) result_base_o[p] = base_q[result_warp_i[p]];
  end

  assign command_base_o = base_q[command_warp_i];

  always_ff @(posedge clk_i) begin : write
    if (write_i) base_q[write_warp_i] <= write_base_i;
  end

endmodule
