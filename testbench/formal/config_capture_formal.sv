// The configuration of the first cycle after reset, and that it stays.
module config_capture_formal
  import heddle_port_pkg::*;
(
  input logic    clk_i,
  input logic    rst_ni,
  input config_t config_i,
  input config_t held_i,
  input logic    captured_i
);

  config_t before_q;
  logic    later_q;  // a cycle since reset came before this one

  always_ff @(posedge clk_i or negedge rst_ni) begin : past
    if (!rst_ni) later_q <= 1'b0;
    else later_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin : value
    before_q <= held_i;
  end

  always_comb begin : checks
    if (rst_ni) begin
      AtOnce : assert (later_q || held_i == config_i);
      Stays : assert (!later_q || held_i == before_q);
      CapturedLater : assert (captured_i == later_q);
      Changes : cover (later_q && held_i != config_i);
    end
  end

endmodule

bind config_capture config_capture_formal u_formal (
  .clk_i,
  .rst_ni,
  .config_i,
  .held_i    (config_o),
  .captured_i(captured_q)
);
