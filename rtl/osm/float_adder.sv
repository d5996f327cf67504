// Sum of two floating-point numbers, rounded to nearest even, in four stages: align, add, find the
// leading one, round. Subnormals are kept. A NaN has all bits set but the sign; with PassNan the
// first NaN of the operands goes on, quiet, and what is no number without one has sign and quiet
// bit.
module float_adder #(
  parameter  int unsigned ExponentBits = 8,
  parameter  int unsigned FractionBits = 23,
  parameter  bit          PassNan      = 1'b0,
  localparam int unsigned Bits         = 1 + ExponentBits + FractionBits
) (
  input  logic            clk_i,
  input  logic [3:0]      step_i,  // stages that take what is before them
  input  logic [Bits-1:0] a_i,
  input  logic [Bits-1:0] b_i,
  output logic [Bits-1:0] sum_o    // of the operands four steps ago
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
    logic              is_special;
    number_t           special;
    logic              sign;
    exponent_t         exponent;
    logic [PartBits:0] raw;
  } added_t;

  typedef struct packed {
    logic                  is_special;
    number_t               special;
    logic                  sign;
    logic                  carry;
    logic [ShiftBits-1:0]  shift;
    logic [ExponentBits:0] exponent;
    logic [PartBits:0]     raw;
  } measured_t;

  // ---- align the lesser number ----
  function automatic logic is_nan(input magnitude_t x);
    return x[FractionBits+:ExponentBits] == AllOnes && x[FractionBits-1:0] != '0;
  endfunction

  function automatic part_t part_of(input magnitude_t x);
    return {x[FractionBits+:ExponentBits] != '0, x[FractionBits-1:0], 3'd0};
  endfunction

  // That of a subnormal is the least.
  function automatic exponent_t exponent_of(input exponent_t stored);
    exponent_of = (stored == '0) ? exponent_t'(1) : stored;
  endfunction

  function automatic aligned_t align(input number_t a, input number_t b);
    number_t    bigger;
    magnitude_t lesser;
    exponent_t  a_exponent, b_exponent, distance;
    logic       is_a;
    part_t      part;
    logic       sticky, infinite, both_infinite;
    // The distance of the exponents is there beside the comparison.
    is_a           = a[Bits-2:0] >= b[Bits-2:0];
    bigger         = is_a ? a : b;
    lesser         = is_a ? b[Bits-2:0] : a[Bits-2:0];
    align.sign     = bigger[Bits-1];
    align.subtract = a[Bits-1] != b[Bits-1];
    infinite       = bigger[FractionBits+:ExponentBits] == AllOnes;
    both_infinite  = infinite && lesser[FractionBits+:ExponentBits] == AllOnes;
    a_exponent     = exponent_of(a[FractionBits+:ExponentBits]);
    b_exponent     = exponent_of(b[FractionBits+:ExponentBits]);
    align.exponent = is_a ? a_exponent : b_exponent;
    distance       = is_a ? a_exponent - b_exponent : b_exponent - a_exponent;
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
    if (is_nan(bigger[Bits-2:0]) || (align.subtract && both_infinite)) begin
      align.special = PassNan ? {1'b1, AllOnes, fraction_t'(0)}
                              : {1'b0, AllOnes, {FractionBits{1'b1}}};
      if (PassNan && is_nan(b[Bits-2:0])) align.special = b;
      if (PassNan && is_nan(a[Bits-2:0])) align.special = a;
      align.special[FractionBits-1] = 1'b1;
    end
  endfunction

  // ---- add ----
  function automatic added_t add(input aligned_t x);
    add.is_special = x.is_special;
    add.special    = x.special;
    add.exponent   = x.exponent;
    add.raw        = x.subtract ? (PartBits+1)'(x.bigger) - (PartBits+1)'(x.lesser)
                                : (PartBits+1)'(x.bigger) + (PartBits+1)'(x.lesser);
    add.sign       = (x.subtract && x.bigger == x.lesser) ? 1'b0 : x.sign;
  endfunction

  // ---- find the leading one ----
  function automatic measured_t measure(input added_t x);
    logic [Wide-1:0] rest;
    exponent_t       most;
    measure.is_special = x.is_special;
    measure.special    = x.special;
    measure.sign       = x.sign;
    measure.raw        = x.raw;
    measure.carry      = x.raw[PartBits];
    rest               = Wide'(x.raw[PartBits-1:0]) << (Wide - PartBits);
    for (int k = int'(ShiftBits) - 1; k >= 0; k--) begin
      measure.shift[k] = (rest >> (Wide - (1 << k))) == '0;
      if (measure.shift[k]) rest = rest << (1 << k);
    end
    // A subnormal sum is shifted as far as its exponent allows.
    most = x.exponent - exponent_t'(1);
    if ((ExponentBits+ShiftBits)'(most) < (ExponentBits+ShiftBits)'(measure.shift)) begin
      measure.shift = ShiftBits'(most);
    end
    measure.exponent = measure.carry
        ? (ExponentBits+1)'(x.exponent) + (ExponentBits+1)'(1)
        : (ExponentBits+1)'(x.exponent) - (ExponentBits+1)'(measure.shift);
  endfunction

  // ---- normalise and round; a carry out of the fraction raises the exponent by itself ----
  function automatic number_t round(input measured_t x);
    part_t           normal;
    logic            up, infinite;
    logic [Bits-2:0] rounded;
    normal = x.carry ? {x.raw[PartBits:2], x.raw[1] | x.raw[0]} : x.raw[PartBits-1:0] << x.shift;
    up     = normal[2] && (normal[3] || normal[1] || normal[0]);
    // Whether the sum is too large is there beside it.
    infinite = normal[PartBits-1] && (x.exponent >= (ExponentBits+1)'(AllOnes) ||
        (x.exponent == (ExponentBits+1)'(AllOnes - exponent_t'(1)) && up &&
         normal[PartBits-2:3] == '1));
    rounded = {normal[PartBits-1] ? x.exponent[ExponentBits-1:0] : exponent_t'(0),
               normal[PartBits-2:3]} + magnitude_t'(up);
    if (x.is_special) return x.special;
    if (infinite) return {x.sign, AllOnes, fraction_t'(0)};
    return {x.sign, rounded};
  endfunction

  aligned_t  aligned_q;
  added_t    added_q;
  measured_t measured_q;

  // Computed where it is stored, so that stages at rest stay as they are.
  always_ff @(posedge clk_i) begin : stages
    if (step_i[0]) aligned_q <= align(a_i, b_i);
    if (step_i[1]) added_q <= add(aligned_q);
    if (step_i[2]) measured_q <= measure(added_q);
    if (step_i[3]) sum_o <= round(measured_q);
  end

endmodule
