//! Integer operations against 128-bit integers and bit-by-bit definitions of the PTX ISA.

use heddle_isa::{Alu, Mods, Type};

use crate::harness::{Random, alu, batch, check};

const NARROW: [Type; 2] = [Type::U16, Type::S16];
const WORD: [Type; 2] = [Type::U32, Type::S32];
const WIDE: [Type; 2] = [Type::U64, Type::S64];

/// The number that bits of a type stand for.
fn number(ty: Type, bits: u64) -> i128 {
    if ty.is_signed() {
        let shift = 64 - ty.bits();
        i128::from(((bits << shift) as i64) >> shift)
    } else {
        i128::from(bits)
    }
}

/// The register contents of a number of a type: wrapped, and extended to 32 bits.
fn register(ty: Type, value: i128) -> u64 {
    let bits = ty.bits();
    if bits == 64 {
        return value as u64;
    }
    let wrapped = (value as u64) & ((1 << bits) - 1);
    if bits < 32 { u64::from(number(ty, wrapped) as u32) } else { wrapped }
}

fn run(
    random: &mut Random,
    op: Alu,
    ty: Type,
    arity: usize,
    oracle: impl Fn(i128, i128, i128) -> i128,
) -> u64 {
    let types = vec![ty; arity];
    let get = |o: &[u64], i: usize| o.get(i).map_or(0, |&b| number(ty, b));
    check(random, &alu(op, ty, Mods::default()), &types, ty.words(), 20, |o| {
        register(ty, oracle(get(o, 0), get(o, 1), get(o, 2)))
    })
}

pub fn arithmetic() {
    let mut r = Random::new(1);
    let mut cases = 0;
    for ty in NARROW.into_iter().chain(WORD).chain(WIDE) {
        let bits = ty.bits();
        cases += run(&mut r, Alu::Add, ty, 2, |a, b, _| a + b);
        cases += run(&mut r, Alu::Sub, ty, 2, |a, b, _| a - b);
        cases += run(&mut r, Alu::Mul, ty, 2, |a, b, _| a.wrapping_mul(b));
        cases += run(&mut r, Alu::MulHi, ty, 2, |a, b, _| high(ty, a, b, bits));
        cases += run(&mut r, Alu::Mad, ty, 3, |a, b, c| a.wrapping_mul(b).wrapping_add(c));
        cases += run(&mut r, Alu::MadHi, ty, 3, |a, b, c| high(ty, a, b, bits) + c);
        cases += run(&mut r, Alu::Div, ty, 2, |a, b, _| if b == 0 { -1 } else { a / b });
        cases += run(&mut r, Alu::Rem, ty, 2, |a, b, _| if b == 0 { -1 } else { a % b });
        cases += run(&mut r, Alu::Min, ty, 2, |a, b, _| a.min(b));
        cases += run(&mut r, Alu::Max, ty, 2, |a, b, _| a.max(b));
        cases += run(&mut r, Alu::Sad, ty, 3, |a, b, c| c + (a - b).abs());
        cases += run(&mut r, Alu::And, ty, 2, |a, b, _| a & b);
        cases += run(&mut r, Alu::Or, ty, 2, |a, b, _| a | b);
        cases += run(&mut r, Alu::Xor, ty, 2, |a, b, _| a ^ b);
        cases += run(&mut r, Alu::Not, ty, 1, |a, _, _| !a);
        cases += run(&mut r, Alu::Cnot, ty, 1, |a, _, _| i128::from(a == 0));
        if ty.is_signed() {
            cases += run(&mut r, Alu::Neg, ty, 1, |a, _, _| -a);
            cases += run(&mut r, Alu::Abs, ty, 1, |a, _, _| a.abs());
        }
    }
    assert!(cases > 60_000, "{cases} cases");
}

/// High half of a product, without overflow of unsigned 64-bit factors.
fn high(ty: Type, a: i128, b: i128, bits: u32) -> i128 {
    if ty.is_signed() { (a * b) >> bits } else { ((a as u128 * b as u128) >> bits) as i128 }
}

pub fn wide_products() {
    let mut r = Random::new(2);
    for (ty, to) in
        [(Type::U16, Type::U32), (Type::S16, Type::S32), (Type::U32, Type::U64), (Type::S32, Type::S64)]
    {
        let op = alu(Alu::MulWide, ty, Mods::default());
        check(&mut r, &op, &[ty, ty], to.words(), 60, |o| register(to, number(ty, o[0]) * number(ty, o[1])));
        let op = alu(Alu::MadWide, ty, Mods::default());
        check(&mut r, &op, &[ty, ty, to], to.words(), 60, |o| {
            register(to, number(ty, o[0]) * number(ty, o[1]) + number(to, o[2]))
        });
    }
}

