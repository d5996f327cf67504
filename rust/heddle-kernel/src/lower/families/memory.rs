//! Loads and stores.

use heddle_isa::{CacheOp, FenceLevel, Op, Space, Type};
use smallvec::SmallVec;

use super::{Table, operands, unsupported};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering, types};

pub(super) const RULES: Table =
    &[("ld", ld), ("ldu", ld), ("st", st), ("prefetch", prefetch), ("prefetchu", prefetch)];

pub(super) const SPACES: &[(&str, Space)] = &[
    ("global", Space::Global),
    ("shared", Space::Shared),
    ("shared::cta", Space::Shared),
    ("local", Space::Local),
    ("const", Space::Const),
    ("param", Space::Param),
    ("param::entry", Space::Param),
    ("param::func", Space::Param),
];

const LOAD_CACHE: &[(&str, CacheOp)] = &[
    ("ca", CacheOp::Ca),
    ("cg", CacheOp::Cg),
    ("cs", CacheOp::Cs),
    ("lu", CacheOp::Lu),
    ("cv", CacheOp::Cv),
    ("nc", CacheOp::Nc),
];

/// `.wb` is the default of stores; `.wt` writes through to the system, as a volatile store does.
const STORE_CACHE: &[(&str, CacheOp)] =
    &[("wb", CacheOp::Ca), ("cg", CacheOp::Cg), ("cs", CacheOp::Cs), ("wt", CacheOp::Volatile)];

/// Scopes of memory-model operations.
pub(super) const SCOPES: &[(&str, FenceLevel)] = &[
    ("cta", FenceLevel::Cta),
    ("cluster", FenceLevel::Gpu),
    ("gpu", FenceLevel::Gpu),
    ("sys", FenceLevel::System),
];

/// Hints that change no value: eviction priorities and prefetch sizes.
const HINTS: &[(&str, ())] = &[
    ("L1::evict_normal", ()),
    ("L1::evict_unchanged", ()),
    ("L1::evict_first", ()),
    ("L1::evict_last", ()),
    ("L1::no_allocate", ()),
    ("L2::evict_normal", ()),
    ("L2::evict_first", ()),
    ("L2::evict_last", ()),
    ("L2::64B", ()),
    ("L2::128B", ()),
    ("L2::256B", ()),
];

const ELEMENTS: &[Type] = &[
    Type::B8,
    Type::U8,
    Type::S8,
    Type::B16,
    Type::U16,
    Type::S16,
    Type::F16,
    Type::B32,
    Type::U32,
    Type::S32,
    Type::F32,
    Type::B64,
    Type::U64,
    Type::S64,
    Type::F64,
];

/// What the modifiers of a load or store say.
struct Access {
    space: Space,
    cache: CacheOp,
    vector: u8,
    ty: Type,
    /// `.acquire` or `.release`, with its scope.
    ordered: Option<FenceLevel>,
}

