// What `make formal` proves of the pool of numbers.
module number_pool_formal #(
  parameter int unsigned Numbers    = 32,
  parameter int unsigned NumberBits = 5
) (
  input logic                  clk_i,
  input logic                  rst_ni,
  input logic                  room_i,
  input logic [NumberBits-1:0] free_i,
  input logic                  take_i,
  input logic                  release_i,
  input logic [NumberBits-1:0] released_i,
  input logic [Numbers-1:0]    in_use_i
);

  // The numbers that were given and not yet released.
  logic [Numbers-1:0] given_q, given_d, below;

  always_comb begin : next
    given_d = given_q;
    if (release_i) given_d[released_i] = 1'b0;
    if (take_i) given_d[free_i] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) given_q <= '0;
    else given_q <= given_d;
  end

  assign below = (Numbers'(1) << free_i) - Numbers'(1);

  always_comb begin : rules
    take_with_room : assume (!take_i || room_i);
    release_used :   assume (!release_i || given_q[released_i]);
  end

  always_comb begin : properties
    if (rst_ni) begin
      never_twice :  assert (!room_i || !given_q[free_i]);
      room_tells :   assert (room_i == (given_q != '1));
      lowest_free :  assert (!room_i || (below & ~given_q) == '0);
      use_tells :    assert (in_use_i == given_q);
      all_in_use :   cover (given_q == '1 && release_i);
    end
  end

endmodule

bind number_pool number_pool_formal #(
  .Numbers   (Numbers),
  .NumberBits(NumberBits)
) u_formal (
  .room_i  (room_o),
  .free_i  (free_o),
  .in_use_i(in_use_o),
  .*
);
