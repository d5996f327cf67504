//! Video instructions: scalar forms with a part of each operand, and SIMD forms of two or four elements.

use heddle_isa::{
    Alu, Cmp, Elements, Mods, Part, Scale, Selection, Signs, Then, Type, Video, VideoForm, VideoMad, VideoOp,
};

use super::{Table, count_fault, operands};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering};

pub(super) const RULES: Table = &[
    ("vadd", |l, i, m| scalar(l, i, m, VideoOp::Add)),
    ("vsub", |l, i, m| scalar(l, i, m, VideoOp::Sub)),
    ("vabsdiff", |l, i, m| scalar(l, i, m, VideoOp::AbsDiff)),
    ("vmin", |l, i, m| scalar(l, i, m, VideoOp::Min)),
    ("vmax", |l, i, m| scalar(l, i, m, VideoOp::Max)),
    ("vshl", |l, i, m| shift(l, i, m, |wrap| VideoOp::Shl { wrap })),
    ("vshr", |l, i, m| shift(l, i, m, |wrap| VideoOp::Shr { wrap })),
    ("vset", set),
    ("vmad", multiply_add),
    ("vadd2", |l, i, m| simd(l, i, m, Elements::Halves, VideoOp::Add)),
    ("vsub2", |l, i, m| simd(l, i, m, Elements::Halves, VideoOp::Sub)),
    ("vavrg2", |l, i, m| simd(l, i, m, Elements::Halves, VideoOp::Average)),
    ("vabsdiff2", |l, i, m| simd(l, i, m, Elements::Halves, VideoOp::AbsDiff)),
    ("vmin2", |l, i, m| simd(l, i, m, Elements::Halves, VideoOp::Min)),
    ("vmax2", |l, i, m| simd(l, i, m, Elements::Halves, VideoOp::Max)),
    ("vset2", |l, i, m| simd_set(l, i, m, Elements::Halves)),
    ("vadd4", |l, i, m| simd(l, i, m, Elements::Bytes, VideoOp::Add)),
    ("vsub4", |l, i, m| simd(l, i, m, Elements::Bytes, VideoOp::Sub)),
    ("vavrg4", |l, i, m| simd(l, i, m, Elements::Bytes, VideoOp::Average)),
    ("vabsdiff4", |l, i, m| simd(l, i, m, Elements::Bytes, VideoOp::AbsDiff)),
    ("vmin4", |l, i, m| simd(l, i, m, Elements::Bytes, VideoOp::Min)),
    ("vmax4", |l, i, m| simd(l, i, m, Elements::Bytes, VideoOp::Max)),
    ("vset4", |l, i, m| simd_set(l, i, m, Elements::Bytes)),
];

const WORDS: &[Type] = &[Type::U32, Type::S32];
const COMPARISONS: &[(&str, Cmp)] =
    &[("eq", Cmp::Eq), ("ne", Cmp::Ne), ("lt", Cmp::Lt), ("le", Cmp::Le), ("gt", Cmp::Gt), ("ge", Cmp::Ge)];
const SECONDARY: &[(&str, Then)] = &[("add", Then::Add), ("min", Then::Min), ("max", Then::Max)];

fn fault(m: &Modifiers<'_>, message: &str) -> Diagnostic {
    Diagnostic::new(DiagnosticKind::Modifier, m.span(), message)
}

fn signs(m: &Modifiers<'_>) -> Lowered<Signs> {
    Ok(Signs { first: m.ty(WORDS)?.is_signed(), second: m.ty(WORDS)?.is_signed() })
}

/// The selector of an operand: its letter and its digits.
struct Selector {
    letter: char,
    digits: Vec<u8>,
}

/// An operand without its selector, and the selector if one is written.
fn split(operand: &Operand) -> (Operand, Option<Selector>) {
    let OperandKind::Name(text, offset) = &operand.kind else {
        return (operand.clone(), None);
    };
    let Some((name, selector)) = text.rsplit_once('.') else {
        return (operand.clone(), None);
    };
    let digits = selector.strip_prefix(['b', 'h']).filter(|d| !d.is_empty());
    let Some(digits) = digits.filter(|d| d.bytes().all(|b| b.is_ascii_digit())) else {
        return (operand.clone(), None);
    };
    let letter = if selector.starts_with('b') { 'b' } else { 'h' };
    let bare = Operand { kind: OperandKind::Name(name.to_owned(), *offset), span: operand.span };
    (bare, Some(Selector { letter, digits: digits.bytes().map(|b| b - b'0').collect() }))
}

