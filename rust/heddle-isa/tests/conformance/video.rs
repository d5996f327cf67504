//! Video instructions against the pseudo-code of the PTX ISA, in 128-bit integers and arrays of parts.

use heddle_isa::{
    Alu, Cmp, Elements, Mods, Part, Scale, Selection, Signs, Then, Type, Video, VideoForm, VideoMad, VideoOp,
};

use crate::harness::{Random, alu, check};

const U: Type = Type::U32;
const S: Type = Type::S32;
const COMPARISONS: [Cmp; 6] = [Cmp::Eq, Cmp::Ne, Cmp::Lt, Cmp::Le, Cmp::Gt, Cmp::Ge];

/// The low bits of a word as a number.
fn number(signed: bool, bits: u32, value: u64) -> i128 {
    let low = i128::from(value) % (1 << bits);
    if signed && low >= 1 << (bits - 1) { low - (1 << bits) } else { low }
}

fn clamp(signed: bool, bits: u32, value: i128) -> i128 {
    let (low, high) =
        if signed { (-(1i128 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
    value.max(low).min(high)
}

/// What an operation gives, as a number of 34 bits.
fn compute(op: VideoOp, a: i128, b: i128) -> i128 {
    let amount = |wrap: bool| if wrap { b.rem_euclid(32) } else { b.min(32) };
    let exact = match op {
        VideoOp::Add => a + b,
        VideoOp::Sub => a - b,
        VideoOp::AbsDiff => {
            if a > b {
                a - b
            } else {
                b - a
            }
        }
        VideoOp::Average if a + b >= 0 => (a + b + 1).div_euclid(2),
        VideoOp::Average => (a + b).div_euclid(2),
        VideoOp::Min => {
            if a < b {
                a
            } else {
                b
            }
        }
        VideoOp::Max => {
            if a > b {
                a
            } else {
                b
            }
        }
        VideoOp::Set(cmp) => {
            let holds = match cmp {
                Cmp::Eq => a == b,
                Cmp::Ne => a != b,
                Cmp::Lt => a < b,
                Cmp::Le => a <= b,
                Cmp::Gt => a > b,
                _ => a >= b,
            };
            i128::from(holds)
        }
        VideoOp::Shl { wrap } => a * (1 << amount(wrap)),
        VideoOp::Shr { wrap } => a.div_euclid(1 << amount(wrap)),
        VideoOp::Mad(_) => unreachable!("it has an oracle of its own"),
    };
    let low = exact.rem_euclid(1 << 34);
    if low >= 1 << 33 { low - (1 << 34) } else { low }
}

/// A part of a word as PTX spells it: index and size in bits; a word has index 0.
#[derive(Clone, Copy)]
struct Spelt(u8, u32);

impl Spelt {
    fn any(r: &mut Random) -> Self {
        match r.below(7) {
            n @ 0..4 => Self(n as u8, 8),
            n @ 4..6 => Self(n as u8 - 4, 16),
            _ => Self(0, 32),
        }
    }

    fn part(self) -> Part {
        match self.1 {
            8 => Part::byte(self.0),
            16 => Part::half(self.0),
            _ => Part::WORD,
        }
    }

    fn number(self, signed: bool, word: u64) -> i128 {
        number(signed, self.1, word >> (u32::from(self.0) * self.1))
    }
}

fn pick<T: Copy>(r: &mut Random, from: &[T]) -> T {
    from[r.below(from.len() as u64) as usize]
}

fn signs(r: &mut Random) -> Signs {
    Signs { first: r.below(2) == 0, second: r.below(2) == 0 }
}

/// Every operation but the multiply-add and the average.
fn operation(r: &mut Random) -> VideoOp {
    let wrap = r.below(2) == 0;
    let set = VideoOp::Set(pick(r, &COMPARISONS));
    let (shl, shr) = (VideoOp::Shl { wrap }, VideoOp::Shr { wrap });
    pick(r, &[VideoOp::Add, VideoOp::Sub, VideoOp::AbsDiff, VideoOp::Min, VideoOp::Max, set, shl, shr])
}

pub fn scalar_forms() {
    let mut r = Random::new(71);
    for _ in 0..1500 {
        let (op, ty, sat) = (operation(&mut r), pick(&mut r, &[U, S]), r.below(2) == 0);
        let (first, second, merged) = (Spelt::any(&mut r), Spelt::any(&mut r), Spelt::any(&mut r));
        let mut signs = signs(&mut r);
        signs.second &= !matches!(op, VideoOp::Shl { .. } | VideoOp::Shr { .. });
        let merge = Then::Merge(merged.part());
        let then = match merged.1 {
            32 => pick(&mut r, &[Then::Nothing, Then::Add, Then::Min, Then::Max]),
            _ => pick(&mut r, &[Then::Nothing, Then::Add, Then::Min, Then::Max, merge, merge]),
        };
        let form = VideoForm::Scalar { first: first.part(), second: second.part(), then };
        let video = Alu::Video(Video { op, signs, form });
        check(&mut r, &alu(video, ty, Mods { sat, ..Mods::default() }), &[U, U, ty], 1, 2, |o| {
            let result = compute(op, first.number(signs.first, o[0]), second.number(signs.second, o[1]));
            let bits = if then == merge { merged.1 } else { 32 };
            let result = if sat { clamp(ty == S, bits, result) } else { result };
            let c = number(ty == S, 32, o[2]);
            let all = match then {
                Then::Nothing => result,
                Then::Add => result + c,
                Then::Min => result.min(c),
                Then::Max => result.max(c),
                Then::Merge(_) => {
                    let unit = 1i128 << (u32::from(merged.0) * merged.1);
                    let old = merged.number(false, o[2]);
                    i128::from(o[2]) + (result.rem_euclid(1 << merged.1) - old) * unit
                }
            };
            u64::from(all as u32)
        });
    }
}

pub fn simd_forms() {
    let mut r = Random::new(72);
    for _ in 0..1500 {
        let elements = pick(&mut r, &[Elements::Halves, Elements::Bytes]);
        let (count, bits) = if elements == Elements::Halves { (2, 16) } else { (4, 8) };
        let set = VideoOp::Set(pick(&mut r, &COMPARISONS));
        let ops =
            [VideoOp::Add, VideoOp::Sub, VideoOp::AbsDiff, VideoOp::Average, VideoOp::Min, VideoOp::Max, set];
        let (op, ty, signs) = (pick(&mut r, &ops), pick(&mut r, &[U, S]), signs(&mut r));
        let accumulate = r.below(2) == 0;
        let sat = !accumulate && r.below(2) == 0;
        let mut digits = || [(); 4].map(|()| r.below(2 * count) as u8);
        let (first, second) = (digits(), digits());
        let mask = 1 + r.below((1 << count) - 1) as u8;
        let selected = |digits: [u8; 4]| Selection::new(digits.into_iter().take(count as usize));
        let form =
            VideoForm::Simd { elements, first: selected(first), second: selected(second), mask, accumulate };
        let video = Alu::Video(Video { op, signs, form });
        check(&mut r, &alu(video, ty, Mods { sat, ..Mods::default() }), &[U, U, ty], 1, 2, |o| {
            // The parts of both operands, those of the first below.
            let part = |signed: bool, index: u8| {
                let word = if u64::from(index) < count { o[0] } else { o[1] };
                number(signed, bits, word >> (bits * (u32::from(index) % count as u32)))
            };
            let mut parts = Vec::new();
            for i in 0..count as usize {
                let result = compute(op, part(signs.first, first[i]), part(signs.second, second[i]));
                parts.push(if sat { clamp(ty == S, bits, result) } else { result });
            }
            let counted = |i: usize| mask >> i & 1 != 0;
            if accumulate {
                let sum: i128 = (0..parts.len()).filter(|&i| counted(i)).map(|i| parts[i]).sum();
                return u64::from((i128::from(o[2]) + sum) as u32);
            }
            (0..parts.len()).fold(0, |word, i| {
                let from = bits * i as u32;
                let kept = number(false, bits, o[2] >> from);
                let new = if counted(i) { parts[i].rem_euclid(1 << bits) } else { kept };
                word | (new as u64) << from
            })
        });
    }
}

pub fn multiply_add() {
    let mut r = Random::new(73);
    let variants = [(false, false, false), (true, false, false), (false, true, false), (false, false, true)];
    for (negate_product, negate_addend, plus_one) in variants {
        for (scale, shift) in [(Scale::One, 0), (Scale::Shr7, 7), (Scale::Shr15, 15)] {
            for _ in 0..80 {
                let (first, second) = (Spelt::any(&mut r), Spelt::any(&mut r));
                let (signs, sat) = (signs(&mut r), r.below(2) == 0);
                let op = VideoOp::Mad(VideoMad { negate_product, negate_addend, plus_one, scale });
                let (first_part, second_part) = (first.part(), second.part());
                let form = VideoForm::Scalar { first: first_part, second: second_part, then: Then::Nothing };
                let video = alu(
                    Alu::Video(Video { op, signs, form }),
                    pick(&mut r, &[U, S]),
                    Mods { sat, ..Mods::default() },
                );
                check(&mut r, &video, &[U, U, U], 1, 2, |o| {
                    let signed = signs.first || signs.second || negate_product || negate_addend;
                    let mut sum = first.number(signs.first, o[0]) * second.number(signs.second, o[1]);
                    if negate_product {
                        sum = -sum;
                    }
                    // A third operand that is negated is its complement and 1 in 32 bits.
                    sum += match negate_addend {
                        true => number(true, 32, u64::from(!(o[2] as u32))) + 1,
                        false => number(signed, 32, o[2]),
                    };
                    sum += i128::from(plus_one);
                    let scaled = sum.div_euclid(1 << shift);
                    u64::from((if sat { clamp(signed, 32, scaled) } else { scaled }) as u32)
                });
            }
        }
    }
}