pub fn saturating_and_carrying() {
    let mut r = Random::new(3);
    let sat = Mods { sat: true, ..Mods::default() };
    let clamp = |v: i128| (v.clamp(i32::MIN.into(), i32::MAX.into()) as u32).into();
    let s = Type::S32;
    for (op, sign) in [(Alu::Add, 1), (Alu::Sub, -1)] {
        check(&mut r, &alu(op, s, sat), &[s, s], 1, 100, |o| clamp(number(s, o[0]) + sign * number(s, o[1])));
    }
    check(&mut r, &alu(Alu::MadHi, s, sat), &[s, s, s], 1, 100, |o| {
        clamp(((number(s, o[0]) * number(s, o[1])) >> 32) + number(s, o[2]))
    });
    let carry = Mods { carry_in: true, carry_out: true, ..Mods::default() };
    for ty in [Type::U32, Type::U64] {
        let modulus = 1i128 << ty.bits();
        for op in [Alu::Add, Alu::Sub, Alu::Mad, Alu::MadHi] {
            let types = vec![ty; if matches!(op, Alu::Add | Alu::Sub) { 2 } else { 3 }];
            for _ in 0..60 {
                let b = batch(&mut r, &alu(op, ty, carry), &types);
                for lane in 0..32 {
                    let flag = i128::from(b.carry >> lane & 1);
                    let get = |i: usize| i128::from(b.operands[i][lane]);
                    let sum = match op {
                        Alu::Add => get(0) + get(1) + flag,
                        // The flag says that nothing is borrowed.
                        Alu::Sub => get(0) - get(1) - (1 - flag),
                        Alu::Mad => get(0).wrapping_mul(get(1)).rem_euclid(modulus) + get(2) + flag,
                        _ => high(ty, get(0), get(1), ty.bits()) + get(2) + flag,
                    };
                    let actual =
                        if ty.words() == 2 { b.wide(lane) } else { b.outputs.values[0][lane].into() };
                    assert_eq!(i128::from(actual), sum.rem_euclid(modulus), "{op:?} {ty:?}");
                    let beyond = !(0..modulus).contains(&sum);
                    let out = if op == Alu::Sub { !beyond } else { beyond };
                    assert_eq!(b.outputs.preds[0] >> lane & 1 != 0, out, "{op:?} {ty:?} flag");
                }
            }
        }
    }
}

pub fn shifts() {
    let mut r = Random::new(4);
    for ty in NARROW.into_iter().chain(WORD).chain(WIDE) {
        let bits = ty.bits();
        for op in [Alu::Shl, Alu::Shr] {
            let instr = alu(op, ty, Mods::default());
            check(&mut r, &instr, &[ty, Type::U32], ty.words(), 60, |o| {
                let (a, n) = (number(ty, o[0]), (o[1] as u32).min(bits));
                register(ty, if op == Alu::Shl { a << n } else { a >> n })
            });
        }
    }
    for wrap in [false, true] {
        let mods = Mods { alternate: wrap, ..Mods::default() };
        for op in [Alu::ShfL, Alu::ShfR] {
            let u = Type::U32;
            check(&mut r, &alu(op, u, mods), &[u, u, u], 1, 60, |o| {
                let both = u128::from(o[1] << 32 | o[0]);
                let n = if wrap { o[2] & 31 } else { o[2].min(32) };
                let shifted = if op == Alu::ShfL { both << n >> 32 } else { both >> n };
                u64::from(shifted as u32)
            });
        }
    }
}

pub fn counting() {
    let mut r = Random::new(5);
    for ty in [Type::B32, Type::B64] {
        let n = ty.bits();
        let bit = move |v: u64, i: u32| v >> i & 1 != 0;
        let op = |op| alu(op, ty, Mods::default());
        check(&mut r, &op(Alu::Popc), &[ty], 1, 60, |o| (0..n).filter(|&i| bit(o[0], i)).count() as u64);
        check(&mut r, &op(Alu::Clz), &[ty], 1, 60, |o| {
            (0..n).rev().take_while(|&i| !bit(o[0], i)).count() as u64
        });
        check(&mut r, &op(Alu::Brev), &[ty], ty.words(), 60, |o| {
            (0..n).fold(0, |v, i| v | u64::from(bit(o[0], i)) << (n - 1 - i))
        });
    }
    for ty in WORD.into_iter().chain(WIDE) {
        for shift in [false, true] {
            let mods = Mods { alternate: shift, ..Mods::default() };
            check(&mut r, &alu(Alu::Bfind, ty, mods), &[ty], 1, 60, |o| {
                let top = ty.bits() - 1;
                let sign = ty.is_signed() && o[0] >> top & 1 != 0;
                let found = (0..=top).rev().find(|&i| (o[0] >> i & 1 != 0) != sign);
                found.map_or(u64::from(u32::MAX), |i| u64::from(if shift { top - i } else { i }))
            });
        }
    }
}

pub fn bit_fields() {
    let mut r = Random::new(6);
    let u = Type::U32;
    for ty in WORD.into_iter().chain(WIDE) {
        let msb = u64::from(ty.bits() - 1);
        let op = alu(Alu::Bfe, ty, Mods::default());
        check(&mut r, &op, &[ty, u, u], ty.words(), 150, |o| {
            let (pos, len) = (o[1] & 0xff, o[2] & 0xff);
            let sign = if !ty.is_signed() || len == 0 { 0 } else { o[0] >> (pos + len - 1).min(msb) & 1 };
            (0..=msb).fold(0, |d, i| {
                let bit = if i < len && pos + i <= msb { o[0] >> (pos + i) & 1 } else { sign };
                d | bit << i
            })
        });
        if ty.is_signed() {
            continue;
        }
        let op = alu(Alu::Bfi, ty, Mods::default());
        check(&mut r, &op, &[ty, ty, u, u], ty.words(), 150, |o| {
            let (pos, len) = (o[2] & 0xff, o[3] & 0xff);
            let mut f = o[1];
            for i in 0..len {
                if pos + i > msb {
                    break;
                }
                f = f & !(1 << (pos + i)) | (o[0] >> i & 1) << (pos + i);
            }
            f
        });
    }
    let op = alu(Alu::Prmt, Type::B32, Mods::default());
    check(&mut r, &op, &[u, u, u], 1, 150, |o| {
        let bytes = [o[0].to_le_bytes(), o[1].to_le_bytes()];
        let pick = |i: usize| {
            let c = (o[2] >> (4 * i)) as usize & 15;
            let b = bytes[c >> 2 & 1][c & 3];
            match (c & 8, b & 0x80) {
                (0, _) => b,
                (_, 0) => 0,
                _ => 0xff,
            }
        };
        u32::from_le_bytes([pick(0), pick(1), pick(2), pick(3)]).into()
    });
}
