// One buffer at most changes hands at once, and only that of the command's warp.
module hybrid_commands_assertions
  import heddle_port_pkg::*;
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                clk_i,
  input logic                rst_ni,
  input logic [Buffers-1:0]  open_i,
  input logic [Buffers-1:0]  close_i,
  input logic [Buffers-1:0]  drop_i,
  input logic [Buffers-1:0]  free_i,
  input warp_t               owner_i [Buffers],
  input warp_t               current_warp_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneBufferChanges :
      assert ($countones(open_i) + $countones(close_i) <= 1)
      else $error("OneBufferChanges: open %b, close %b", open_i, close_i);
      OwnIsWrittenBack :
      assert (open_i == '0 || ((free_i[0] || owner_i[0] != current_warp_i) &&
                               (free_i[1] || owner_i[1] != current_warp_i)))
      else $error("OwnIsWrittenBack: W%0d becomes active while its buffer drains", current_warp_i);
      DropOwn :
      assert ((!drop_i[0] || owner_i[0] == current_warp_i) &&
              (!drop_i[1] || owner_i[1] == current_warp_i))
      else $error("DropOwn: W%0d ends and another's buffer is emptied", current_warp_i);
    end
  end

endmodule
