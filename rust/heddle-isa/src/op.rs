//! Operations with their typed modifiers.

use crate::instr::Pc;
use crate::texture::{Boundary, Geometry};
use crate::traced::Traced;
use crate::types::{BoolOp, Cmp, Rounding, Type};
use crate::video::Video;
use crate::warp_op::{BarrierKind, BarrierReduction, MatchMode, ReduxOp, ShflMode, VoteMode};

/// Arithmetic and logic on registers: sources in PTX order, one destination value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Alu {
    Mov,
    Add,
    Sub,
    /// Low half of an integer product; the product of floats.
    Mul,
    MulHi,
    /// Double-width product; `ty` is the type of the sources.
    MulWide,
    Mad,
    MadHi,
    /// Double-width product plus a double-width addend; `ty` is the type of the factors.
    MadWide,
    Fma,
    Div,
    Rem,
    Min,
    Max,
    Abs,
    Neg,
    Sad,
    And,
    Or,
    Xor,
    Not,
    Cnot,
    Shl,
    Shr,
    /// Funnel shift left, three sources: low, high, amount; `Mods::wrap` or clamp.
    ShfL,
    /// Funnel shift right.
    ShfR,
    Popc,
    Clz,
    Bfind,
    Brev,
    Bfe,
    Bfi,
    Prmt,
    /// Byte permutation by one of the patterns of `prmt`: two low bits of the selector choose.
    PrmtMode(Permutation),
    /// Any logic of three operands; the fourth source, an immediate, is its truth table.
    Lop3,
    /// `srcs[1]` ones from bit `srcs[0]` on; `Mods::alternate` takes both modulo 32.
    Bmsk,
    /// Extends the low `srcs[1]` bits; `Mods::alternate` takes their number modulo 32.
    Szext,
    /// Position of the n-th set bit from a base on, in either direction.
    Fns,
    /// Four products of bytes, summed and added to the third operand.
    Dp4a(Signs),
    /// Two products of a half-word and a byte, summed and added to the third operand.
    Dp2a {
        /// Signs of the half-words and of the bytes.
        signs: Signs,
        /// Takes the upper two bytes.
        high: bool,
    },
    /// Product of 24-bit integers: the low 32 bits, or bits 16 to 47.
    Mul24 {
        /// Bits 16 to 47.
        high: bool,
    },
    /// As `Mul24`, plus the third operand.
    Mad24 {
        /// Bits 16 to 47.
        high: bool,
    },
    /// Arithmetic on words, half-words or bytes; two operands, and a third where [`Video::has_third`] says so.
    Video(Video),
    Copysign,
    Rcp,
    Sqrt,
    Rsqrt,
    Sin,
    Cos,
    Ex2,
    Lg2,
    Tanh,
    /// Joins equal parts, the lowest first: halves or quarters of 64, 32 or 16 bits (`mov.b64 d, {a,b}`).
    Pack,
    /// Splits a source into as many equal parts as there are destinations, the lowest first.
    Unpack,
}

/// Patterns of `prmt`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permutation {
    /// Four bytes forward.
    F4e,
    /// Four bytes backward.
    B4e,
    /// One byte replicated.
    Rc8,
    /// Edge clamp left.
    Ecl,
    /// Edge clamp right.
    Ecr,
    /// One half-word replicated.
    Rc16,
}

/// Which factors of a dot product are signed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Signs {
    /// Parts of the first operand.
    pub first: bool,
    /// Parts of the second operand.
    pub second: bool,
}

