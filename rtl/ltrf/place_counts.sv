// Counts the members of a set below each of its places: one-hot, so that a count selects without
// being decoded.
//
// Blocks of twice as many places in each step: places of a block's upper half add what the lower
// half has to what they have, as one-hot numbers add, by shifting.
module place_counts #(
  parameter int unsigned Places = 16
) (
  input  logic [Places-1:0]             set_i,
  output logic [Places-1:0][Places-1:0] below_o  // by place
);

  typedef logic [Places-1:0] count_t;

  always_comb begin : counts
    count_t upto [Places-1];  // from the first place of its block up to a place
    count_t lower, sum;

    for (int unsigned i = 0; i < Places - 1; i++) upto[i] = set_i[i] ? count_t'(2) : count_t'(1);
    for (int unsigned half = 1; half < Places; half = 2 * half) begin
      for (int unsigned i = 0; i < Places - 1; i++) begin
        if ((i & half) != 0) begin
          lower = upto[(i & ~(half-1)) - 1];
          sum   = '0;
          for (int unsigned n = 0; n <= half; n++) begin
            if (lower[n]) sum = sum | (upto[i] << n);
          end
          upto[i] = sum;
        end
      end
    end
    below_o[0] = count_t'(1);
    for (int unsigned i = 0; i < Places - 1; i++) below_o[i+1] = upto[i];
  end

endmodule
