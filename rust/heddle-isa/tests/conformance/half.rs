//! Half precision, brain floats and their packed pairs: arithmetic, comparisons and conversions against
//! rustc_apfloat, one half at a time.

use heddle_isa::{Alu, Cmp, FloatTest, Mods, Op, Rounding, Type};
use rustc_apfloat::ieee::{BFloat, Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::float::{MODES, Rules};
use crate::harness::{Random, alu, batch, check};

const NEAREST: Round = Round::NearestTiesToEven;

const HALF: Rules = Rules { ty: Type::F16, sign: 0x8000, infinity: 0x7c00, one: 0x3c00 };
const BRAIN: Rules = Rules { ty: Type::Bf16, sign: 0x8000, infinity: 0x7f80, one: 0x3f80 };
const SINGLE: Rules = Rules { ty: Type::F32, sign: 1 << 31, infinity: 0x7f80_0000, one: 0x3f80_0000 };

fn packed(ty: Type) -> Type {
    if ty == Type::F16 { Type::F16x2 } else { Type::Bf16x2 }
}

/// The result of an operation on 16-bit operands, by apfloat and the rules of PTX.
fn result<F: Float>(rules: &Rules, op: Alu, mods: &Mods, o: &[u64]) -> u64 {
    let flushed: Vec<u64> = o.iter().map(|&x| rules.flush(mods.ftz, x)).collect();
    let f = |i: usize| F::from_bits(flushed[i].into());
    let magnitude = |i: usize| F::from_bits((flushed[i] & 0x7fff).into());
    let value = match op {
        Alu::Add => f(0).add_r(f(1), NEAREST).value,
        Alu::Sub => f(0).sub_r(f(1), NEAREST).value,
        Alu::Mul => f(0).mul_r(f(1), NEAREST).value,
        Alu::Fma => f(0).mul_add_r(f(1), f(2), NEAREST).value,
        Alu::Abs => f(0).abs(),
        Alu::Neg => -f(0),
        Alu::Min | Alu::Max => {
            let (x, y) = if mods.xorsign { (magnitude(0), magnitude(1)) } else { (f(0), f(1)) };
            let unordered = x.is_nan() || y.is_nan();
            if unordered && mods.nan {
                F::NAN
            } else if op == Alu::Min {
                // apfloat's minimum orders the zeros; it gives NaN for NaN, which PTX does not.
                if x.is_nan() {
                    y
                } else if y.is_nan() {
                    x
                } else {
                    x.minimum(y)
                }
            } else if x.is_nan() {
                y
            } else if y.is_nan() {
                x
            } else {
                x.maximum(y)
            }
        }
        _ => panic!("{op:?}"),
    };
    let mut bits = value.to_bits() as u64;
    if mods.xorsign && !value.is_nan() {
        bits |= (flushed[0] ^ flushed[1]) & 0x8000;
    }
    let settled = rules.settle(mods, bits, &[]);
    if mods.relu && settled & rules.sign != 0 && !rules.is_nan(settled) { 0 } else { settled }
}

fn sweep<F: Float>(rules: &Rules, seed: u64) {
    let mut random = Random::new(seed);
    let ops = [Alu::Add, Alu::Sub, Alu::Mul, Alu::Fma, Alu::Abs, Alu::Neg, Alu::Min, Alu::Max];
    for op in ops {
        let arity = match op {
            Alu::Abs | Alu::Neg => 1,
            Alu::Fma => 3,
            _ => 2,
        };
        let selects = matches!(op, Alu::Min | Alu::Max);
        for flags in 0..8 {
            let on = |bit: u32| flags >> bit & 1 != 0;
            let mods = Mods {
                ftz: on(0) && rules.ty == Type::F16,
                sat: on(1) && rules.ty == Type::F16 && !selects && arity > 1,
                nan: on(1) && selects,
                xorsign: on(2) && selects,
                relu: on(2) && op == Alu::Fma,
                ..Mods::default()
            };
            check(&mut random, &alu(op, rules.ty, mods), &vec![rules.ty; arity], 1, 20, |o| {
                result::<F>(rules, op, &mods, o)
            });
            let ty = packed(rules.ty);
            check(&mut random, &alu(op, ty, mods), &vec![ty; arity], 1, 20, |o| {
                let of = |shift: u32| -> Vec<u64> { o.iter().map(|x| x >> shift & 0xffff).collect() };
                result::<F>(rules, op, &mods, &of(0)) | result::<F>(rules, op, &mods, &of(16)) << 16
            });
        }
    }
}

pub fn arithmetic() {
    sweep::<Half>(&HALF, 71);
    sweep::<BFloat>(&BRAIN, 72);
}

/// Minimum and maximum of magnitudes in single precision.
pub fn single_precision_magnitudes() {
    let mut random = Random::new(73);
    for op in [Alu::Min, Alu::Max] {
        for nan in [false, true] {
            let mods = Mods { nan, xorsign: true, ..Mods::default() };
            check(&mut random, &alu(op, Type::F32, mods), &[Type::F32, Type::F32], 1, 100, |o| {
                let (a, b) = (f32::from_bits(o[0] as u32).abs(), f32::from_bits(o[1] as u32).abs());
                // The host's min and max give the number where one operand is NaN.
                let chosen = if op == Alu::Min { a.min(b) } else { a.max(b) };
                if chosen.is_nan() || (nan && (a.is_nan() || b.is_nan())) {
                    return 0x7fff_ffff;
                }
                u64::from(chosen.to_bits()) | ((o[0] ^ o[1]) & 1 << 31)
            });
        }
    }
}

fn value<F: Float + FloatConvert<Double>>(bits: u64) -> f64 {
    let double: Double = F::from_bits(bits.into()).convert(&mut false).value;
    f64::from_bits(double.to_bits() as u64)
}

fn comparisons_of<F: Float + FloatConvert<Double>>(rules: &Rules, seed: u64) {
    let mut random = Random::new(seed);
    let holds = |cmp: Cmp, a: u64, b: u64| {
        let (x, y) = (value::<F>(a), value::<F>(b));
        let unordered = x.is_nan() || y.is_nan();
        match cmp {
            Cmp::Lt => x < y,
            Cmp::Equ => unordered || x == y,
            Cmp::Nan => unordered,
            _ => x >= y,
        }
    };
    for cmp in [Cmp::Lt, Cmp::Ge, Cmp::Equ, Cmp::Nan] {
        let ty = packed(rules.ty);
        let setp = |ty| Op::Setp { cmp, ty, ftz: false, combine: None };
        for _ in 0..30 {
            let one = batch(&mut random, &setp(rules.ty), &[rules.ty; 2]);
            let two = batch(&mut random, &setp(ty), &[ty; 2]);
            for lane in 0..32 {
                let get = |mask: u32| mask >> lane & 1 != 0;
                let expected = holds(cmp, one.operands[0][lane], one.operands[1][lane]);
                assert_eq!(one.outputs.preds.map(get), [expected, !expected], "{cmp:?} {:?}", rules.ty);
                for (shift, mask) in [(0, two.outputs.preds[0]), (16, two.outputs.preds[1])] {
                    let half = |i: usize| two.operands[i][lane] >> shift & 0xffff;
                    assert_eq!(get(mask), holds(cmp, half(0), half(1)), "{cmp:?} {ty:?} at {shift}");
                }
            }
        }
        for (to, one) in [(rules.ty, rules.one), (Type::U16, 0xffff), (Type::U32, 0xffff_ffff)] {
            let op = Op::Set { cmp, ty: rules.ty, to, ftz: false, combine: None };
            check(&mut random, &op, &[rules.ty; 2], 1, 10, |o| if holds(cmp, o[0], o[1]) { one } else { 0 });
        }
        for (to, one) in [(ty, rules.one), (Type::U32, 0xffff)] {
            let op = Op::Set { cmp, ty, to, ftz: false, combine: None };
            check(&mut random, &op, &[ty; 2], 1, 10, |o| {
                let half = |shift: u32| {
                    let holds = holds(cmp, o[0] >> shift & 0xffff, o[1] >> shift & 0xffff);
                    if holds { one << shift } else { 0 }
                };
                half(0) | half(16)
            });
        }
    }
}

pub fn comparisons() {
    comparisons_of::<Half>(&HALF, 74);
    comparisons_of::<BFloat>(&BRAIN, 75);
}

fn narrowed<F: Float>(rules: &Rules, mods: &Mods, round: Round, x: u64) -> u64
where
    Single: FloatConvert<F>,
{
    let x = SINGLE.flush(mods.ftz, x);
    let narrow: F = Single::from_bits(x.into()).convert_r(round, &mut false).value;
    let settled = Mods { ftz: false, ..*mods };
    let bits = rules.settle(&settled, narrow.to_bits() as u64, &[]);
    if mods.relu && bits & rules.sign != 0 && !rules.is_nan(bits) { 0 } else { bits }
}

fn conversions_of<F: Float + FloatConvert<Single>>(rules: &Rules, seed: u64)
where
    Single: FloatConvert<F>,
{
    let mut random = Random::new(seed);
    for (rounding, round) in MODES {
        for relu in [false, true] {
            let mods = Mods { rounding: Some(rounding), relu, ..Mods::default() };
            let op = Op::Cvt { to: rules.ty, from: Type::F32, mods };
            check(&mut random, &op, &[Type::F32], 1, 30, |o| narrowed::<F>(rules, &mods, round, o[0]));
            let op = Op::Cvt { to: packed(rules.ty), from: Type::F32, mods };
            check(&mut random, &op, &[Type::F32, Type::F32], 1, 30, |o| {
                let half = |i: usize| narrowed::<F>(rules, &mods, round, o[i]);
                half(0) << 16 | half(1)
            });
        }
    }
    let op = Op::Cvt { to: Type::F32, from: rules.ty, mods: Mods::default() };
    check(&mut random, &op, &[rules.ty], 1, 100, |o| {
        let wide: Single = F::from_bits(o[0].into()).convert(&mut false).value;
        SINGLE.settle(&Mods::default(), wide.to_bits() as u64, &[])
    });
}

pub fn conversions() {
    conversions_of::<Half>(&HALF, 76);
    conversions_of::<BFloat>(&BRAIN, 77);
    let mut random = Random::new(78);
    for rounding in [Rounding::Rna, Rounding::Rn, Rounding::Rz] {
        for relu in [false, true] {
            let mods = Mods { rounding: Some(rounding), relu, ..Mods::default() };
            let op = Op::Cvt { to: Type::Tf32, from: Type::F32, mods };
            check(&mut random, &op, &[Type::F32], 1, 100, |o| {
                if SINGLE.is_nan(o[0]) {
                    return 0x7fff_ffff;
                }
                if relu && o[0] >> 31 != 0 {
                    return 0;
                }
                // The 13 bits below the last kept one decide; a carry into the exponent is right.
                let up = match rounding {
                    Rounding::Rna => 0x1000,
                    Rounding::Rn => 0xfff + (o[0] >> 13 & 1),
                    _ => 0,
                };
                if o[0] & SINGLE.infinity == SINGLE.infinity { o[0] } else { (o[0] + up) & !0x1fff }
            });
        }
    }
}

/// `ex2` and `tanh` within one unit of the last place of their format.
pub fn approximations() {
    let mut random = Random::new(79);
    for (rules, mantissa, least) in [(&HALF, 10, -14), (&BRAIN, 7, -126)] {
        for (op, exact) in [(Alu::Ex2, f64::exp2 as fn(f64) -> f64), (Alu::Tanh, f64::tanh)] {
            let mods = Mods { approx: true, ..Mods::default() };
            for _ in 0..100 {
                let b = batch(&mut random, &alu(op, rules.ty, mods), &[rules.ty]);
                for lane in 0..32 {
                    let of = |bits: u64| match rules.ty {
                        Type::F16 => value::<Half>(bits),
                        _ => value::<BFloat>(bits),
                    };
                    let x = of(b.operands[0][lane]);
                    let found = of(b.outputs.values[0][lane].into());
                    let expected = exact(x);
                    if expected.is_nan() {
                        assert_eq!(b.outputs.values[0][lane], 0x7fff, "{op:?} of {x}");
                        continue;
                    }
                    let largest = (2.0 - 2f64.powi(-mantissa)) * 2f64.powi(-least + 1);
                    if found.is_infinite() {
                        assert!(expected.abs() > largest, "{op:?} of {x}: {found}, exactly {expected}");
                        continue;
                    }
                    let unit = 2f64.powi((expected.abs().log2().floor() as i32).max(least) - mantissa);
                    assert!((found - expected).abs() <= unit, "{op:?} of {x}: {found}, exactly {expected}");
                }
            }
        }
    }
}

pub fn properties() {
    let mut random = Random::new(80);
    let tests = [
        FloatTest::Finite,
        FloatTest::Infinite,
        FloatTest::Number,
        FloatTest::NotANumber,
        FloatTest::Normal,
        FloatTest::Subnormal,
    ];
    for ty in [Type::F32, Type::F64] {
        for test in tests {
            for _ in 0..40 {
                let b = batch(&mut random, &Op::Testp { test, ty }, &[ty]);
                for lane in 0..32 {
                    let bits = b.operands[0][lane];
                    let class = match ty {
                        Type::F32 => f32::from_bits(bits as u32).classify(),
                        _ => f64::from_bits(bits).classify(),
                    };
                    use std::num::FpCategory::{Infinite, Nan, Normal, Subnormal, Zero};
                    let expected = match test {
                        FloatTest::Finite => !matches!(class, Nan | Infinite),
                        FloatTest::Infinite => class == Infinite,
                        FloatTest::Number => class != Nan,
                        FloatTest::NotANumber => class == Nan,
                        FloatTest::Normal => matches!(class, Normal | Zero),
                        FloatTest::Subnormal => class == Subnormal,
                    };
                    assert_eq!(b.outputs.preds[0] >> lane & 1 != 0, expected, "{test:?} of {bits:#x}");
                }
            }
        }
    }
}
