//! Less common word operations against definitions in 128-bit integers and byte arrays.

use heddle_isa::{Alu, Mods, Permutation, Signs, Type};

use crate::harness::{Random, alu, check};

const U: Type = Type::U32;
const S: Type = Type::S32;

fn wrap(on: bool) -> Mods {
    Mods { alternate: on, ..Mods::default() }
}

pub fn permutations() {
    let mut r = Random::new(61);
    // By the table of the PTX ISA: bytes 3 to 0 of the result, for each selector.
    let tables: [(Permutation, [[usize; 4]; 4]); 6] = [
        (Permutation::F4e, [[3, 2, 1, 0], [4, 3, 2, 1], [5, 4, 3, 2], [6, 5, 4, 3]]),
        (Permutation::B4e, [[5, 6, 7, 0], [6, 7, 0, 1], [7, 0, 1, 2], [0, 1, 2, 3]]),
        (Permutation::Rc8, [[0; 4], [1; 4], [2; 4], [3; 4]]),
        (Permutation::Ecl, [[3, 2, 1, 0], [3, 2, 1, 1], [3, 2, 2, 2], [3, 3, 3, 3]]),
        (Permutation::Ecr, [[0; 4], [1, 1, 1, 0], [2, 2, 1, 0], [3, 2, 1, 0]]),
        (Permutation::Rc16, [[1, 0, 1, 0], [3, 2, 3, 2], [1, 0, 1, 0], [3, 2, 3, 2]]),
    ];
    for (mode, table) in tables {
        check(&mut r, &alu(Alu::PrmtMode(mode), U, Mods::default()), &[U, U, U], 1, 60, |o| {
            let bytes = (o[0] | o[1] << 32).to_le_bytes();
            let row = table[(o[2] & 3) as usize];
            row.iter().fold(0, |word, &b| word << 8 | u64::from(bytes[b]))
        });
    }
}

pub fn logic_by_table() {
    let mut r = Random::new(62);
    for table in 0..256u64 {
        crate::harness::check_with(
            &mut r,
            &alu(Alu::Lop3, U, Mods::default()),
            &[U, U, U],
            &[table],
            2,
            |o| {
                (0..32).fold(0, |word, bit| {
                    let at = |x: u64| x >> bit & 1;
                    word | (table >> (at(o[0]) * 4 + at(o[1]) * 2 + at(o[2])) & 1) << bit
                })
            },
        );
    }
}

pub fn masks_and_extension() {
    let mut r = Random::new(63);
    for on in [false, true] {
        check(&mut r, &alu(Alu::Bmsk, U, wrap(on)), &[U, U], 1, 150, |o| {
            let (position, width) = if on { (o[0] & 31, o[1] & 31) } else { (o[0], o[1]) };
            (0..32).filter(|&b| b >= position && b - position < width).fold(0, |word, b| word | 1 << b)
        });
        for ty in [U, S] {
            check(&mut r, &alu(Alu::Szext, ty, wrap(on)), &[ty, U], 1, 150, |o| {
                let bits = if on { o[1] & 31 } else { o[1].min(32) };
                let low = i128::from(o[0]) % (1i128 << bits);
                let negative = ty == S && bits > 0 && low >> (bits - 1) != 0;
                let value = if negative { low - (1i128 << bits) } else { low };
                u64::from(value as u32)
            });
        }
    }
}

pub fn nth_set_bit() {
    let mut r = Random::new(64);
    check(&mut r, &alu(Alu::Fns, U, Mods::default()), &[U, U, S], 1, 400, |o| {
        // The pseudo-code of the PTX ISA.
        let (mask, base, offset) = (o[0], o[1], o[2] as i32);
        let set = |position: i64| mask >> position & 1 != 0;
        let none = u64::from(u32::MAX);
        if base > 31 {
            return none;
        }
        if offset == 0 {
            return if set(base as i64) { base } else { none };
        }
        let (mut position, step) = (base as i64, if offset > 0 { 1 } else { -1 });
        let mut count = i64::from(offset).abs() - 1;
        while (0..32).contains(&position) {
            if set(position) {
                if count == 0 {
                    return position as u64;
                }
                count -= 1;
            }
            position += step;
        }
        none
    });
}

/// Part `i` of `width` bits as a number.
fn part(signed: bool, width: u32, word: u64, i: u32) -> i128 {
    let bits = i128::from(word >> (width * i)) & ((1 << width) - 1);
    if signed && bits >> (width - 1) != 0 { bits - (1 << width) } else { bits }
}

pub fn dot_products() {
    let mut r = Random::new(65);
    for first in [false, true] {
        for second in [false, true] {
            let signs = Signs { first, second };
            let ty = if first || second { S } else { U };
            check(&mut r, &alu(Alu::Dp4a(signs), ty, Mods::default()), &[ty, ty, ty], 1, 100, |o| {
                let sum: i128 = (0..4).map(|i| part(first, 8, o[0], i) * part(second, 8, o[1], i)).sum();
                u64::from((sum + i128::from(o[2])) as u32)
            });
            for high in [false, true] {
                let op = alu(Alu::Dp2a { signs, high }, ty, Mods::default());
                check(&mut r, &op, &[ty, ty, ty], 1, 100, |o| {
                    let from = if high { 2 } else { 0 };
                    let sum: i128 =
                        (0..2).map(|i| part(first, 16, o[0], i) * part(second, 8, o[1], from + i)).sum();
                    u64::from((sum + i128::from(o[2])) as u32)
                });
            }
        }
    }
}

pub fn products_of_24_bits() {
    let mut r = Random::new(66);
    for ty in [U, S] {
        let product = |o: &[u64], high: bool| {
            let full = part(ty == S, 24, o[0] & 0xff_ffff, 0) * part(ty == S, 24, o[1] & 0xff_ffff, 0);
            if high { full >> 16 } else { full }
        };
        for high in [false, true] {
            let op = alu(Alu::Mul24 { high }, ty, Mods::default());
            check(&mut r, &op, &[ty, ty], 1, 100, |o| u64::from(product(o, high) as u32));
            let op = alu(Alu::Mad24 { high }, ty, Mods::default());
            check(&mut r, &op, &[ty, ty, ty], 1, 100, |o| {
                u64::from((product(o, high) + i128::from(o[2])) as u32)
            });
        }
    }
    let sat = Mods { sat: true, ..Mods::default() };
    check(&mut r, &alu(Alu::Mad24 { high: true }, S, sat), &[S, S, S], 1, 200, |o| {
        let product = (part(true, 24, o[0] & 0xff_ffff, 0) * part(true, 24, o[1] & 0xff_ffff, 0)) >> 16;
        let sum = i128::from(product as i32) + i128::from(o[2] as i32);
        u64::from(sum.clamp(i32::MIN.into(), i32::MAX.into()) as i32 as u32)
    });
}