/// Properties that `testp` tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FloatTest {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// Modifiers that an operation may carry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Mods {
    /// Rounding, where written; `None` is the PTX default of the operation.
    pub rounding: Option<Rounding>,
    /// Subnormal inputs and results are flushed to zero.
    pub ftz: bool,
    /// Saturation: to [0, 1] for floats, to the type's range for integers.
    pub sat: bool,
    /// Approximate form (`.approx`).
    pub approx: bool,
    /// Full-range approximate division (`.full`).
    pub full: bool,
    /// `bfind.shiftamt`, `shf.wrap`, `bmsk.wrap`, `szext.wrap`.
    pub alternate: bool,
    /// NaN-propagating min and max.
    pub nan: bool,
    /// Min and max of magnitudes, with the product of the signs.
    pub xorsign: bool,
    /// A negative result becomes +0.
    pub relu: bool,
    /// Writes the carry flag (`.cc`).
    pub carry_out: bool,
    /// Reads the carry flag (`addc`, `subc`, `madc`).
    pub carry_in: bool,
}

/// Operations on predicates: sources and destination are predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum PredAlu {
    Mov,
    And,
    Or,
    Xor,
    Not,
}

/// State space of a memory access.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Space {
    Global,
    Shared,
    Local,
    Param,
    Const,
    /// Resolved per lane at run time by address window.
    Generic,
}

/// Cache operator of a load or store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum CacheOp {
    #[default]
    Ca,
    Cg,
    Cs,
    Lu,
    Cv,
    /// Read-only data path.
    Nc,
    Volatile,
}

/// Read-modify-write operation of `atom` and `red`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum AtomicOp {
    Add,
    Min,
    Max,
    And,
    Or,
    Xor,
    Exch,
    Cas,
    Inc,
    Dec,
}

/// Scope of a memory fence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum FenceLevel {
    Cta,
    Gpu,
    System,
}

