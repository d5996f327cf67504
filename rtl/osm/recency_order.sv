// The order in which the lines of each set were used: least recently used replacement.
//
// A set's order is kept as one set of older ways for each way, so that any number of ways can be
// used in one cycle: they become younger than all others and keep their order among each other.
module recency_order
  import osm_pkg::*;
#(
  parameter  int unsigned Sets    = 1,
  localparam int unsigned SetBits = (Sets > 1) ? $clog2(Sets) : 1
) (
  input  logic               clk_i,
  input  logic               rst_ni,
  input  way_set_t           used_i [Sets],
  // the oldest of the candidates in a set; at least one
  input  logic [SetBits-1:0] set_i,
  input  way_set_t           candidates_i,
  output way_t               oldest_o
);

  way_set_t older_q [Sets][NumWays];
  way_set_t first;

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    always_ff @(posedge clk_i or negedge rst_ni) begin : order
      if (!rst_ni) begin
        for (int unsigned w = 0; w < NumWays; w++) begin
          older_q[s][w] <= (way_set_t'(1) << w) - way_set_t'(1);
        end
      end else if (used_i[s] != '0) begin
        for (int unsigned w = 0; w < NumWays; w++) begin
          older_q[s][w] <= used_i[s][w] ? (older_q[s][w] | ~used_i[s]) :
                                          (older_q[s][w] & ~used_i[s]);
        end
      end
    end
  end

  for (genvar w = 0; w < NumWays; w++) begin : gen_first
    assign first[w] = candidates_i[w] && (older_q[set_i][w] & candidates_i) == '0;
  end

  lowest_bit #(
    .Width(NumWays)
  ) u_oldest (
    .set_i  (first),
    .valid_o(),
    .bit_o  (),
    .index_o(oldest_o)
  );

endmodule
