//! The operations that generated code uses.

/// Class of a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    /// 32-bit integer.
    Int,
    /// 32-bit float.
    Float,
    /// 64 bits: an integer or a double.
    Wide,
}

/// What a source of an operation may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// An integer variable, an immediate or a special register.
    Int,
    /// An integer variable.
    IntVar,
    /// An integer variable or an immediate of 0 to 255: position or length of a bit field.
    Byte,
    /// An integer variable of which the lowest bit is set first: a divisor.
    Odd,
    Float,
    Wide,
    /// The predicate of a `selp`.
    Pred,
}

/// An operation.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Form {
    /// Opcode with its modifiers.
    pub(crate) text: &'static str,
    pub(crate) result: Class,
    pub(crate) sources: &'static [Kind],
    /// Sources are written as one vector `{a, b}`.
    pub(crate) packed: bool,
}

const fn form(text: &'static str, result: Class, sources: &'static [Kind]) -> Form {
    Form { text, result, sources, packed: false }
}

const I: Kind = Kind::Int;
const V: Kind = Kind::IntVar;
const B: Kind = Kind::Byte;
const O: Kind = Kind::Odd;
const F: Kind = Kind::Float;
const W: Kind = Kind::Wide;
const P: Kind = Kind::Pred;

/// Operations with an integer result.
pub(crate) static INT: &[Form] = &[
    form("mov.u32", Class::Int, &[I]),
    form("add.s32", Class::Int, &[V, I]),
    form("sub.s32", Class::Int, &[V, I]),
    form("mul.lo.s32", Class::Int, &[V, I]),
    form("mul.hi.s32", Class::Int, &[V, I]),
    form("mul.hi.u32", Class::Int, &[V, I]),
    form("mad.lo.s32", Class::Int, &[V, I, V]),
    form("mad.hi.u32", Class::Int, &[V, I, V]),
    form("div.u32", Class::Int, &[V, O]),
    form("rem.u32", Class::Int, &[V, O]),
    form("and.b32", Class::Int, &[V, I]),
    form("or.b32", Class::Int, &[V, I]),
    form("xor.b32", Class::Int, &[V, I]),
    form("not.b32", Class::Int, &[V]),
    form("cnot.b32", Class::Int, &[V]),
    form("neg.s32", Class::Int, &[V]),
    form("abs.s32", Class::Int, &[V]),
    form("min.s32", Class::Int, &[V, I]),
    form("max.s32", Class::Int, &[V, I]),
    form("min.u32", Class::Int, &[V, I]),
    form("max.u32", Class::Int, &[V, I]),
    form("sad.u32", Class::Int, &[V, V, I]),
    form("shl.b32", Class::Int, &[V, I]),
    form("shr.u32", Class::Int, &[V, I]),
    form("shr.s32", Class::Int, &[V, I]),
    form("shf.l.wrap.b32", Class::Int, &[V, V, I]),
    form("shf.r.clamp.b32", Class::Int, &[V, V, I]),
    form("bfe.u32", Class::Int, &[V, B, B]),
    form("bfe.s32", Class::Int, &[V, B, B]),
    form("bfi.b32", Class::Int, &[V, V, B, B]),
    form("bfind.u32", Class::Int, &[V]),
    form("prmt.b32", Class::Int, &[V, V, I]),
    form("popc.b32", Class::Int, &[V]),
    form("clz.b32", Class::Int, &[V]),
    form("brev.b32", Class::Int, &[V]),
    form("selp.b32", Class::Int, &[V, I, P]),
    form("cvt.rzi.s32.f32", Class::Int, &[F]),
    form("cvt.rni.u32.f32", Class::Int, &[F]),
    form("mov.b32", Class::Int, &[F]),
    form("cvt.u32.u64", Class::Int, &[W]),
    form("popc.b64", Class::Int, &[W]),
    form("clz.b64", Class::Int, &[W]),
    form("cvt.s32.s8", Class::Int, &[V]),
    form("cvt.u32.u16", Class::Int, &[V]),
    form("cvt.rzi.s32.f64", Class::Int, &[W]),
];

/// Operations with a float result; all are exact or exactly rounded.
pub(crate) static FLOAT: &[Form] = &[
    form("mov.f32", Class::Float, &[F]),
    form("add.rn.f32", Class::Float, &[F, F]),
    form("sub.rn.f32", Class::Float, &[F, F]),
    form("mul.rn.f32", Class::Float, &[F, F]),
    form("fma.rn.f32", Class::Float, &[F, F, F]),
    form("div.rn.f32", Class::Float, &[F, F]),
    form("rcp.rn.f32", Class::Float, &[F]),
    form("sqrt.rn.f32", Class::Float, &[F]),
    form("min.f32", Class::Float, &[F, F]),
    form("max.f32", Class::Float, &[F, F]),
    form("abs.f32", Class::Float, &[F]),
    form("neg.f32", Class::Float, &[F]),
    form("selp.f32", Class::Float, &[F, F, P]),
    form("cvt.rn.f32.s32", Class::Float, &[V]),
    form("cvt.rn.f32.u32", Class::Float, &[V]),
    form("cvt.rn.f32.u64", Class::Float, &[W]),
    form("cvt.rn.f32.f64", Class::Float, &[W]),
    form("copysign.f32", Class::Float, &[F, F]),
    form("mov.b32", Class::Float, &[V]),
];

