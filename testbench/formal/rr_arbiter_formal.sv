// What `make formal` proves of the rotating-priority arbiter.
module rr_arbiter_formal #(
  parameter int unsigned Width     = 16,
  parameter int unsigned IndexBits = 4
) (
  input logic                 clk_i,
  input logic                 rst_ni,
  input logic [Width-1:0]     request_i,
  input logic                 advance_i,
  input logic                 valid_i,
  input logic [Width-1:0]     grant_i,
  input logic [IndexBits-1:0] index_i,
  input logic [Width-1:0]     mask_i
);

  localparam int unsigned CountBits = IndexBits + 2;

  logic [CountBits-1:0] pointer;  // the first index that has priority
  logic [Width-1:0]     overdue, behind;

  always_comb begin : places
    pointer = '0;
    for (int unsigned i = 0; i < Width; i++) begin
      if (!mask_i[i]) pointer = CountBits'((i + 1) % Width);
    end
  end

  for (genvar r = 0; r < Width; r++) begin : gen_requester
    logic [CountBits-1:0] waited_q;  // taken grants of others since this request rose
    logic [CountBits-1:0] distance;  // from the pointer to this requester

    assign distance   = (CountBits'(r) >= pointer) ? CountBits'(r) - pointer :
                                                     CountBits'(r + Width) - pointer;
    assign overdue[r] = waited_q >= CountBits'(Width);
    assign behind[r]  = waited_q + distance >= CountBits'(Width);

    always_ff @(posedge clk_i or negedge rst_ni) begin : history
      if (!rst_ni) waited_q <= '0;
      else if (!request_i[r] || (advance_i && grant_i[r])) waited_q <= '0;
      else if (advance_i && valid_i) waited_q <= waited_q + CountBits'(1);
    end
  end

  always_comb begin : properties
    if (rst_ni) begin
      one_grant :       assert ((grant_i & (grant_i - Width'(1))) == '0);
      grant_requested : assert ((grant_i & ~request_i) == '0);
      always_grants :   assert ((grant_i != '0) == (request_i != '0));
      valid_tells :     assert (valid_i == (grant_i != '0));
      index_tells :     assert (!valid_i || grant_i[index_i]);
      served_in_turn :  assert (overdue == '0);
      mask_shape :      assert ((~mask_i & (~mask_i + Width'(1))) == '0);
      waits_by_turn :   assert (behind == '0);
      wrapped :         cover (mask_i == '0 && valid_i && advance_i);
    end
  end

endmodule

bind rr_arbiter rr_arbiter_formal #(
  .Width    (Width),
  .IndexBits(IndexBits)
) u_formal (
  .valid_i(valid_o),
  .grant_i(grant_o),
  .index_i(index_o),
  .mask_i (mask_q),
  .*
);
