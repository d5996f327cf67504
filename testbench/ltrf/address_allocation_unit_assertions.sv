// Every address is given out once until it is released, and only addresses in use are.
module address_allocation_unit_assertions #(
  parameter int unsigned Depth       = 16,
  parameter int unsigned AddressBits = 4,
  parameter int unsigned SizeBits    = 5
) (
  input logic                   clk_i,
  input logic                   rst_ni,
  input logic                   ready_i,
  input logic [SizeBits-1:0]    size_i,
  input logic                   allocate_i,
  input logic                   valid_i,
  input logic [AddressBits-1:0] address_i,
  input logic                   release_i,
  input logic [AddressBits-1:0] release_address_i,
  input logic [SizeBits-1:0]    unused_count_i
);

  logic [Depth-1:0] occupied_q;

  always_ff @(posedge clk_i) begin : checks
    if (!rst_ni) begin
      occupied_q <= '0;
    end else begin
      AllocateFromUnused :
      assert (!allocate_i || valid_i)
      else $error("AllocateFromUnused: allocation with no unused address");
      AllocateFreeAddress :
      assert (!(allocate_i && valid_i) || !occupied_q[address_i])
      else $error("AllocateFreeAddress: address %0d is occupied", address_i);
      ReleaseOccupied :
      assert (!release_i || occupied_q[release_address_i])
      else $error("ReleaseOccupied: address %0d is not occupied", release_address_i);
      AddressInUse :
      assert (!(allocate_i && valid_i) || SizeBits'(address_i) < size_i)
      else $error("AddressInUse: address %0d of %0d", address_i, size_i);
      QueueComplete :
      assert (!ready_i || 32'(unused_count_i) + $countones(occupied_q) == 32'(size_i))
      else $error("QueueComplete: %0d unused, %0d occupied", unused_count_i,
                  $countones(occupied_q));
      if (release_i) occupied_q[release_address_i] <= 1'b0;
      if (allocate_i && valid_i) occupied_q[address_i] <= 1'b1;
    end
  end

endmodule
