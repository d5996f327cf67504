// Power of the entries that are switched off: on as late as their wake-up takes, and no later.
module buffer_power_formal (
  input logic       clk_i,
  input logic       rst_ni,
  input logic       gating_i,
  input logic [7:0] wakeup_cycles_i,
  input logic       needed_i,
  input logic       release_i,
  input logic       on_i,
  input logic       wakes_i,
  // what the module keeps
  input logic [1:0] power_i,
  input logic [7:0] left_i
);

  logic       asked_q;   // for the first time since the last release
  logic [7:0] wakeup_q;  // what waking up took then
  logic [7:0] since_q;   // cycles since then, at most that
  logic       awake;

  assign awake = asked_q && since_q == wakeup_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) begin
      asked_q  <= 1'b0;
      wakeup_q <= '0;
      since_q  <= '0;
    end else if (release_i) begin
      asked_q <= 1'b0;
    end else if (!asked_q && gating_i && needed_i) begin
      asked_q  <= 1'b1;
      wakeup_q <= wakeup_cycles_i;
      since_q  <= 8'd1;
    end else if (asked_q && since_q != wakeup_q) begin
      since_q <= since_q + 8'd1;
    end
  end

  always_comb begin : checks
    if (rst_ni) begin
      WakeupPositive : assume (!gating_i || wakeup_cycles_i != '0);
      OnWithoutGating : assert (gating_i || on_i);
      AwakeOnTime : assert (!gating_i || on_i == awake);
      WakesOnce : assert (wakes_i == (gating_i && needed_i && !asked_q));
      StateAgrees : assert (power_i == (!asked_q ? 2'd0 : awake ? 2'd2 : 2'd1));
      LeftAgrees :
      assert (!asked_q || awake || (since_q < wakeup_q && left_i == wakeup_q - since_q));
      SinceWithin : assert (!asked_q || (since_q != '0 && since_q <= wakeup_q));
      WokenSlowly : cover (awake && wakeup_q == 8'd3 && gating_i);
    end
  end

endmodule

bind buffer_power buffer_power_formal u_formal (
  .on_i   (on_o),
  .wakes_i(wakes_o),
  .power_i(power_q),
  .left_i (left_q),
  .*
);