/// Operations with a 64-bit result.
pub(crate) static WIDE: &[Form] = &[
    form("mov.u64", Class::Wide, &[W]),
    form("add.s64", Class::Wide, &[W, W]),
    form("sub.s64", Class::Wide, &[W, W]),
    form("mul.lo.s64", Class::Wide, &[W, W]),
    form("mul.wide.u32", Class::Wide, &[V, I]),
    form("mul.wide.s32", Class::Wide, &[V, I]),
    form("mad.wide.u32", Class::Wide, &[V, I, W]),
    form("and.b64", Class::Wide, &[W, W]),
    form("or.b64", Class::Wide, &[W, W]),
    form("xor.b64", Class::Wide, &[W, W]),
    form("not.b64", Class::Wide, &[W]),
    form("neg.s64", Class::Wide, &[W]),
    form("min.s64", Class::Wide, &[W, W]),
    form("max.u64", Class::Wide, &[W, W]),
    form("shl.b64", Class::Wide, &[W, I]),
    form("shr.u64", Class::Wide, &[W, I]),
    form("shr.s64", Class::Wide, &[W, I]),
    form("selp.b64", Class::Wide, &[W, W, P]),
    form("cvt.u64.u32", Class::Wide, &[V]),
    form("cvt.s64.s32", Class::Wide, &[V]),
    form("cvt.f64.f32", Class::Wide, &[F]),
    form("cvt.rn.f64.s32", Class::Wide, &[V]),
    form("add.rn.f64", Class::Wide, &[W, W]),
    form("mul.rn.f64", Class::Wide, &[W, W]),
    form("fma.rn.f64", Class::Wide, &[W, W, W]),
    form("div.rn.f64", Class::Wide, &[W, W]),
    Form { text: "mov.b64", result: Class::Wide, sources: &[V, V], packed: true },
];

/// An operation between threads that are together, with an integer result.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Gather {
    /// Opcode with its modifiers.
    pub(crate) text: &'static str,
    pub(crate) operands: Operands,
}

/// Operands of an operation between threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operands {
    /// `d|p, a, choice, clamp, members`; where `p` holds, 1 is added.
    Shuffle { clamp: u32 },
    /// `d, p, members`.
    Ballot,
    /// `q, p, members`, with the answer as an integer.
    Vote,
    /// `d, a, members`; the source is cut to two bits, so that lanes agree.
    Match,
    /// `d, a, members`.
    Reduce,
    /// `d`.
    Mask,
    /// `d, 0, p`: of the whole CTA.
    BarrierCount,
    /// `q, 0, p`, with the answer as an integer.
    BarrierVote,
}

const fn gather(text: &'static str, operands: Operands) -> Gather {
    Gather { text, operands }
}

/// The operations between threads.
pub(crate) static GATHER: &[Gather] = &[
    gather("shfl.sync.down.b32", Operands::Shuffle { clamp: 0x1f }),
    gather("shfl.sync.up.b32", Operands::Shuffle { clamp: 0 }),
    gather("shfl.sync.bfly.b32", Operands::Shuffle { clamp: 0x1f }),
    gather("shfl.sync.idx.b32", Operands::Shuffle { clamp: 0x181f }),
    gather("vote.sync.ballot.b32", Operands::Ballot),
    gather("vote.sync.any.pred", Operands::Vote),
    gather("vote.sync.all.pred", Operands::Vote),
    gather("vote.sync.uni.pred", Operands::Vote),
    gather("match.any.sync.b32", Operands::Match),
    gather("redux.sync.add.s32", Operands::Reduce),
    gather("redux.sync.min.s32", Operands::Reduce),
    gather("redux.sync.xor.b32", Operands::Reduce),
    gather("activemask.b32", Operands::Mask),
    gather("bar.red.popc.u32", Operands::BarrierCount),
    gather("bar.red.and.pred", Operands::BarrierVote),
    gather("bar.red.or.pred", Operands::BarrierVote),
];

/// A comparison; both sources have the class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Compare {
    /// Comparison operator.
    pub(crate) operator: &'static str,
    /// Type suffix.
    pub(crate) suffix: &'static str,
    pub(crate) class: Class,
}

const fn compare(operator: &'static str, suffix: &'static str, class: Class) -> Compare {
    Compare { operator, suffix, class }
}

/// The comparisons, integers before the others.
pub(crate) static COMPARE: &[Compare] = &[
    compare("lt", "s32", Class::Int),
    compare("gt", "s32", Class::Int),
    compare("le", "u32", Class::Int),
    compare("ge", "u32", Class::Int),
    compare("eq", "s32", Class::Int),
    compare("ne", "s32", Class::Int),
    compare("lt", "f32", Class::Float),
    compare("geu", "f32", Class::Float),
    compare("equ", "f32", Class::Float),
    compare("lt", "s64", Class::Wide),
    compare("ge", "u64", Class::Wide),
    compare("gt", "f64", Class::Wide),
];

/// An atomic operation whose results do not depend on the order, with the begin of its counter.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Atomic {
    /// Operation and type.
    pub(crate) text: &'static str,
    pub(crate) begin: u32,
}

const fn atomic(text: &'static str, begin: u32) -> Atomic {
    Atomic { text, begin }
}

/// The atomic operations; counter `i` takes operation `i` only.
pub(crate) static ATOMICS: &[Atomic] = &[
    atomic("add.u32", 0),
    atomic("min.s32", 0x7fff_ffff),
    atomic("max.u32", 0),
    atomic("or.b32", 0),
    atomic("and.b32", 0xffff_ffff),
    atomic("xor.b32", 0),
];

/// The constant table of every kernel that has look-ups; a power of two of words.
pub(crate) static TABLE: [u32; 16] = [
    0,
    1,
    3,
    0xff,
    0x8000_0000,
    0x7fff_ffff,
    31,
    32,
    0x9e37_79b9,
    0xffff_ffff,
    5,
    64,
    0x3f80_0000,
    0x0101_0101,
    0xdead_beef,
    12,
];
