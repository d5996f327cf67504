// The configuration as it is in the first cycle after reset, for all cycles from then on.
module config_capture
  import heddle_port_pkg::*;
(
  input  logic    clk_i,
  input  logic    rst_ni,
  input  config_t config_i,
  output config_t config_o
);

  localparam int unsigned MadeFor = 2;  // version of the port whose configuration this is

  if (MadeFor != PortVersion) begin : gen_other_port
    $fatal(1, "the configuration is that of version %0d of the port", MadeFor);
  end

  config_t config_q;
  logic    captured_q;

  assign config_o = captured_q ? config_q : config_i;

  always_ff @(posedge clk_i or negedge rst_ni) begin : first
    if (!rst_ni) begin
      captured_q <= 1'b0;
    end else begin
      captured_q <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin : capture
    if (!captured_q) config_q <= config_i;
  end

endmodule