/// The operation of an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Op {
    /// Registers to registers.
    Alu {
        /// Operation.
        op: Alu,
        /// Operation type.
        ty: Type,
        /// Modifiers.
        mods: Mods,
    },
    /// Conversion. To a packed pair of halves there are two sources, the upper half's first.
    Cvt {
        /// Destination type.
        to: Type,
        /// Source type.
        from: Type,
        /// Modifiers.
        mods: Mods,
    },
    /// Comparison to one or two predicates (the second is the complement before combination; of packed
    /// halves, the upper half's). With `combine`, `pred_srcs[0]` is the predicate combined with.
    Setp {
        /// Comparison.
        cmp: Cmp,
        /// Type of the sources.
        ty: Type,
        /// Flush subnormal sources.
        ftz: bool,
        /// Combination with a predicate.
        combine: Option<BoolOp>,
    },
    /// Comparison to a register: all ones or 1.0f, else zero.
    Set {
        /// Comparison.
        cmp: Cmp,
        /// Type of the sources.
        ty: Type,
        /// Type of the destination: an integer, or a float of at most 32 bits.
        to: Type,
        /// Flush subnormal sources.
        ftz: bool,
        /// Combination with a predicate.
        combine: Option<BoolOp>,
    },
    /// Property of a float to a predicate.
    Testp {
        /// The property.
        test: FloatTest,
        /// Type: f32 or f64.
        ty: Type,
    },
    /// `srcs[0]` where `pred_srcs[0]` holds, else `srcs[1]`.
    Selp {
        /// Type.
        ty: Type,
    },
    /// Predicates to a predicate.
    Pred {
        /// Operation.
        op: PredAlu,
    },
    /// Load: `srcs[0]` + `Instr::offset` is the address; `dsts` take `vector` elements.
    Ld {
        /// State space.
        space: Space,
        /// Type of one element; narrower than 32 bits is extended by its sign.
        ty: Type,
        /// Elements: 1, 2 or 4.
        vector: u8,
        /// Cache operator.
        cache: CacheOp,
    },
    /// Store: `srcs[0]` + `Instr::offset` is the address, `srcs[1..]` the elements.
    St {
        /// State space.
        space: Space,
        /// Type of one element.
        ty: Type,
        /// Elements: 1, 2 or 4.
        vector: u8,
        /// Cache operator.
        cache: CacheOp,
    },
    /// Atomic: `srcs[0]` + offset is the address, `srcs[1]` the operand, `srcs[2]` the new value of
    /// `Cas`. Without a destination it is a reduction.
    Atom {
        /// State space.
        space: Space,
        /// Operation.
        op: AtomicOp,
        /// Type.
        ty: Type,
    },
    /// Texture fetch from global memory: `srcs[0]` is the handle, then come the coordinates as
    /// [`Geometry::coordinates`] counts them and, where written, the level of detail, which changes
    /// nothing: no texture has more than one level. Four destinations.
    Tex {
        /// Shape of the coordinates.
        geometry: Geometry,
        /// Type of the result: f32, u32 or s32.
        ty: Type,
        /// Coordinates are s32, and else f32.
        integer: bool,
    },
    /// The global address of a surface access: `srcs[0]` is the handle, then come the coordinates, x in
    /// bytes. The destination is a pair, 0 where nothing is accessed; `pred_dsts[0]`, if there, says
    /// where something is. A load or store of global space does the access: handle, coordinates and data
    /// together do not fit the source slots.
    SurfaceAddress {
        /// Shape of the coordinates.
        geometry: Geometry,
        /// What becomes of an access outside.
        boundary: Boundary,
        /// Bytes of the access.
        bytes: u8,
    },
    /// Branch of the guarded lanes to `target`.
    Bra {
        /// Program counter of the target.
        target: Pc,
        /// Immediate post-dominator of the branch, where lanes reconverge; `None` when paths meet
        /// only at the exit.
        reconvergence: Option<Pc>,
    },
    /// The guarded lanes end.
    Exit,
    /// Barrier of the CTA: `srcs[0]` is its number, `srcs[1]`, where there is one, how many threads take
    /// part; `pred_srcs[0]` is the contribution of [`BarrierKind::Reduce`].
    Bar {
        /// What it does.
        kind: BarrierKind,
    },
    /// Reads what the last [`BarrierKind::Reduce`] of the warp gave: to `dsts[0]` the count, to
    /// `pred_dsts[0]` a conjunction or disjunction. It follows its barrier at once.
    BarrierResult {
        /// Which of them.
        reduction: BarrierReduction,
    },
    /// `bar.warp.sync`: the lanes of the member mask `srcs[0]` wait for each other.
    WarpSync,
    /// `dsts[0]` is `srcs[0]` of another lane, chosen by `srcs[1]` and the clamp and segment mask
    /// `srcs[2]`; `pred_dsts[0]`, where there is one, tells whether that lane is in range. `srcs[3]` is
    /// the member mask of a `.sync` form.
    Shfl {
        /// How the lane is chosen.
        mode: ShflMode,
    },
    /// Vote on `pred_srcs[0]`, to `pred_dsts[0]` or, of a ballot, to `dsts[0]`. `srcs[0]` is the member
    /// mask of a `.sync` form.
    Vote {
        /// What is asked.
        mode: VoteMode,
    },
    /// Compares `srcs[0]` between the lanes of the member mask `srcs[1]`; lanes to `dsts[0]`, whether all
    /// are equal to `pred_dsts[0]`, where there is one.
    Match {
        /// What is asked.
        mode: MatchMode,
        /// `B32` or `B64`.
        ty: Type,
    },
    /// Reduction of `srcs[0]` over the lanes of the member mask `srcs[1]` to `dsts[0]`.
    Redux {
        /// Operation.
        op: ReduxOp,
        /// `U32`, `S32` or `B32`.
        ty: Type,
    },
    /// The lanes that execute it, to `dsts[0]`.
    Activemask,
    /// One lane of the member mask `srcs[0]`: its number to `dsts[0]`, where there is one; `pred_dsts[0]` holds
    /// in it alone.
    Elect,
    /// The warp's clock ([`crate::exec::Moment`]), which ticks with every read: low word to `dsts[0]`, high
    /// word to `dsts[1]`, where there is one.
    Clock,
    /// The lanes that execute it end the run as a failure of the kernel.
    Trap,
    /// Memory fence.
    Fence {
        /// Scope.
        level: FenceLevel,
    },
    /// Nothing.
    Nop,
    /// An instruction of a trace: which registers and which memory it accesses is known, values are not.
    Traced(Box<Traced>),
}
