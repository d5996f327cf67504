//! The approximate functions of the special function unit.
//!
//! The hardware's own tables are not published. These are evaluated in double precision with fixed
//! polynomials and rounded once to single precision, so that they are the same on every machine and
//! lie within the error that the PTX ISA allows: at most 0.51 units in the last place of the result
//! for `rcp`, `rsqrt`, `ex2`, `lg2`, `tanh` and `div`; an absolute error of 2^-24 for `sin` and `cos` with
//! arguments up to 100 pi (beyond, the PTX ISA states no bound).

use std::f64::consts::{FRAC_2_PI, LN_2, LOG2_E, TAU};

/// `1 / x`.
#[inline(always)]
pub(super) fn rcp(x: f32) -> f32 {
    1.0 / x
}

/// `rcp.approx.ftz.f64` and `rsqrt.approx.ftz.f64`: `function` of the upper word, whose lower word counts as zero, rounded to
/// the upper word of the result; subnormals are flushed on both sides, and a NaN is `0x7fffffff_00000000`.
pub(super) fn upper(bits: u64, function: fn(f64) -> f64) -> u64 {
    const UPPER: u64 = 0xffff_ffff_0000_0000;
    const NAN: u64 = 0x7fff_ffff_0000_0000;
    let flushed = |x: f64| if x.is_subnormal() { 0.0f64.copysign(x) } else { x };
    let result = function(flushed(f64::from_bits(bits & UPPER)));
    if result.is_nan() { NAN } else { flushed(f64::from_bits(result.to_bits() & UPPER)).to_bits() }
}

/// `1 / sqrt(x)`.
#[inline(always)]
pub(super) fn rsqrt(x: f32) -> f32 {
    (1.0 / f64::from(x).sqrt()) as f32
}

/// `div.approx`: the quotient; for a divisor between 2^126 and 2^128 the PTX ISA gives zero, or NaN
/// for an infinite dividend.
#[inline(always)]
pub(super) fn div(a: f32, b: f32) -> f32 {
    let huge = f32::from_bits(0x7e80_0000);
    if b.abs() > huge && b.is_finite() && !a.is_nan() {
        if a.is_infinite() { f32::NAN } else { 0.0f32.copysign(a) * 1.0f32.copysign(b) }
    } else {
        a / b
    }
}

/// `x` rounded to an integer, ties to even, for magnitudes below 2^51: adding the constant leaves no
/// fraction bits.
#[inline(always)]
fn nearest(x: f64) -> f64 {
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    (x + SHIFT) - SHIFT
}

/// Sum of `coefficients[i] * x^i`.
#[inline(always)]
fn polynomial<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut value = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        value = value * x + coefficients[i];
    }
    value
}

/// `2^x` within a few units of the last place, between 2^-200 and 2^200; NaN for NaN.
pub(super) fn exp2(x: f64) -> f64 {
    const INVERSE_FACTORIAL: [f64; 13] = [
        1.0,
        1.0,
        1.0 / 2.0,
        1.0 / 6.0,
        1.0 / 24.0,
        1.0 / 120.0,
        1.0 / 720.0,
        1.0 / 5040.0,
        1.0 / 40320.0,
        1.0 / 362_880.0,
        1.0 / 3_628_800.0,
        1.0 / 39_916_800.0,
        1.0 / 479_001_600.0,
    ];
    if x.is_nan() {
        return x;
    }
    let x = x.clamp(-200.0, 200.0);
    let whole = nearest(x);
    let scale = f64::from_bits(((whole as i64 + 1023) as u64) << 52);
    polynomial((x - whole) * LN_2, &INVERSE_FACTORIAL) * scale
}

/// `2^x`.
pub(super) fn ex2(x: f32) -> f32 {
    exp2(f64::from(x)) as f32
}

/// Hyperbolic tangent: a series near zero, else `(1 - e^-2|x|) / (1 + e^-2|x|)`.
pub(super) fn tanh(x: f64) -> f64 {
    const ODD: [f64; 6] = [1.0, -1.0 / 3.0, 2.0 / 15.0, -17.0 / 315.0, 62.0 / 2835.0, -1382.0 / 155_925.0];
    if x.abs() < 0.05 {
        return x * polynomial(x * x, &ODD);
    }
    let power = exp2(-2.0 * LOG2_E * x.abs());
    ((1.0 - power) / (1.0 + power)).copysign(x)
}

/// `log2(x)`.
pub(super) fn lg2(x: f32) -> f32 {
    const ODD_INVERSE: [f64; 11] = [
        1.0,
        1.0 / 3.0,
        1.0 / 5.0,
        1.0 / 7.0,
        1.0 / 9.0,
        1.0 / 11.0,
        1.0 / 13.0,
        1.0 / 15.0,
        1.0 / 17.0,
        1.0 / 19.0,
        1.0 / 21.0,
    ];
    if x == 0.0 {
        return f32::NEG_INFINITY;
    }
    if x.is_nan() || x < 0.0 {
        return f32::NAN;
    }
    if x.is_infinite() {
        return x;
    }
    let bits = f64::from(x).to_bits();
    let mut exponent = (bits >> 52) as i64 - 1023;
    let mut mantissa = f64::from_bits(bits & ((1 << 52) - 1) | 1023 << 52);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let logarithm = 2.0 * LOG2_E * s * polynomial(s * s, &ODD_INVERSE);
    (exponent as f64 + logarithm) as f32
}

/// Quadrant and remainder of `x` modulo pi/2.
fn reduce(x: f64) -> (i64, f64) {
    /// pi/2 in two parts; the product of the first with a 20-bit integer is exact.
    const HIGH: f64 = 1.570_796_326_734_125_6;
    const LOW: f64 = 6.077_100_506_506_192e-11;
    let x = if x.abs() > 400.0 { x % TAU } else { x };
    let quadrant = nearest(x * FRAC_2_PI);
    (quadrant as i64, x - quadrant * HIGH - quadrant * LOW)
}

fn sine(r: f64) -> f64 {
    const C: [f64; 8] = [
        1.0,
        -1.0 / 6.0,
        1.0 / 120.0,
        -1.0 / 5040.0,
        1.0 / 362_880.0,
        -1.0 / 39_916_800.0,
        1.0 / 6_227_020_800.0,
        -1.0 / 1_307_674_368_000.0,
    ];
    r * polynomial(r * r, &C)
}

fn cosine(r: f64) -> f64 {
    const C: [f64; 8] = [
        1.0,
        -1.0 / 2.0,
        1.0 / 24.0,
        -1.0 / 720.0,
        1.0 / 40320.0,
        -1.0 / 3_628_800.0,
        1.0 / 479_001_600.0,
        -1.0 / 87_178_291_200.0,
    ];
    polynomial(r * r, &C)
}

/// `sin(x)`, NaN for an infinite argument.
pub(super) fn sin(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    if x == 0.0 {
        return x;
    }
    let (quadrant, r) = reduce(f64::from(x));
    let value = match quadrant & 3 {
        0 => sine(r),
        1 => cosine(r),
        2 => -sine(r),
        _ => -cosine(r),
    };
    value as f32
}

/// `cos(x)`, NaN for an infinite argument.
pub(super) fn cos(x: f32) -> f32 {
    if !x.is_finite() {
        return f32::NAN;
    }
    let (quadrant, r) = reduce(f64::from(x));
    let value = match quadrant & 3 {
        0 => cosine(r),
        1 => -sine(r),
        2 => -cosine(r),
        _ => sine(r),
    };
    value as f32
}
