// Power of a write buffer's entries from AlwaysOn on (section 5.2).
//
// With gating they are off until a write needs one of them; they can be used wakeup_cycles_i cycles
// after the cycle that asked, and go off when the buffer becomes free. Without gating they are
// always on.
module buffer_power (
  input  logic       clk_i,
  input  logic       rst_ni,
  input  logic       gating_i,
  input  logic [7:0] wakeup_cycles_i,
  input  logic       needed_i,
  input  logic       release_i,
  output logic       on_o,
  output logic       wakes_o  // switching on begins in this cycle
);

  typedef enum logic [1:0] {
    PowerOff    = 2'd0,
    PowerWaking = 2'd1,
    PowerOn     = 2'd2
  } power_e;

  power_e     power_q;
  logic [7:0] left_q;

  assign on_o    = !gating_i || power_q == PowerOn;
  assign wakes_o = gating_i && needed_i && power_q == PowerOff;

  always_ff @(posedge clk_i or negedge rst_ni) begin : state
    if (!rst_ni) begin
      power_q <= PowerOff;
    end else if (release_i) begin
      power_q <= PowerOff;
    end else if (wakes_o) begin
      power_q <= wakeup_cycles_i == 8'd1 ? PowerOn : PowerWaking;
    end else if (power_q == PowerWaking && left_q == 8'd1) begin
      power_q <= PowerOn;
    end
  end

  always_ff @(posedge clk_i) begin : wakeup
    if (wakes_o) left_q <= wakeup_cycles_i - 8'd1;
    else if (power_q == PowerWaking) left_q <= left_q - 8'd1;
  end

endmodule
