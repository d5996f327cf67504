// The operation of one lane's atomic access, on 32 or 64 bits.
//
// Codes 0 to 9 are those of the port; 10 to 12 are the signed minimum and maximum and the addition
// of single-precision numbers, which the port's operation alone does not tell from the unsigned
// ones.
module atomic_unit
  import heddle_port_pkg::*;
(
  input  logic [3:0]  operation_i,
  input  logic        wide_i,       // 64 bits
  input  logic [63:0] old_i,
  input  logic [63:0] operand_i,    // for a compare-and-swap: what is expected
  input  logic [63:0] swap_i,       // compare-and-swap only
  output logic [63:0] new_o
);

  logic [63:0] old, operand, shifted_old, shifted_operand;
  logic        less, signed_less, equal;
  logic [31:0] float_sum;

  assign old             = wide_i ? old_i : 64'(old_i[31:0]);
  assign operand         = wide_i ? operand_i : 64'(operand_i[31:0]);
  assign shifted_old     = wide_i ? old_i : {old_i[31:0], 32'd0};
  assign shifted_operand = wide_i ? operand_i : {operand_i[31:0], 32'd0};
  assign less            = operand < old;
  assign signed_less     = $signed(shifted_operand) < $signed(shifted_old);
  assign equal           = old == operand;

  float_adder u_float (
    .a_i  (old_i[31:0]),
    .b_i  (operand_i[31:0]),
    .sum_o(float_sum)
  );

  always_comb begin : operation
    case (operation_i)
      4'd0:    new_o = old + operand;
      4'd1:    new_o = less ? operand : old;
      4'd2:    new_o = less ? old : operand;
      4'd3:    new_o = old & operand;
      4'd4:    new_o = old | operand;
      4'd5:    new_o = old ^ operand;
      4'd6:    new_o = operand;
      4'd7:    new_o = equal ? swap_i : old;
      4'd8:    new_o = (old >= operand) ? '0 : old + 64'd1;
      4'd9:    new_o = (old == '0 || old > operand) ? operand : old - 64'd1;
      4'd10:   new_o = signed_less ? operand : old;
      4'd11:   new_o = signed_less ? old : operand;
      default: new_o = 64'(float_sum);
    endcase
  end

endmodule
