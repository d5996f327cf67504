// The floating-point additions of one lane's atomic accesses: of a double, a single, or one or two
// half-precision or brain-float numbers. Operands are taken in one cycle and go through the adder
// of their format in four.
module float_unit
  import osm_pkg::*;
(
  input  logic             clk_i,
  input  logic             take_i,
  input  logic [63:0]      old_i,
  input  logic [63:0]      operand_i,
  input  logic [3:0][3:0]  step_i,    // by format: stages that take what is before them
  input  float_format_e    format_i,  // of the sum
  output logic [63:0]      sum_o
);

  logic [63:0] old_q, operand_q, double_sum;
  logic [31:0] single_sum, half_sum, brain_sum;

  always_ff @(posedge clk_i) begin : operands
    if (take_i) begin
      old_q     <= old_i;
      operand_q <= operand_i;
    end
  end

  float_adder #(
    .ExponentBits(11),
    .FractionBits(52),
    .PassNan     (1'b1)
  ) u_double (
    .clk_i,
    .step_i(step_i[FloatDouble]),
    .a_i   (old_q),
    .b_i   (operand_q),
    .sum_o (double_sum)
  );

  float_adder u_single (
    .clk_i,
    .step_i(step_i[FloatSingle]),
    .a_i   (old_q[31:0]),
    .b_i   (operand_q[31:0]),
    .sum_o (single_sum)
  );

  for (genvar h = 0; h < 2; h++) begin : gen_half
    float_adder #(
      .ExponentBits(5),
      .FractionBits(10)
    ) u_half (
      .clk_i,
      .step_i(step_i[FloatHalf]),
      .a_i   (old_q[16*h+:16]),
      .b_i   (operand_q[16*h+:16]),
      .sum_o (half_sum[16*h+:16])
    );

    float_adder #(
      .ExponentBits(8),
      .FractionBits(7)
    ) u_brain (
      .clk_i,
      .step_i(step_i[FloatBrain]),
      .a_i   (old_q[16*h+:16]),
      .b_i   (operand_q[16*h+:16]),
      .sum_o (brain_sum[16*h+:16])
    );
  end

  always_comb begin : result
    case (format_i)
      FloatDouble: sum_o = double_sum;
      FloatSingle: sum_o = 64'(single_sum);
      FloatHalf:   sum_o = 64'(half_sum);
      default:     sum_o = 64'(brain_sum);
    endcase
  end

endmodule
