// A token of each mutation operator, and tokens that are no sites.
module every_operator #(
  parameter int unsigned Width = 4 + 1
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic [Width-1:0] a_i,
  input  logic [Width-1:0] b_i,
  output logic [Width-1:0] y_o [3]
);

  localparam int unsigned Half = Width / 2;

  logic [Width-1:0] sum, q;

  assign sum    = a_i + (b_i << 2'd3);   // a comment
  assign y_o[0] = (a_i < b_i) ? a_i & b_i :
                  ~q;

  for (genvar g = 0; g < 2; g++) begin : gen_one
    if (g == 1) begin : gen_it
      assign y_o[g] = {Width{a_i[g] && !(|b_i)}};
    end
  end

  always_comb begin : lanes
    y_o[2] = '0;
    for (int unsigned i = 0; i < Width - 1; i++) begin
      y_o[2][i] = sum[i+:1] == 1'b1;
    end
    unique case (a_i)
      3'd2:    y_o[2] = Width'(b_i) - 7;
      default: ;
    endcase
  end

  always_ff @(posedge clk_i or negedge rst_ni) begin : state
    if (!rst_ni) q <= '0;
    else if (a_i >= 5'h1f) q <= sum;
  end

  initial begin : start
    if (Width == 0) $fatal(1, "no width");
  end

endmodule
