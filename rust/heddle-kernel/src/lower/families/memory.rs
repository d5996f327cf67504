//! Loads and stores.

use heddle_isa::{CacheOp, FenceLevel, Op, Space, Type};
use smallvec::SmallVec;

use super::{Table, count_fault, unsupported};
use crate::ast::{Instruction, Operand, OperandKind};
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::lower::modifiers::Modifiers;
use crate::lower::operand::wrong_form;
use crate::lower::{Lowered, Lowering, types};

pub(super) const RULES: Table = &[("ld", ld), ("ldu", ld), ("st", st)];

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

pub(super) const LOAD_CACHE: &[(&str, CacheOp)] = &[
    ("ca", CacheOp::Ca),
    ("cg", CacheOp::Cg),
    ("cs", CacheOp::Cs),
    ("lu", CacheOp::Lu),
    ("cv", CacheOp::Cv),
    ("nc", CacheOp::Nc),
];

/// `.wb` is the default of stores; `.wt` writes through to the system, as a volatile store does.
pub(super) const STORE_CACHE: &[(&str, CacheOp)] =
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
    Type::Bf16,
    Type::B32,
    Type::U32,
    Type::S32,
    Type::F32,
    Type::B64,
    Type::U64,
    Type::S64,
    Type::F64,
    Type::B128,
];

/// What the modifiers of a load or store say.
struct Access {
    space: Space,
    cache: CacheOp,
    vector: u8,
    ty: Type,
    /// `.acquire` or `.release`, with its scope.
    ordered: Option<FenceLevel>,
    /// A cache policy is the last operand.
    hinted: bool,
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
    let mut written = m.choice(caches);
    // `.nc` stands beside a cache operator, too.
    if let Some((name, nc)) = caches.iter().find(|(_, cache)| *cache == CacheOp::Nc)
        && m.flag(name)
    {
        written = Some(*nc);
    }
    while m.choice(HINTS).is_some() {}
    let hinted = m.flag("L2::cache_hint");
    m.flag("unified");
    let vector = m.choice(&[("v2", 2u8), ("v4", 4)]).unwrap_or(1);
    let ty = m.ty(ELEMENTS)?;
    if vector == 4 && ty.words() == 2 {
        return Err(unsupported(i, "a vector of more than 128 bits"));
    }
    let cache = if strong { CacheOp::Volatile } else { written.unwrap_or_default() };
    Ok(Access { space, cache, vector, ty, ordered: ordered.then_some(scope).flatten(), hinted })
}

/// The elements of a vector operand, or the operand itself; a vector register stands for its
/// components.
pub(super) fn elements(l: &mut Lowering<'_>, operand: &Operand, vector: u8) -> Lowered<Vec<Operand>> {
    let list = match &operand.kind {
        OperandKind::Vector(list) => list.clone(),
        OperandKind::Name(name, 0) if vector > 1 => l.components(name, operand.span).unwrap_or_default(),
        _ => Vec::new(),
    };
    match (list.len(), vector) {
        (0, 1) => Ok(vec![operand.clone()]),
        (found, _) if found == usize::from(vector) => Ok(list),
        (0, _) => Err(wrong_form(operand, &format!("{vector} registers in braces"))),
        (found, _) => Err(Diagnostic::new(
            DiagnosticKind::Operand,
            operand.span,
            format!("the vector has {found} elements instead of {vector}"),
        )),
    }
}

/// The operands before a cache policy, which is checked and changes no value.
pub(super) fn without_policy<'i>(
    l: &mut Lowering<'_>,
    i: &'i Instruction,
    hinted: bool,
) -> Lowered<&'i [Operand]> {
    match i.operands.split_last() {
        Some((policy, rest)) if hinted => {
            l.source(policy, Type::B64)?;
            Ok(rest)
        }
        _ => Ok(&i.operands),
    }
}

/// Exactly two operands.
pub(super) fn two<'i>(i: &Instruction, operands: &'i [Operand]) -> Lowered<[&'i Operand; 2]> {
    match operands {
        [a, b] => Ok([a, b]),
        _ => Err(count_fault(i, 2)),
    }
}

/// A 128-bit access is one of two 64-bit halves.
fn halved(i: &Instruction, a: &Access) -> Lowered<(Type, u8)> {
    match (a.ty, a.vector) {
        (Type::B128, 1) => Ok((Type::B64, 2)),
        (Type::B128, _) => Err(unsupported(i, "a vector of more than 128 bits")),
        (ty, vector) => Ok((ty, vector)),
    }
}

fn ld(l: &mut Lowering<'_>, i: &Instruction, m: &Modifiers<'_>) -> Lowered<()> {
    let mut a = access(i, m, LOAD_CACHE, "acquire")?;
    let [d, address] = two(i, without_policy(l, i, a.hinted)?)?;
    if i.opcode.text == "ldu" {
        a.cache = CacheOp::Nc;
    }
    let parts = elements(l, d, a.vector)?;
    if a.space == Space::Param
        && let Some(param) = l.call_param(address)?
    {
        return l.load_call_param(param, a.ty, &parts);
    }
    a.space = l.param_space(a.space, i);
    let (base, offset) = l.address(address, a.space)?;
    let (ty, vector) = halved(i, &a)?;
    let mut instr = l.new_instr(Op::Ld { space: a.space, ty, vector, cache: a.cache });
    instr.srcs.push(base);
    instr.offset = offset;
    let mut extensions: SmallVec<[_; 4]> = SmallVec::new();
    for element in &parts {
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
    let mut a = access(i, m, STORE_CACHE, "release")?;
    let [address, value] = two(i, without_policy(l, i, a.hinted)?)?;
    let parts = elements(l, value, a.vector)?;
    if a.space == Space::Param
        && let Some(param) = l.call_param(address)?
    {
        return l.store_call_param(param, a.ty, &parts);
    }
    a.space = l.param_space(a.space, i);
    if matches!(a.space, Space::Const | Space::Param) {
        return Err(Diagnostic::new(DiagnosticKind::Modifier, m.span(), "this space cannot be stored to"));
    }
    let (base, offset) = l.address(address, a.space)?;
    let (ty, vector) = halved(i, &a)?;
    let mut instr = l.new_instr(Op::St { space: a.space, ty, vector, cache: a.cache });
    instr.srcs.push(base);
    instr.offset = offset;
    for element in &parts {
        if a.ty == Type::B128 {
            instr.srcs.extend(l.quad(element)?);
        } else {
            instr.srcs.push(l.source_by(element, a.ty, types::agree_wider)?);
        }
    }
    if let Some(level) = a.ordered {
        let fence = l.new_instr(Op::Fence { level });
        l.emit(fence);
    }
    l.emit(instr);
    Ok(())
}