/// An operand and the part of it that is meant, where a selector is written.
fn part(operand: &Operand) -> Lowered<(Operand, Option<Part>)> {
    let (bare, selector) = split(operand);
    let part = match selector {
        None => None,
        Some(Selector { letter: 'b', digits }) if matches!(digits[..], [0..=3]) => {
            Some(Part::byte(digits[0]))
        }
        Some(Selector { letter: 'h', digits }) if matches!(digits[..], [0..=1]) => {
            Some(Part::half(digits[0]))
        }
        Some(_) => return Err(wrong_form(operand, "a selector from .b0 to .b3, .h0 or .h1, or none")),
    };
    Ok((bare, part))
}

/// A source and the part of it that is meant.
fn source(l: &mut Lowering<'_>, operand: &Operand, ty: Type) -> Lowered<(heddle_isa::Operand, Part)> {
    let (bare, part) = part(operand)?;
    Ok((l.source(&bare, ty)?, part.unwrap_or(Part::WORD)))
}

/// `vop.dtype.atype.btype{.sat}{.op2} d{.dsel}, a{.asel}, b{.bsel}{, c}`.
fn scalar(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, op: VideoOp) -> Lowered<()> {
    let ty = m.ty(WORDS)?;
    let signs = signs(m)?;
    let mods = Mods { sat: m.flag("sat"), ..Mods::default() };
    one_result(l, i, m, Video { op, signs, form: scalar_form(Then::Nothing) }, ty, mods)
}

fn scalar_form(then: Then) -> VideoForm {
    VideoForm::Scalar { first: Part::WORD, second: Part::WORD, then }
}

/// The rest of a scalar form: what becomes of the result, and the operands.
fn one_result(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    video: Video,
    ty: Type,
    mods: Mods,
) -> Lowered<()> {
    let secondary = m.choice(SECONDARY);
    let (d, a, b, c) = match i.operands.as_slice() {
        [d, a, b] => (d, a, b, None),
        [d, a, b, c] => (d, a, b, Some(c)),
        _ => return Err(count_fault(i, if secondary.is_some() { 4 } else { 3 })),
    };
    let (destination, merged) = part(d)?;
    let then = match (secondary, merged, c) {
        (Some(_), Some(_), _) => {
            let fault = fault(m, "a part of the destination and a secondary operation exclude each other");
            return Err(fault.help("leave out the destination's selector, or .add .min .max"));
        }
        (None, None, None) => Then::Nothing,
        (Some(then), None, Some(_)) => then,
        (None, Some(part), Some(_)) => Then::Merge(part),
        (Some(_), None, None) | (None, Some(_), None) => return Err(count_fault(i, 4)),
        (None, None, Some(_)) => {
            let expected = ".add, .min or .max, a selector of the destination, or three operands";
            return Err(
                fault(m, "nothing says what the third source is for").help(format!("expected {expected}"))
            );
        }
    };
    let dsts = l.destination(&destination, ty)?;
    let ((a, first), (b, second)) = (source(l, a, Type::B32)?, source(l, b, Type::B32)?);
    let mut sources = vec![a, b];
    if let Some(c) = c {
        sources.push(l.source(c, ty)?);
    }
    let form = VideoForm::Scalar { first, second, then };
    l.alu(Alu::Video(Video { form, ..video }), ty, mods, dsts, &sources);
    Ok(())
}

/// `vshl` and `vshr`: the amount is unsigned.
fn shift(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    op: impl Fn(bool) -> VideoOp,
) -> Lowered<()> {
    let ty = m.ty(WORDS)?;
    let signs = Signs { first: m.ty(WORDS)?.is_signed(), second: m.ty(&[Type::U32])?.is_signed() };
    let mods = Mods { sat: m.flag("sat"), ..Mods::default() };
    let wrap = m.required(&[("clamp", false), ("wrap", true)], "a rule for amounts above 32")?;
    one_result(l, i, m, Video { op: op(wrap), signs, form: scalar_form(Then::Nothing) }, ty, mods)
}

/// `vset.atype.btype.cmp`: the result is unsigned.
fn set(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let signs = signs(m)?;
    let op = VideoOp::Set(m.required(COMPARISONS, "a comparison")?);
    let form = scalar_form(Then::Nothing);
    one_result(l, i, m, Video { op, signs, form }, Type::U32, Mods::default())
}

