// The operation of one lane's atomic access on integers of 16, 32 or 64 bits.
//
// Codes 0 to 9 are those of the port; 10 and 11 are the signed minimum and maximum, which the
// port's operation alone does not tell from the unsigned ones. Floating-point additions are
// elsewhere (float_unit).
module atomic_unit
  import heddle_port_pkg::*;
(
  input  logic [3:0]  operation_i,
  input  logic [2:0]  size_log2_i,  // 1, 2 or 3
  input  logic [63:0] old_i,
  input  logic [63:0] operand_i,    // for a compare-and-swap: what is expected
  input  logic [63:0] swap_i,       // compare-and-swap only
  output logic [63:0] new_o
);

  logic [63:0] old, operand, addend, sum;
  logic        less, signed_less, equal, old_sign, operand_sign;

  always_comb begin : extend
    case (size_log2_i)
      3'd3: begin
        old     = old_i;
        operand = operand_i;
      end
      3'd2: begin
        old     = 64'(old_i[31:0]);
        operand = 64'(operand_i[31:0]);
      end
      default: begin
        old     = 64'(old_i[15:0]);
        operand = 64'(operand_i[15:0]);
      end
    endcase
    // Only words and doublewords are compared with their sign.
    old_sign     = (size_log2_i == 3'd3) ? old_i[63] : old_i[31];
    operand_sign = (size_log2_i == 3'd3) ? operand_i[63] : operand_i[31];
  end

  // One comparison and one addition serve all operations.
  assign less        = operand < old;
  assign signed_less = (operand_sign == old_sign) ? less : operand_sign;
  assign equal       = old == operand;

  always_comb begin : operand_of_sum
    case (operation_i)
      4'd8:    addend = 64'd1;
      4'd9:    addend = '1;
      default: addend = operand;
    endcase
  end

  assign sum = old + addend;

  always_comb begin : operation
    case (operation_i)
      4'd0:    new_o = sum;
      4'd1:    new_o = less ? operand : old;
      4'd2:    new_o = less ? old : operand;
      4'd3:    new_o = old & operand;
      4'd4:    new_o = old | operand;
      4'd5:    new_o = old ^ operand;
      4'd6:    new_o = operand;
      4'd7:    new_o = equal ? swap_i : old;
      4'd8:    new_o = (less || equal) ? '0 : sum;
      4'd9:    new_o = (old == '0 || less) ? operand : sum;
      4'd10:   new_o = signed_less ? operand : old;
      default: new_o = signed_less ? old : operand;
    endcase
  end

endmodule
