//! The operations of instructions.

use crate::modifiers::{Alu, AtomicOp, CacheOp, FenceLevel, FloatTest, Mods, PredAlu, Space};
use crate::operand::Pc;
use crate::texture::{Boundary, Geometry};
use crate::traced::Traced;
use crate::types::{BoolOp, Cmp, Type};
use crate::warp_op::{BarrierKind, BarrierReduction, MatchMode, ReduxOp, ShflMode, VoteMode};

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
