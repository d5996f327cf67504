// Unused queue of addresses (LTRF, section 5.2, figure 13): gives out the one that is free longest.
//
// Holds the free addresses and starts full, 0 first. An allocation takes the head, a release
// appends; both may happen in one cycle. `size_i` addresses are in use (1 to Depth), read in the
// first cycle after reset.
module address_allocation_unit #(
  parameter  int unsigned Depth       = 16,
  localparam int unsigned AddressBits = $clog2(Depth),
  localparam int unsigned SizeBits    = $clog2(Depth + 1)
) (
  input  logic                   clk_i,
  input  logic                   rst_ni,
  input  logic [SizeBits-1:0]    size_i,
  input  logic                   allocate_i,
  input  logic                   release_i,
  input  logic [AddressBits-1:0] release_address_i,
  output logic                   valid_o,    // an address is free
  output logic [AddressBits-1:0] address_o   // the next address to be allocated
);

  typedef logic [AddressBits-1:0] address_t;
  typedef logic [SizeBits-1:0]    size_t;

  address_t unused_q [Depth];
  address_t head_q, tail_q;
  size_t    unused_count_q;
  logic     ready_q, allocate;

  assign valid_o   = ready_q && unused_count_q != '0;
  assign address_o = unused_q[head_q];
  assign allocate  = allocate_i && valid_o;

  always_ff @(posedge clk_i or negedge rst_ni) begin : unused
    if (!rst_ni) begin
      ready_q        <= 1'b0;
      head_q         <= '0;
      tail_q         <= '0;
      unused_count_q <= '0;
      for (int unsigned i = 0; i < Depth; i++) unused_q[i] <= address_t'(i);
    end else if (!ready_q) begin
      ready_q        <= 1'b1;
      unused_count_q <= size_i;
      tail_q         <= address_t'(size_i);
    end else begin
      if (allocate) head_q <= head_q + address_t'(1);
      if (release_i) begin
        unused_q[tail_q] <= release_address_i;
        tail_q           <= tail_q + address_t'(1);
      end
      if (allocate != release_i) begin
        unused_count_q <= release_i ? unused_count_q + size_t'(1) : unused_count_q - size_t'(1);
      end
    end
  end

endmodule
