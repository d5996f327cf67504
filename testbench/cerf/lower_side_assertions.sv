// The queue to L2 gets the row of one write-back at a time.
module lower_side_assertions
  import cerf_pkg::*;
(
  input logic          clk_i,
  input logic          rst_ni,
  input tag_bank_set_t written_back_i
);

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      OneWriteBackACycle :
      assert ($onehot0(written_back_i))
      else $error("OneWriteBackACycle: %b give a row to the queue", written_back_i);
    end
  end

endmodule
