//! Comparisons and selections against their definitions.

use std::cmp::Ordering;

use heddle_isa::{BoolOp, Cmp, Op, Type};

use crate::harness::{Random, batch, check};

const ALL: [Cmp; 14] = [
    Cmp::Eq,
    Cmp::Ne,
    Cmp::Lt,
    Cmp::Le,
    Cmp::Gt,
    Cmp::Ge,
    Cmp::Equ,
    Cmp::Neu,
    Cmp::Ltu,
    Cmp::Leu,
    Cmp::Gtu,
    Cmp::Geu,
    Cmp::Num,
    Cmp::Nan,
];

/// By the table of the PTX ISA: the ordering, `None` where an operand is NaN.
fn holds(cmp: Cmp, order: Option<Ordering>) -> bool {
    use Ordering::{Equal, Greater, Less};
    let unordered = order.is_none();
    match cmp {
        Cmp::Num => !unordered,
        Cmp::Nan => unordered,
        Cmp::Eq => order == Some(Equal),
        Cmp::Ne => matches!(order, Some(Less | Greater)),
        Cmp::Lt => order == Some(Less),
        Cmp::Le => matches!(order, Some(Less | Equal)),
        Cmp::Gt => order == Some(Greater),
        Cmp::Ge => matches!(order, Some(Greater | Equal)),
        Cmp::Equ => unordered || order == Some(Equal),
        Cmp::Neu => order != Some(Equal),
        Cmp::Ltu => unordered || order == Some(Less),
        Cmp::Leu => order != Some(Greater),
        Cmp::Gtu => unordered || order == Some(Greater),
        Cmp::Geu => order != Some(Less),
    }
}

fn order(ty: Type, ftz: bool, a: u64, b: u64) -> Option<Ordering> {
    let single = |x: u64| {
        let x = x as u32;
        f32::from_bits(if ftz && x & 0x7f80_0000 == 0 { x & 0x8000_0000 } else { x })
    };
    match ty {
        Type::F32 => single(a).partial_cmp(&single(b)),
        Type::F64 => f64::from_bits(a).partial_cmp(&f64::from_bits(b)),
        Type::S16 => Some((a as i16).cmp(&(b as i16))),
        Type::S32 => Some((a as i32).cmp(&(b as i32))),
        Type::S64 => Some((a as i64).cmp(&(b as i64))),
        _ => Some(a.cmp(&b)),
    }
}

pub fn predicates_and_registers() {
    let mut random = Random::new(51);
    for ty in [Type::U16, Type::S16, Type::U32, Type::S32, Type::U64, Type::S64, Type::F32, Type::F64] {
        for cmp in ALL {
            if !ty.is_float() && matches!(cmp, Cmp::Num | Cmp::Nan) {
                continue;
            }
            for combine in [None, Some(BoolOp::And), Some(BoolOp::Or), Some(BoolOp::Xor)] {
                for ftz in [false, true] {
                    let op = Op::Setp { cmp, ty, ftz, combine };
                    let with = |p: bool, c: bool| match combine {
                        None => p,
                        Some(BoolOp::And) => p & c,
                        Some(BoolOp::Or) => p | c,
                        Some(BoolOp::Xor) => p ^ c,
                    };
                    for _ in 0..4 {
                        let b = batch(&mut random, &op, &[ty, ty]);
                        for lane in 0..32 {
                            let (x, y) = (b.operands[0][lane], b.operands[1][lane]);
                            let p = holds(cmp, order(ty, ftz, x, y));
                            let c = b.carry >> lane & 1 != 0;
                            let got = b.outputs.preds.map(|m| m >> lane & 1 != 0);
                            assert_eq!(got, [with(p, c), with(!p, c)], "{op:?} {x:#x} {y:#x}");
                        }
                    }
                }
            }
            for (to, one) in [(Type::U32, u32::MAX), (Type::F32, 1.0f32.to_bits())] {
                let op = Op::Set { cmp, ty, to, ftz: false, combine: None };
                check(&mut random, &op, &[ty, ty], 1, 4, |o| {
                    if holds(cmp, order(ty, false, o[0], o[1])) { one.into() } else { 0 }
                });
            }
        }
    }
}

pub fn selections() {
    let mut random = Random::new(52);
    for ty in [Type::B16, Type::B32, Type::F32, Type::B64] {
        for _ in 0..50 {
            let b = batch(&mut random, &Op::Selp { ty }, &[ty, ty]);
            for lane in 0..32 {
                let chosen = if b.carry >> lane & 1 != 0 { 0 } else { 1 };
                let value = b.operands[chosen][lane];
                let mask = if ty.words() == 2 { u64::MAX } else { 0xffff_ffff };
                assert_eq!(b.wide(lane) & mask, value);
            }
        }
    }
}
