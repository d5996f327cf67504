// Numbers that are in use, and the lowest one that is not.
module number_pool #(
  parameter  int unsigned Numbers    = 32,
  localparam int unsigned NumberBits = (Numbers > 1) ? $clog2(Numbers) : 1
) (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  output logic                  room_o,      // some number is free
  output logic [NumberBits-1:0] free_o,      // the lowest free one
  input  logic                  take_i,      // it is in use from the next cycle on
  input  logic                  release_i,
  input  logic [NumberBits-1:0] released_i,
  output logic [Numbers-1:0]    in_use_o
);

  logic [Numbers-1:0] in_use_q, lowest;

  lowest_bit #(
    .Width(Numbers)
  ) u_free (
    .set_i  (~in_use_q),
    .valid_o(room_o),
    .bit_o  (lowest),
    .index_o(free_o)
  );

  always_ff @(posedge clk_i or negedge rst_ni) begin : control
    if (!rst_ni) begin
      in_use_q <= '0;
    end else begin
      in_use_q <= (in_use_q & ~(release_i ? Numbers'(1) << released_i : '0)) |
                  (take_i ? lowest : '0);
    end
  end

  assign in_use_o = in_use_q;

endmodule
