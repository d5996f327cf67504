// Registers what happens in a cycle: the SM sees it in the next one.
//
// Which bits are which event says the struct of the design's include file.
module event_register
  import heddle_port_pkg::*;
#(
  parameter int unsigned Width = EventBits
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] events_i,
  output logic [Width-1:0] events_o
);

  logic [Width-1:0] events_q;

  always_ff @(posedge clk_i or negedge rst_ni) begin : events
    if (!rst_ni) begin
      events_q <= '0;
    end else begin
      events_q <= events_i;
    end
  end

  assign events_o = events_q;

  if (Width > MaxEventBits) begin : gen_bad_width
    $fatal(1, "a design has at most 1024 event bits");
  end

endmodule
