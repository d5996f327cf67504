// How many members of a set are below each place, against a sum over the places.
module place_counts_formal #(
  parameter int unsigned Places = 16
) (
  input logic [Places-1:0]             set_i,
  input logic [Places-1:0][Places-1:0] below_i
);

  localparam int unsigned CountBits = $clog2(Places);

  logic [CountBits-1:0] count [Places];

  assign count[0] = '0;

  for (genvar i = 0; i < Places - 1; i++) begin : gen_sum
    assign count[i+1] = count[i] + CountBits'(set_i[i]);
  end

  for (genvar i = 0; i < Places; i++) begin : gen_place
    always_comb begin : checks
      OneNumber : assert ($onehot(below_i[i]));
      Counted : assert (below_i[i][count[i]]);
    end
  end

  always_comb begin : checks
    AllBelow : cover (below_i[Places-1][Places-1]);
  end

endmodule

bind place_counts place_counts_formal #(
  .Places(Places)
) u_formal (
  .set_i,
  .below_i(below_o)
);
