// The order in which the lines of each set were used, and which line leaves: the least recently
// used one that is not locked, else the least recently used one (OSM, section 3).
//
// A set's order is kept as one set of older ways for each way, so that any number of ways can be
// used in one cycle: they become younger than all others and keep their order among each other.
module recency_order
  import osm_pkg::*;
#(
  parameter  int unsigned Sets      = 1,
  parameter  int unsigned Ways      = NumWays,
  localparam int unsigned SetBits   = (Sets > 1) ? $clog2(Sets) : 1,
  localparam int unsigned IndexBits = $clog2(Ways)
) (
  input  logic                 clk_i,
  input  logic                 rst_ni,
  input  logic [Ways-1:0]      used_i [Sets],
  // of the candidates in a set, at least one, the oldest one without a lock, else the oldest
  input  logic [SetBits-1:0]   set_i,
  input  logic [Ways-1:0]      candidates_i,
  input  logic [Ways-1:0]      locked_i,
  output logic [IndexBits-1:0] oldest_o
);

  logic [Ways-1:0] older_q [Sets][Ways];
  logic [Ways-1:0] unlocked, victims, first;

  assign unlocked = candidates_i & ~locked_i;
  assign victims  = (unlocked != '0) ? unlocked : candidates_i;

  for (genvar s = 0; s < Sets; s++) begin : gen_set
    always_ff @(posedge clk_i or negedge rst_ni) begin : order
      if (!rst_ni) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          older_q[s][w] <= (Ways'(1) << w) - Ways'(1);
        end
      end else if (used_i[s] != '0) begin
        for (int unsigned w = 0; w < Ways; w++) begin
          older_q[s][w] <= used_i[s][w] ? (older_q[s][w] | ~used_i[s]) :
                                          (older_q[s][w] & ~used_i[s]);
        end
      end
    end
  end

  for (genvar w = 0; w < Ways; w++) begin : gen_first
    assign first[w] = victims[w] && (older_q[set_i][w] & victims) == '0;
  end

  lowest_bit #(
    .Width(Ways)
  ) u_oldest (
    .set_i  (first),
    .valid_o(),
    .bit_o  (),
    .index_o(oldest_o)
  );

endmodule
