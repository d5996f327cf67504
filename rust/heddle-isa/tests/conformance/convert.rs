//! Conversions against rustc_apfloat and 128-bit integers.

use heddle_isa::{Mods, Op, Rounding, Type};
use rustc_apfloat::ieee::{Double, Half, Single};
use rustc_apfloat::{Float, FloatConvert, Round};

use crate::float::{MODES, RULES, Rules};
use crate::harness::{Random, check};

const INTEGERS: [Type; 8] =
    [Type::U8, Type::S8, Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64];

const INTEGRAL: [(Rounding, Round); 4] = [
    (Rounding::Rni, Round::NearestTiesToEven),
    (Rounding::Rzi, Round::TowardZero),
    (Rounding::Rmi, Round::TowardNegative),
    (Rounding::Rpi, Round::TowardPositive),
];

fn number(ty: Type, bits: u64) -> i128 {
    let shift = 64 - ty.bits();
    if ty.is_signed() { i128::from(((bits << shift) as i64) >> shift) } else { i128::from(bits) }
}

fn register(ty: Type, value: i128) -> u64 {
    match ty {
        Type::U8 => u64::from(value as u8),
        Type::S8 => u64::from(value as i8 as u32),
        Type::U16 => u64::from(value as u16),
        Type::S16 => u64::from(value as i16 as u32),
        Type::U32 | Type::S32 => u64::from(value as u32),
        _ => value as u64,
    }
}

fn range(ty: Type) -> (i128, i128) {
    if ty.is_signed() {
        (-(1 << (ty.bits() - 1)), (1 << (ty.bits() - 1)) - 1)
    } else {
        (0, (1 << ty.bits()) - 1)
    }
}

pub fn integers_to_integers() {
    let mut random = Random::new(31);
    for from in INTEGERS {
        for to in INTEGERS {
            for sat in [false, true] {
                let mods = Mods { sat, ..Mods::default() };
                let op = Op::Cvt { to, from, mods };
                check(&mut random, &op, &[from], to.words(), 15, |o| {
                    let value = number(from, o[0]);
                    let (low, high) = range(to);
                    register(to, if sat { value.clamp(low, high) } else { value })
                });
            }
        }
    }
}

fn from_integers<F: Float>(rules: &Rules, seed: u64) {
    let mut random = Random::new(seed);
    for from in INTEGERS {
        for (rounding, round) in MODES {
            let mods = Mods { rounding: Some(rounding), ..Mods::default() };
            let to = rules.ty;
            let op = Op::Cvt { to, from, mods };
            check(&mut random, &op, &[from], to.words(), 25, |o| {
                F::from_i128_r(number(from, o[0]), round).value.to_bits() as u64
            });
        }
    }
}

pub fn integers_to_floats() {
    from_integers::<Half>(&RULES[0], 32);
    from_integers::<Single>(&RULES[1], 33);
    from_integers::<Double>(&RULES[2], 34);
}

fn to_integers<F: Float>(rules: &Rules, seed: u64) {
    let mut random = Random::new(seed);
    for to in INTEGERS {
        for (rounding, round) in INTEGRAL {
            for ftz in [false, true] {
                let mods = Mods {
                    rounding: (rounding != Rounding::Rzi || ftz).then_some(rounding),
                    ftz: ftz && rules.ty == Type::F32,
                    ..Mods::default()
                };
                let from = rules.ty;
                let op = Op::Cvt { to, from, mods };
                check(&mut random, &op, &[from], to.words(), 25, |o| {
                    let bits = rules.flush(mods.ftz, o[0]);
                    if rules.is_nan(bits) {
                        let high = to.bits() == 64 || from == Type::F64;
                        return register(to, i128::from(high) << (to.bits() - 1));
                    }
                    let value = F::from_bits(bits.into());
                    let width = to.bits() as usize;
                    if to.is_signed() {
                        register(to, value.to_i128_r(width, round, &mut false).value)
                    } else {
                        register(to, value.to_u128_r(width, round, &mut false).value as i128)
                    }
                });
            }
        }
    }
}

pub fn floats_to_integers() {
    to_integers::<Half>(&RULES[0], 35);
    to_integers::<Single>(&RULES[1], 36);
    to_integers::<Double>(&RULES[2], 37);
}

fn between<A: Float + FloatConvert<B>, B: Float>(from: &Rules, to: &Rules, seed: u64) {
    let mut random = Random::new(seed);
    for (rounding, round) in MODES.into_iter().chain(INTEGRAL) {
        let integral = INTEGRAL.iter().any(|m| m.0 == rounding);
        if integral != (from.ty == to.ty) {
            continue;
        }
        for flags in 0..4 {
            let mods = Mods {
                rounding: Some(rounding),
                ftz: flags & 1 != 0,
                sat: flags & 2 != 0,
                ..Mods::default()
            };
            let op = Op::Cvt { to: to.ty, from: from.ty, mods };
            check(&mut random, &op, &[from.ty], to.ty.words(), 40, |o| {
                let on = |r: &Rules| mods.ftz && r.ty == Type::F32;
                let x = from.flush(on(from), o[0]);
                let mut value = A::from_bits(x.into());
                if integral {
                    value = value.round_to_integral(round).value;
                }
                let bits = value.convert_r(round, &mut false).value.to_bits() as u64;
                let operands = if from.ty == to.ty { o } else { &[][..] };
                let settled = Mods { ftz: on(to), ..mods };
                to.settle(&settled, bits, operands)
            });
        }
    }
}

pub fn floats_to_floats() {
    between::<Single, Single>(&RULES[1], &RULES[1], 41);
    between::<Double, Double>(&RULES[2], &RULES[2], 42);
    between::<Half, Half>(&RULES[0], &RULES[0], 43);
    between::<Single, Double>(&RULES[1], &RULES[2], 44);
    between::<Double, Single>(&RULES[2], &RULES[1], 45);
    between::<Half, Single>(&RULES[0], &RULES[1], 46);
    between::<Single, Half>(&RULES[1], &RULES[0], 47);
    between::<Double, Half>(&RULES[2], &RULES[0], 48);
    between::<Half, Double>(&RULES[0], &RULES[2], 49);
}
