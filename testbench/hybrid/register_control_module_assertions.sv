// No register of the active warp is forgotten, and none has an entry that another one has.
module register_control_module_assertions
  import shell_pkg::*;
  import hybrid_pkg::*;
(
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  clear_i,
  input logic                  set_i,
  input number_t               number_i,
  input slot_t                 slot_i,
  input logic [NumNumbers-1:0] valid_i
);

  count_t set_q;  // registers set since the last activation
  logic   fresh_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      set_q   <= '0;
      fresh_q <= 1'b0;
    end else begin
      fresh_q <= clear_i;
      set_q   <= clear_i ? '0 : set_q + count_t'(set_i);
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      EmptyWhenActivated :
      assert (!fresh_q || valid_i == '0)
      else $error("EmptyWhenActivated: registers %h are still valid", valid_i);
      NoneForgotten :
      assert ($countones(valid_i) == 32'(set_q))
      else $error("NoneForgotten: %0d valid, %0d entered", $countones(valid_i), set_q);
      SetOnce :
      assert (!set_i || !valid_i[number_i])
      else $error("SetOnce: register %0d has an entry already", number_i);
      SlotsInOrder :
      assert (!set_i || slot_i == slot_t'(set_q))
      else $error("SlotsInOrder: entry %0d, %0d is next", slot_i, set_q);
    end
  end

endmodule
