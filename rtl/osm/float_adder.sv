// Sum of two floating-point numbers, rounded to nearest even, in three stages: align, add, round.
// Subnormals are kept. A NaN has all bits set but the sign; with PassNan the first NaN of the
// operands goes on, quiet, and what is no number without one has sign and quiet bit.
module float_adder #(
  parameter  int unsigned ExponentBits = 8,
  parameter  int unsigned FractionBits = 23,
  parameter  bit          PassNan      = 1'b0,
  localparam int unsigned Bits         = 1 + ExponentBits + FractionBits
) (
  input  logic            clk_i,
  input  logic [2:0]      step_i,  // stages that take what is before them
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  output logic [Bits-1:0] sum_o    // of the operands three steps ago
);

  localparam int unsigned PartBits  = FractionBits + 4;  // leading bit, and guard, round, sticky
  localparam int unsigned ShiftBits = $clog2(PartBits);
  localparam int unsigned Wide      = 2 ** ShiftBits;

  typedef logic [Bits-1:0]         number_t;
  typedef logic [Bits-2:0]         magnitude_t;
  typedef logic [ExponentBits-1:0] exponent_t;
  typedef logic [FractionBits-1:0] fraction_t;
  typedef logic [PartBits-1:0]     part_t;

  localparam exponent_t AllOnes = '1;

  typedef struct packed {
    logic      is_special;  // the sum is what stands in special
    number_t   special;
    logic      sign;
    logic      subtract;
    exponent_t exponent;
    part_t     bigger;
    part_t     lesser;
  } aligned_t;

  typedef struct packed {
    logic                  is_special;
    number_t               special;
    logic                  sign;
    logic                  carry;
    logic [ShiftBits-1:0]  shift;
    logic [ExponentBits:0] exponent;
    logic [PartBits:0]     raw;
  } added_t;

  // ---- align the lesser number ----
  function automatic logic is_nan(input magnitude_t x);
    return x[FractionBits+:ExponentBits] == AllOnes && x[FractionBits-1:0] != '0;
  endfunction

  function automatic part_t part_of(input magnitude_t x);
    return {x[FractionBits+:ExponentBits] != '0, x[FractionBits-1:0], 3'd0};
  endfunction

  function automatic aligned_t align(input number_t a, input number_t b);
    number_t    bigger;
    magnitude_t lesser;
    exponent_t  lesser_exponent, distance;
    part_t      part;
    logic       sticky, infinite;
    bigger          = (a[Bits-2:0] >= b[Bits-2:0]) ? a : b;
    lesser          = (a[Bits-2:0] >= b[Bits-2:0]) ? b[Bits-2:0] : a[Bits-2:0];
    align.sign      = bigger[Bits-1];
    align.subtract  = a[Bits-1] != b[Bits-1];
    align.exponent  = bigger[FractionBits+:ExponentBits];
    lesser_exponent = lesser[FractionBits+:ExponentBits];
    infinite        = align.exponent == AllOnes;
    if (align.exponent == '0) align.exponent = exponent_t'(1);
    if (lesser_exponent == '0) lesser_exponent = exponent_t'(1);
    distance     = align.exponent - lesser_exponent;
    align.bigger = part_of(bigger[Bits-2:0]);
    part         = part_of(lesser);
    sticky       = 1'b0;
    for (int unsigned k = 0; k < ExponentBits; k++) begin
      if (distance[k]) begin
        if (k < ShiftBits) begin
          sticky |= (part & ((part_t'(1) << (1 << k)) - part_t'(1))) != '0;
          part = part >> (1 << k);
        end else begin
          sticky |= part != '0;
          part = '0;
        end
      end
    end
    align.lesser    = part;
    align.lesser[0] = part[0] | sticky;
    // The bigger one is NaN if any is; two infinities of different signs make one.
    align.is_special = infinite;
    align.special    = {bigger[Bits-1], AllOnes, fraction_t'(0)};
    if (is_nan(bigger[Bits-2:0]) || (align.subtract && lesser_exponent == AllOnes)) begin
      align.special = PassNan ? {1'b1, AllOnes, 1'b1, (FractionBits-1)'(0)}
                              : {1'b0, AllOnes, {FractionBits{1'b1}}};
      if (PassNan && is_nan(b[Bits-2:0])) align.special = b;
      if (PassNan && is_nan(a[Bits-2:0])) align.special = a;
      align.special[FractionBits-1] = 1'b1;
    end
  endfunction

  // ---- add, and find the leading one ----
  function automatic added_t add(input aligned_t x);
    logic [Wide-1:0] rest;
    exponent_t       most;
    add.is_special = x.is_special;
    add.special    = x.special;
    add.sign       = x.sign;
    add.raw        = x.subtract ? (PartBits+1)'(x.bigger) - (PartBits+1)'(x.lesser)
                                : (PartBits+1)'(x.bigger) + (PartBits+1)'(x.lesser);
    if (add.raw == '0) add.sign = x.sign && !x.subtract;
    add.carry = add.raw[PartBits];
    rest      = Wide'(add.raw[PartBits-1:0]) << (Wide - PartBits);
    for (int k = int'(ShiftBits) - 1; k >= 0; k--) begin
      add.shift[k] = (rest >> (Wide - (1 << k))) == '0;
      if (add.shift[k]) rest = rest << (1 << k);
    end
    // A subnormal sum is shifted as far as its exponent allows.
    most = x.exponent - exponent_t'(1);
    if ((ExponentBits+ShiftBits)'(most) < (ExponentBits+ShiftBits)'(add.shift)) begin
      add.shift = ShiftBits'(most);
    end
    add.exponent = add.carry ? (ExponentBits+1)'(x.exponent) + (ExponentBits+1)'(1)
                             : (ExponentBits+1)'(x.exponent) - (ExponentBits+1)'(add.shift);
  endfunction

  // ---- normalise and round; a carry out of the fraction raises the exponent by itself ----
  function automatic number_t round(input added_t x);
    part_t         normal;
    logic          up;
    logic [Bits-1:0] rounded;  // exponent with a bit more, and fraction
    normal = x.carry ? {x.raw[PartBits:2], x.raw[1] | x.raw[0]} : x.raw[PartBits-1:0] << x.shift;
    up      = normal[2] && (normal[3] || normal[1] || normal[0]);
    rounded = {normal[PartBits-1] ? x.exponent : (ExponentBits+1)'(0),
               normal[PartBits-2:3]} + number_t'(up);
    if (x.is_special) return x.special;
    if (rounded[FractionBits+:ExponentBits+1] >= {1'b0, AllOnes}) begin
      return {x.sign, AllOnes, fraction_t'(0)};
    end
    return {x.sign, rounded[Bits-2:0]};
  endfunction

  aligned_t aligned_q;
  added_t   added_q;

  // Computed where it is stored, so that stages at rest stay as they are.
  always_ff @(posedge clk_i) begin : stages
    if (step_i[0]) aligned_q <= align(a_i, b_i);
    if (step_i[1]) added_q <= add(aligned_q);
    if (step_i[2]) sum_o <= round(added_q);
  end

endmodule
