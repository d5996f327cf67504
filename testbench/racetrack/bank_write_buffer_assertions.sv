// The write buffer neither overflows nor gives what it does not hold; its entries stay in order.
module bank_write_buffer_assertions
  import racetrack_pkg::*;
(
  input logic clk_i,
  input logic rst_ni,
  input logic push_i,
  input logic pop_i,
  input logic valid_i [BufferEntries]
);

  logic [1:0] count_q;  // counted apart from the valid bits

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      count_q <= count_q + 2'(push_i) - 2'(pop_i);
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      NoOverflow :
      assert (!push_i || count_q < 2'(BufferEntries))
      else $error("NoOverflow: a result enters a full write buffer");
      NoUnderflow :
      assert (!pop_i || count_q != '0)
      else $error("NoUnderflow: a result leaves an empty write buffer");
      OlderFirst :
      assert (valid_i[0] || !valid_i[1])
      else $error("OlderFirst: the younger entry alone is valid");
      NothingLost :
      assert (2'(valid_i[0]) + 2'(valid_i[1]) == count_q)
      else $error("NothingLost: %b%b valid, %0d results there", valid_i[1], valid_i[0], count_q);
    end
  end

endmodule
