// Entries that were switched off can be used as late as their wake-up takes, and no later.
module buffer_power_assertions (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       gating_i,
  input logic [7:0] wakeup_cycles_i,
  input logic       needed_i,
  input logic       release_i,
  input logic       on_i
);

  logic       asked_q;  // since the last release
  logic [8:0] since_q;  // cycles since it was asked for, at most the wake-up

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      asked_q <= 1'b0;
      since_q <= '0;
    end else if (release_i) begin
      asked_q <= 1'b0;
      since_q <= '0;
    end else if (asked_q || (gating_i && needed_i)) begin
      asked_q <= 1'b1;
      if (since_q < 9'(wakeup_cycles_i)) since_q <= since_q + 9'd1;
    end
  end

  always_ff @(posedge clk_i) begin : checks
    if (rst_ni) begin
      AwakeOnTime :
      assert (on_i == (!gating_i || (asked_q && since_q >= 9'(wakeup_cycles_i))))
      else $error("AwakeOnTime: on %b, %0d cycles after it was asked for", on_i, since_q);
      WakeupPositive :
      assert (!gating_i || wakeup_cycles_i != '0)
      else $error("WakeupPositive: waking up takes at least one cycle");
    end
  end

endmodule
