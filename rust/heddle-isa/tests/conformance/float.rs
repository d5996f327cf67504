//! Floating-point arithmetic against rustc_apfloat, in all rounding modes.

use heddle_isa::{Alu, Mods, Rounding, Type};
use rustc_apfloat::ieee::{Double, Half, Quad, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::harness::{Random, alu, check};

pub const MODES: [(Rounding, Round); 4] = [
    (Rounding::Rn, Round::NearestTiesToEven),
    (Rounding::Rz, Round::TowardZero),
    (Rounding::Rm, Round::TowardNegative),
    (Rounding::Rp, Round::TowardPositive),
];

/// The parts of a format that the rules of PTX look at.
pub struct Rules {
    pub ty: Type,
    pub sign: u64,
    pub infinity: u64,
    pub one: u64,
}

pub const RULES: [Rules; 3] = [
    Rules { ty: Type::F16, sign: 0x8000, infinity: 0x7c00, one: 0x3c00 },
    Rules { ty: Type::F32, sign: 0x8000_0000, infinity: 0x7f80_0000, one: 0x3f80_0000 },
    Rules { ty: Type::F64, sign: 1 << 63, infinity: 0x7ff << 52, one: 0x3ff << 52 },
];

impl Rules {
    pub fn is_nan(&self, bits: u64) -> bool {
        bits & (self.sign - 1) > self.infinity
    }

    pub fn flush(&self, on: bool, bits: u64) -> u64 {
        if on && bits & self.infinity == 0 { bits & self.sign } else { bits }
    }

    /// Result bits by the rules for NaN, flushing and saturation.
    pub fn settle(&self, mods: &Mods, bits: u64, operands: &[u64]) -> u64 {
        let bits = if self.is_nan(bits) { self.nan(operands) } else { bits };
        let bits = self.flush(mods.ftz, bits);
        if !mods.sat {
            bits
        } else if self.is_nan(bits) || bits & self.sign != 0 {
            0
        } else {
            bits.min(self.one)
        }
    }

    fn nan(&self, operands: &[u64]) -> u64 {
        if self.ty != Type::F64 {
            return self.sign - 1;
        }
        let operand = operands.iter().find(|&&o| self.is_nan(o));
        operand.map_or(0xfff8 << 48, |o| o | 1 << 51)
    }
}

/// `op` on bits, by apfloat. The operands of a difference of mantissas fit a u128.
fn oracle<F: Float>(op: Alu, round: Round, o: &[u64]) -> u64 {
    let f = |i: usize| F::from_bits(o[i].into());
    let result = match op {
        Alu::Add => f(0).add_r(f(1), round).value,
        Alu::Sub => f(0).sub_r(f(1), round).value,
        Alu::Mul => f(0).mul_r(f(1), round).value,
        Alu::Div => f(0).div_r(f(1), round).value,
        Alu::Rcp => F::from_u128(1).value.div_r(f(0), round).value,
        _ => f(0).mul_add_r(f(1), f(2), round).value,
    };
    result.to_bits() as u64
}

fn arity(op: Alu) -> usize {
    match op {
        Alu::Rcp | Alu::Sqrt => 1,
        Alu::Fma => 3,
        _ => 2,
    }
}

fn sweep<F: Float>(rules: &Rules, seed: u64, ops: &[Alu], modes: usize, batches: usize) -> u64 {
    let mut random = Random::new(seed);
    let mut cases = 0;
    for (rounding, round) in MODES.into_iter().take(modes) {
        for &op in ops {
            for flags in 0..4 {
                let mods = Mods {
                    rounding: Some(rounding),
                    ftz: flags & 1 != 0 && rules.ty != Type::F64,
                    sat: flags & 2 != 0,
                    ..Mods::default()
                };
                if mods.sat && matches!(op, Alu::Rcp | Alu::Div) {
                    continue;
                }
                let types = vec![rules.ty; arity(op)];
                cases +=
                    check(&mut random, &alu(op, rules.ty, mods), &types, rules.ty.words(), batches, |o| {
                        let flushed: Vec<u64> = o.iter().map(|&x| rules.flush(mods.ftz, x)).collect();
                        rules.settle(&mods, oracle::<F>(op, round, &flushed), o)
                    });
            }
        }
    }
    cases
}

pub fn single_precision() {
    let ops = [Alu::Add, Alu::Sub, Alu::Mul, Alu::Div, Alu::Rcp, Alu::Fma];
    let cases = sweep::<Single>(&RULES[1], 11, &ops, 4, 60);
    assert!(cases > 100_000, "{cases} cases");
}

pub fn double_precision() {
    let ops = [Alu::Add, Alu::Sub, Alu::Mul, Alu::Div, Alu::Rcp, Alu::Fma];
    let cases = sweep::<Double>(&RULES[2], 12, &ops, 4, 40);
    assert!(cases > 80_000, "{cases} cases");
}

pub fn half_precision() {
    let ops = [Alu::Add, Alu::Sub, Alu::Mul, Alu::Fma];
    let cases = sweep::<Half>(&RULES[0], 13, &ops, 1, 100);
    assert!(cases > 40_000, "{cases} cases");
    let mut random = Random::new(14);
    let ty = Type::F16x2;
    let op = alu(Alu::Mul, ty, Mods::default());
    check(&mut random, &op, &[ty, ty], 1, 100, |o| {
        let half = |shift: u32| {
            let part = [o[0] >> shift & 0xffff, o[1] >> shift & 0xffff];
            let bits = oracle::<Half>(Alu::Mul, Round::NearestTiesToEven, &part);
            RULES[0].settle(&Mods::default(), bits, &part) << shift
        };
        half(0) | half(16)
    });
}

/// Checks that `root` is the square root of `bits` rounded as `mode` says, by squares in quadruple
/// precision, which holds them exactly.
fn is_root<F: Float + FloatConvert<Quad>>(bits: u64, root: u64, mode: Rounding) -> bool {
    let quad = |bits: u64| -> Quad { F::from_bits(bits.into()).convert(&mut false).value };
    if quad(root).is_negative() {
        return false;
    }
    let square = |bits: u64| (quad(bits) * quad(bits)).value;
    let x = quad(bits);
    if square(root) == x {
        return true;
    }
    let (below, above) = match mode {
        Rounding::Rp => (root - 1, root),
        Rounding::Rn => {
            // The middle to either neighbour, exact in quadruple precision.
            let half = |a: u64, b: u64| {
                let middle = ((quad(a) + quad(b)).value * Quad::from_bits(0x3ffe << 112)).value;
                (middle * middle).value
            };
            return half(root - 1, root) < x && x < half(root, root + 1);
        }
        _ => (root, root + 1),
    };
    square(below) < x && x < square(above)
}

pub fn square_roots() {
    for (rules, seed) in [(&RULES[1], 15), (&RULES[2], 16)] {
        let mut random = Random::new(seed);
        for (rounding, _) in MODES {
            let mods = Mods { rounding: Some(rounding), ..Mods::default() };
            let op = alu(Alu::Sqrt, rules.ty, mods);
            for _ in 0..200 {
                let b = crate::harness::batch(&mut random, &op, &[rules.ty]);
                for lane in 0..32 {
                    let x = b.operands[0][lane];
                    let root =
                        if rules.ty == Type::F64 { b.wide(lane) } else { b.outputs.values[0][lane].into() };
                    let magnitude = x & (rules.sign - 1);
                    let right = if rules.is_nan(x) || (x & rules.sign != 0 && magnitude != 0) {
                        root == rules.settle(&mods, rules.infinity + 1, &[x])
                    } else if magnitude == 0 || magnitude == rules.infinity {
                        root == x
                    } else if rules.ty == Type::F64 {
                        is_root::<Double>(x, root, rounding)
                    } else {
                        is_root::<Single>(x, root, rounding)
                    };
                    assert!(right, "sqrt {rounding:?} of {x:#x}: {root:#x}");
                }
            }
        }
    }
}

pub fn minimum_maximum_and_signs() {
    for rules in &RULES {
        let mut random = Random::new(17);
        let ty = rules.ty;
        // Order of the bits as signed magnitude, -0 below +0.
        let key = |bits: u64| {
            let magnitude = (bits & (rules.sign - 1)) as i128;
            if bits & rules.sign != 0 { -magnitude - 1 } else { magnitude }
        };
        for (op, larger) in [(Alu::Min, false), (Alu::Max, true)] {
            for nan in [false, true] {
                for ftz in [false, true] {
                    let mods = Mods { nan, ftz: ftz && ty != Type::F64, ..Mods::default() };
                    check(&mut random, &alu(op, ty, mods), &[ty, ty], ty.words(), 60, |o| {
                        let (a, b) = (rules.flush(mods.ftz, o[0]), rules.flush(mods.ftz, o[1]));
                        let chosen = match (rules.is_nan(a), rules.is_nan(b)) {
                            (true, true) => a,
                            (true, false) => {
                                if nan {
                                    a
                                } else {
                                    b
                                }
                            }
                            (false, true) => {
                                if nan {
                                    b
                                } else {
                                    a
                                }
                            }
                            _ => {
                                if (key(a) > key(b)) == larger {
                                    a
                                } else {
                                    b
                                }
                            }
                        };
                        rules.settle(&mods, chosen, o)
                    });
                }
            }
        }
        for op in [Alu::Abs, Alu::Neg] {
            check(&mut random, &alu(op, ty, Mods::default()), &[ty], ty.words(), 60, |o| {
                let x = if op == Alu::Abs { o[0] & !rules.sign } else { o[0] ^ rules.sign };
                if ty != Type::F64 && rules.is_nan(x) { rules.sign - 1 } else { x }
            });
        }
        if ty != Type::F16 {
            let op = alu(Alu::Copysign, ty, Mods::default());
            check(&mut random, &op, &[ty, ty], ty.words(), 60, |o| {
                (o[0] & rules.sign) | (o[1] & !rules.sign)
            });
        }
    }
}
