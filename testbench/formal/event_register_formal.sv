// The events that are said are those of the cycle before.
module event_register_formal #(
  parameter int unsigned Width = 256
) (
  input logic             clk_i,
  input logic             rst_ni,
  input logic [Width-1:0] events_i,
  input logic [Width-1:0] said_i
);

  logic [Width-1:0] before_q;
  logic             first_q;  // no cycle since reset came before this one

  always_ff @(posedge clk_i) begin : past
    before_q <= events_i;
    first_q  <= !rst_ni;
  end

  always_comb begin : checks
    if (rst_ni) begin
      OneCycleLater : assert (first_q || said_i == before_q);
      NoneAfterReset : assert (!first_q || said_i == '0);
      Passes : cover (!first_q && before_q == '1 && events_i == '0);
    end
  end

endmodule

bind event_register event_register_formal #(
  .Width(Width)
) u_formal (
  .clk_i,
  .rst_ni,
  .events_i,
  .said_i(events_o)
);
