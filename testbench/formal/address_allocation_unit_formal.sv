// What `make formal` proves of the unused queue of addresses.
module address_allocation_unit_formal #(
  parameter int unsigned Depth       = 16,
  parameter int unsigned AddressBits = 4,
  parameter int unsigned SizeBits    = 5
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic [SizeBits-1:0]    size_i,
  input logic                   allocate_i,
  input logic                   release_i,
  input logic [AddressBits-1:0] release_address_i,
  input logic                   valid_i,
  input logic [AddressBits-1:0] address_i,
  input logic                   ready_i,
  input logic [AddressBits-1:0] unused_i [Depth],
  input logic [AddressBits-1:0] head_i,
  input logic [AddressBits-1:0] tail_i,
  input logic [SizeBits-1:0]    count_i
);

  // The addresses that were given and not yet released, and the size of the first cycle.
  logic [Depth-1:0]    given_q, given_d;
  logic [SizeBits-1:0] size_q;

  always_comb begin : next
    given_d = given_q;
    if (release_i) given_d[release_address_i] = 1'b0;
    if (allocate_i && valid_i) given_d[address_i] = 1'b1;
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : history
    if (!rst_ni) given_q <= '0;
    else given_q <= given_d;
  end

  always_ff @(posedge clk_i) begin : size
    if (!ready_i) size_q <= size_i;
  end

  // Place i of the queue, from its head, holds an unused address that no other place holds.
  logic [Depth-1:0] held, once, below, first;

  for (genvar i = 0; i < Depth; i++) begin : gen_places
    logic [AddressBits-1:0] address;
    logic [Depth-1:0]       same;

    assign address  = unused_i[AddressBits'(head_i + AddressBits'(i))];
    assign held[i]  = SizeBits'(i) < count_i;
    assign below[i] = !held[i] || (SizeBits'(address) < size_q && !given_q[address]);
    for (genvar k = 0; k < Depth; k++) begin : gen_others
      if (k < i) begin : gen_before
        assign same[k] = held[i] && unused_i[AddressBits'(head_i + AddressBits'(k))] == address;
      end else begin : gen_after
        assign same[k] = 1'b0;
      end
    end
    assign once[i] = same == '0;

    assign first[i] = unused_i[i] == AddressBits'(i);
  end

  always_comb begin : rules
    some_size :        assume (size_i != '0 && 32'(size_i) <= Depth);
    allocate_valid :   assume (!allocate_i || valid_i);
    release_occupied : assume (!release_i || (ready_i && given_q[release_address_i]));
  end

  always_comb begin : properties
    if (rst_ni) begin
      never_twice : assert (!valid_i || !given_q[address_i]);
      in_use :      assert (!valid_i || SizeBits'(address_i) < size_q);
      room_tells :  assert (!ready_i || valid_i == (32'($countones(given_q)) != 32'(size_q)));
      all_counted : assert (!ready_i || 32'(count_i) + $countones(given_q) == 32'(size_q));
      unused_free : assert (!ready_i || below == '1);
      given_fit :   assert (!ready_i || (given_q & ~((Depth'(1) << size_q) - Depth'(1))) == '0);
      unused_once : assert (!ready_i || once == '1);
      tail_behind : assert (!ready_i || tail_i == AddressBits'(head_i + AddressBits'(count_i)));
      size_fits :   assert (!ready_i || (size_q != '0 && 32'(size_q) <= Depth));
      reset_state : assert (ready_i || (given_q == '0 && head_i == '0 && first == '1));
      all_given :   cover (ready_i && !valid_i && release_i);
    end
  end

endmodule

bind address_allocation_unit address_allocation_unit_formal #(
  .Depth      (Depth),
  .AddressBits(AddressBits),
  .SizeBits   (SizeBits)
) u_formal (
  .clk_i,
  .rst_ni,
  .size_i,
  .allocate_i,
  .release_i,
  .release_address_i,
  .valid_i  (valid_o),
  .address_i(address_o),
  .ready_i  (ready_q),
  .unused_i (unused_q),
  .head_i   (head_q),
  .tail_i   (tail_q),
  .count_i  (unused_count_q)
);
