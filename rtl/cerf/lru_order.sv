// Ages of the ways of one set after a use: 0 is the most recently used, Ways - 1 the least.
//
// The ages stay a permutation: those below the age of the used way grow by one, and its own becomes
// 0.
module lru_order #(
  parameter  int unsigned Ways    = 4,
  localparam int unsigned AgeBits = $clog2(Ways)
) (
  input  logic [Ways-1:0][AgeBits-1:0] age_i,
  input  logic [Ways-1:0]              used_i,  // one-hot
  output logic [Ways-1:0][AgeBits-1:0] age_o
);

  logic [AgeBits-1:0] used_age;

  always_comb begin : reorder
    used_age = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      if (used_i[w]) used_age |= age_i[w];
    end
    for (int unsigned w = 0; w < Ways; w++) begin
      if (used_i[w]) age_o[w] = '0;
      else if (age_i[w] < used_age) age_o[w] = age_i[w] + AgeBits'(1);
      else age_o[w] = age_i[w];
    end
  end

endmodule