/// `vmad.dtype.atype.btype{.po}{.sat}{.shr7 .shr15} d, {-}a{.asel}, {-}b{.bsel}, {-}c`.
fn multiply_add(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, a, b, c] = operands::<4>(i)?;
    let ty = m.ty(WORDS)?;
    let signs = signs(m)?;
    let plus_one = m.flag("po");
    let mods = Mods { sat: m.flag("sat"), ..Mods::default() };
    let scale = m.choice(&[("shr7", Scale::Shr7), ("shr15", Scale::Shr15)]).unwrap_or(Scale::One);
    let ((a, a_negated), (b, b_negated), (c, negate_addend)) = (negation(a), negation(b), negation(c));
    if plus_one && (a_negated || b_negated || negate_addend) {
        return Err(fault(m, ".po does not go with a negated operand"));
    }
    let negate_product = a_negated != b_negated;
    if negate_product && negate_addend {
        return Err(fault(m, "either the product or the third source can be negated"));
    }
    let dsts = l.destination(d, ty)?;
    let ((a, first), (b, second)) = (source(l, a, Type::B32)?, source(l, b, Type::B32)?);
    let c = l.source(c, Type::B32)?;
    let op = VideoOp::Mad(VideoMad { negate_product, negate_addend, plus_one, scale });
    let form = VideoForm::Scalar { first, second, then: Then::Nothing };
    l.alu(Alu::Video(Video { op, signs, form }), ty, mods, dsts, &[a, b, c]);
    Ok(())
}

/// An operand without its minus, and whether it has one.
fn negation(operand: &Operand) -> (&Operand, bool) {
    match &operand.kind {
        OperandKind::Negated(inner) => (inner, true),
        _ => (operand, false),
    }
}

/// `vop2` and `vop4`: `vop4.dtype.atype.btype{.sat}{.add} d{.mask}, a{.asel}, b{.bsel}, c`.
fn simd(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    elements: Elements,
    op: VideoOp,
) -> Lowered<()> {
    let ty = m.ty(WORDS)?;
    let signs = signs(m)?;
    let mods = Mods { sat: m.flag("sat"), ..Mods::default() };
    many_results(l, i, m, elements, (op, signs), ty, mods)
}

fn simd_set(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>, elements: Elements) -> Lowered<()> {
    let signs = signs(m)?;
    let op = VideoOp::Set(m.required(COMPARISONS, "a comparison")?);
    many_results(l, i, m, elements, (op, signs), Type::U32, Mods::default())
}

fn many_results(
    l: &mut Lowering<'_>,
    i: &Instruction,
    m: &Modifiers<'_>,
    elements: Elements,
    (op, signs): (VideoOp, Signs),
    ty: Type,
    mods: Mods,
) -> Lowered<()> {
    let [d, a, b, c] = operands::<4>(i)?;
    let accumulate = m.flag("add");
    if accumulate && mods.sat {
        return Err(fault(m, ".sat does not go with .add"));
    }
    let (destination, mask) = mask(d, elements)?;
    let dsts = l.destination(&destination, ty)?;
    let (a, first) = selection(a, elements, 0)?;
    let (b, second) = selection(b, elements, elements.count())?;
    let sources = [l.source(&a, Type::B32)?, l.source(&b, Type::B32)?, l.source(c, ty)?];
    let form = VideoForm::Simd { elements, first, second, mask, accumulate };
    l.alu(Alu::Video(Video { op, signs, form }), ty, mods, dsts, &sources);
    Ok(())
}

const fn letter(elements: Elements) -> char {
    match elements {
        Elements::Halves => 'h',
        Elements::Bytes => 'b',
    }
}

/// A destination without its mask, and the results that count: digits in falling order.
fn mask(operand: &Operand, elements: Elements) -> Lowered<(Operand, u8)> {
    let (bare, selector) = split(operand);
    let Some(Selector { letter: found, digits }) = selector else {
        return Ok((bare, (1 << elements.count()) - 1));
    };
    let falling = digits.windows(2).all(|pair| pair[0] > pair[1]);
    if found != letter(elements) || !falling || digits.iter().any(|d| *d >= elements.count()) {
        let expected = match elements {
            Elements::Halves => "a mask: .h0, .h1 or .h10",
            Elements::Bytes => "a mask: digits of .b3210, the highest first",
        };
        return Err(wrong_form(operand, expected));
    }
    Ok((bare, digits.iter().fold(0, |mask, d| mask | 1 << d)))
}

/// A source without its selector, and the elements that the results take; by default those from `from` on.
fn selection(operand: &Operand, elements: Elements, from: u8) -> Lowered<(Operand, Selection)> {
    let (bare, selector) = split(operand);
    let count = elements.count();
    let Some(Selector { letter: found, digits }) = selector else {
        return Ok((bare, Selection::new(from..from + count)));
    };
    let fits = digits.len() == usize::from(count) && digits.iter().all(|d| *d < 2 * count);
    if found != letter(elements) || !fits {
        let expected = match elements {
            Elements::Halves => {
                "a selector such as .h10: two digits from 0 to 3, that of the upper half first"
            }
            Elements::Bytes => {
                "a selector such as .b3210: four digits from 0 to 7, that of the highest byte first"
            }
        };
        return Err(wrong_form(operand, expected));
    }
    Ok((bare, Selection::new(digits.into_iter().rev())))
}
