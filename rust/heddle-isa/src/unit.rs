//! Which unit of the SM executes an instruction.

use crate::instr::Instr;
use crate::op::{Alu, Op, Space};
use crate::types::Type;

/// Class of the functional unit that executes an instruction; its latency and rate are the machine's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Integer and single-precision arithmetic, conversions, comparisons, moves, parameter and
    /// constant loads, and what lanes of a warp tell each other.
    Alu,
    /// Transcendentals, roots, reciprocals, and every division and remainder of 32 bits or fewer
    /// and of 64-bit integers.
    Sfu,
    /// Double-precision arithmetic, its division and roots included, and conversions from or to it.
    Double,
    /// Loads, stores and atomics of global, shared, local and generic space, and texture fetches.
    LoadStore,
    /// Branches, exits, barriers, fences, traps and nothing.
    Control,
}

impl Instr {
    /// The unit that executes the instruction.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self.op {
            Op::Alu { op, ty, .. } => match op {
                Alu::Mov | Alu::Pack | Alu::Unpack => Unit::Alu,
                _ if ty == Type::F64 => Unit::Double,
                Alu::Div
                | Alu::Rem
                | Alu::Rcp
                | Alu::Sqrt
                | Alu::Rsqrt
                | Alu::Sin
                | Alu::Cos
                | Alu::Ex2
                | Alu::Lg2
                | Alu::Tanh => Unit::Sfu,
                _ => Unit::Alu,
            },
            Op::Cvt { to, from, .. } if to == Type::F64 || from == Type::F64 => Unit::Double,
            Op::Setp { ty: Type::F64, .. }
            | Op::Set { ty: Type::F64, .. }
            | Op::Testp { ty: Type::F64, .. } => Unit::Double,
            Op::Ld { space: Space::Param | Space::Const, .. }
            | Op::Cvt { .. }
            | Op::Setp { .. }
            | Op::Set { .. }
            | Op::Testp { .. }
            | Op::Selp { .. }
            | Op::SurfaceAddress { .. }
            | Op::Pred { .. }
            | Op::Shfl { .. }
            | Op::Vote { .. }
            | Op::Match { .. }
            | Op::Redux { .. }
            | Op::Activemask
            | Op::Elect
            | Op::BarrierResult { .. }
            | Op::Clock => Unit::Alu,
            Op::Ld { .. } | Op::St { .. } | Op::Atom { .. } | Op::Tex { .. } => Unit::LoadStore,
            Op::Traced(ref traced) => traced.unit(),
            Op::Bra { .. }
            | Op::Exit
            | Op::Bar { .. }
            | Op::WarpSync
            | Op::Fence { .. }
            | Op::Trap
            | Op::Nop => Unit::Control,
        }
    }
}