fn access(
    i: &Instruction,
    m: &Modifiers<'_>,
    caches: &[(&'static str, CacheOp)],
    order: &'static str,
) -> Lowered<Access> {
    let ordered = m.flag(order);
    let relaxed = m.flag("relaxed");
    let strong = m.flag("volatile") | m.flag("mmio") | relaxed | ordered;
    m.flag("weak");
    let scope = m.choice(SCOPES);
    if (relaxed || ordered) && scope.is_none() {
        return Err(m
            .fault_at_end(format!("'{}' needs a scope", i.opcode.text))
            .help("expected one of .cta .cluster .gpu .sys"));
    }
    let space = m.choice(SPACES).unwrap_or(Space::Generic);
    let written = m.choice(caches);
    while m.choice(HINTS).is_some() {}
    if m.flag("L2::cache_hint") {
        return Err(unsupported(i, "a cache policy operand"));
    }
    m.flag("unified");
    let vector = m.choice(&[("v2", 2u8), ("v4", 4)]).unwrap_or(1);
    let ty = m.ty(ELEMENTS)?;
    if vector == 4 && ty.words() == 2 {
        return Err(unsupported(i, "a vector of more than 128 bits"));
    }
    let cache = if strong { CacheOp::Volatile } else { written.unwrap_or_default() };
    Ok(Access { space, cache, vector, ty, ordered: ordered.then_some(scope).flatten() })
}

/// The elements of a vector operand, or the operand itself.
fn elements(operand: &Operand, vector: u8) -> Lowered<&[Operand]> {
    match (&operand.kind, vector) {
        (OperandKind::Vector(list), 2..) if list.len() == usize::from(vector) => Ok(list),
        (OperandKind::Vector(list), 2..) => Err(Diagnostic::new(
            DiagnosticKind::Operand,
            operand.span,
            format!("the vector has {} elements instead of {vector}", list.len()),
        )),
        (_, 2..) => Err(wrong_form(operand, &format!("{vector} registers in braces"))),
        (OperandKind::Vector(list), _) if list.len() == 1 => Ok(list),
        _ => Ok(std::slice::from_ref(operand)),
    }
}

fn ld(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [d, address] = operands::<2>(i)?;
    let mut a = access(i, m, LOAD_CACHE, "acquire")?;
    if i.opcode.text == "ldu" {
        a.cache = CacheOp::Nc;
    }
    if a.space == Space::Param
        && let Some(param) = l.call_param(address)?
    {
        return l.load_call_param(param, a.ty, elements(d, a.vector)?);
    }
    let (base, offset) = l.address(address, a.space)?;
    let mut instr = l.new_instr(Op::Ld { space: a.space, ty: a.ty, vector: a.vector, cache: a.cache });
    instr.srcs.push(base);
    instr.offset = offset;
    let mut extensions: SmallVec<[_; 4]> = SmallVec::new();
    for element in elements(d, a.vector)? {
        let (declared, mut dsts) = l.destination_by(element, a.ty, types::agree_wider)?;
        if declared.words() > a.ty.words() {
            let high = dsts.pop();
            extensions.extend(high.map(|high| (dsts[0], high)));
        }
        instr.dsts.extend(dsts);
    }
    l.emit(instr);
    for (low, high) in extensions {
        l.extend_high(a.ty, low, high);
    }
    if let Some(level) = a.ordered {
        let fence = l.new_instr(Op::Fence { level });
        l.emit(fence);
    }
    Ok(())
}

fn st(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [address, value] = operands::<2>(i)?;
    let a = access(i, m, STORE_CACHE, "release")?;
    if a.space == Space::Param
        && let Some(param) = l.call_param(address)?
    {
        return l.store_call_param(param, a.ty, elements(value, a.vector)?);
    }
    if matches!(a.space, Space::Const | Space::Param) {
        return Err(Diagnostic::new(DiagnosticKind::Modifier, m.span(), "this space cannot be stored to"));
    }
    let (base, offset) = l.address(address, a.space)?;
    let mut instr = l.new_instr(Op::St { space: a.space, ty: a.ty, vector: a.vector, cache: a.cache });
    instr.srcs.push(base);
    instr.offset = offset;
    for element in elements(value, a.vector)? {
        instr.srcs.push(l.source_by(element, a.ty, types::agree_wider)?);
    }
    if let Some(level) = a.ordered {
        let fence = l.new_instr(Op::Fence { level });
        l.emit(fence);
    }
    l.emit(instr);
    Ok(())
}

/// A prefetch changes no value and becomes an instruction that does nothing.
fn prefetch(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let [address] = operands::<1>(i)?;
    let space = m.choice(SPACES).unwrap_or(Space::Generic);
    m.required(&[("L1", ()), ("L2", ())], "a cache level")?;
    l.address(address, space)?;
    let nop = l.new_instr(Op::Nop);
    l.emit(nop);
    Ok(())
}
