// Sum of two single-precision numbers, rounded to nearest even; subnormals are kept, and every NaN
// is 32'h7FFF_FFFF.
module float_adder (
  input  logic [31:0] a_i,
  input  logic [31:0] b_i,
  output logic [31:0] sum_o
);

  logic [31:0] bigger;
  logic [30:0] lesser;
  logic [7:0]  bigger_exponent, lesser_exponent, distance;
  logic [26:0] bigger_part, lesser_part, aligned;  // 24 bits and guard, round, sticky
  logic [27:0] raw;
  logic        subtract, sticky;

  // ---- align the lesser number ----
  assign bigger          = (a_i[30:0] >= b_i[30:0]) ? a_i : b_i;
  assign lesser          = (a_i[30:0] >= b_i[30:0]) ? b_i[30:0] : a_i[30:0];
  assign bigger_exponent = (bigger[30:23] == '0) ? 8'd1 : bigger[30:23];
  assign lesser_exponent = (lesser[30:23] == '0) ? 8'd1 : lesser[30:23];
  assign distance       = bigger_exponent - lesser_exponent;
  assign bigger_part     = {bigger[30:23] != '0, bigger[22:0], 3'd0};
  assign lesser_part     = {lesser[30:23] != '0, lesser[22:0], 3'd0};

  always_comb begin : align
    aligned = lesser_part >> distance;
    sticky  = (aligned << distance) != lesser_part;
    if (distance > 8'd26) begin
      aligned = '0;
      sticky  = lesser_part != '0;
    end
    aligned[0] |= sticky;
  end

  assign subtract = a_i[31] != b_i[31];
  assign raw      = subtract ? 28'(bigger_part) - 28'(aligned) : 28'(bigger_part) + 28'(aligned);

  // ---- normalise: the leading one to bit 26, or as far as the exponent allows ----
  logic [4:0]  zeros;
  logic [26:0] rest;
  logic [7:0]  shift;
  logic [26:0] normal;
  logic [8:0]  exponent;

  always_comb begin : leading
    rest     = raw[26:0];
    zeros[4] = rest[26:11] == '0;
    if (zeros[4]) rest <<= 16;
    zeros[3] = rest[26:19] == '0;
    if (zeros[3]) rest <<= 8;
    zeros[2] = rest[26:23] == '0;
    if (zeros[2]) rest <<= 4;
    zeros[1] = rest[26:25] == '0;
    if (zeros[1]) rest <<= 2;
    zeros[0] = !rest[26];
  end

  always_comb begin : normalise
    shift = (8'(zeros) < bigger_exponent) ? 8'(zeros) : bigger_exponent - 8'd1;
    if (raw[27]) begin
      normal   = {raw[27:2], raw[1] | raw[0]};
      exponent = 9'(bigger_exponent) + 9'd1;
    end else begin
      normal   = raw[26:0] << shift;
      exponent = 9'(bigger_exponent) - 9'(shift);
    end
  end

  // ---- round; a carry out of the fraction raises the exponent by itself ----
  logic        up;
  logic [31:0] rounded;

  assign up      = normal[2] && (normal[3] || normal[1] || normal[0]);
  assign rounded = {(normal[26] ? exponent : 9'd0), normal[25:3]} + 32'(up);

  always_comb begin : result
    if ((bigger[30:23] == '1 && bigger[22:0] != '0) || (lesser[30:23] == '1 && subtract)) begin
      sum_o = 32'h7FFF_FFFF;
    end else if (bigger[30:23] == '1 || rounded[31:23] >= 9'd255) begin
      sum_o = {bigger[31], 8'hFF, 23'd0};
    end else if (raw == '0) begin
      sum_o = {bigger[31] && !subtract, 31'd0};
    end else begin
      sum_o = {bigger[31], rounded[30:0]};
    end
  end

endmodule
