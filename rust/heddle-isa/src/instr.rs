//! Instructions.

use heddle_port::{NUM_DESTINATIONS, NUM_SOURCES, Reg};
use smallvec::SmallVec;

use crate::modifiers::{Alu, Space};
use crate::op::Op;
use crate::operand::{Guard, Loc, Operand, Pred, PredOperand};
use crate::types::Type;
use crate::unit::Unit;

/// One instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Instr {
    /// What it does.
    pub op: Op,
    /// Lanes that do it.
    pub guard: Option<Guard>,
    /// Destination registers, 32 bits each, low word first, elements in order.
    pub dsts: SmallVec<[Reg; NUM_DESTINATIONS]>,
    /// Source operands in PTX order.
    pub srcs: SmallVec<[Operand; 4]>,
    /// Destination predicates.
    pub pred_dsts: SmallVec<[Pred; 2]>,
    /// Source predicates other than the guard.
    pub pred_srcs: SmallVec<[PredOperand; 2]>,
    /// Byte offset added to the address of a memory access.
    pub offset: i32,
    /// Place in the PTX text.
    pub loc: Loc,
}

impl Instr {
    /// An instruction without operands.
    #[must_use]
    pub fn new(op: Op, loc: Loc) -> Self {
        Self {
            op,
            guard: None,
            dsts: SmallVec::new(),
            srcs: SmallVec::new(),
            pred_dsts: SmallVec::new(),
            pred_srcs: SmallVec::new(),
            offset: 0,
            loc,
        }
    }

    /// Source registers in slot order: the register operands in PTX order, a pair as low, high. This
    /// is the order of the port's source slots; at most [`NUM_SOURCES`].
    #[must_use]
    pub fn source_regs(&self) -> SmallVec<[Reg; NUM_SOURCES]> {
        let mut slots = SmallVec::new();
        for operand in &self.srcs {
            match *operand {
                Operand::Reg(r) => slots.push(r),
                Operand::Pair(r) => slots.extend([r, Reg(r.0 + 1)]),
                Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => {}
            }
        }
        slots
    }

    /// Whether the instruction reads or writes registers, and so passes through the register port.
    #[must_use]
    pub fn uses_registers(&self) -> bool {
        !self.dsts.is_empty() || self.srcs.iter().any(|s| matches!(s, Operand::Reg(_) | Operand::Pair(_)))
    }

    /// The space of a memory access that goes through the load-store unit (global, shared, local or
    /// generic); parameter and constant loads do not.
    #[must_use]
    pub fn memory_space(&self) -> Option<Space> {
        match self.op {
            Op::Ld { space: Space::Param | Space::Const, .. } => None,
            Op::Ld { space, .. } | Op::St { space, .. } | Op::Atom { space, .. } => Some(space),
            Op::Tex { .. } => Some(Space::Global),
            Op::Traced(ref traced) => traced.access().map(|(_, space, _)| space),
            _ => None,
        }
    }

    /// The unit that executes the instruction.
    #[must_use]
    pub fn unit(&self) -> Unit {
        match self.op {
            Op::Alu { op, ty, .. } => match op {
                Alu::Mov | Alu::Pack | Alu::Unpack => Unit::Int,
                _ if ty == Type::F64 => Unit::Fp64,
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
                _ if ty.is_float() => Unit::Fp32,
                Alu::Mul
                | Alu::MulHi
                | Alu::MulWide
                | Alu::Mad
                | Alu::MadHi
                | Alu::MadWide
                | Alu::Mul24 { .. }
                | Alu::Mad24 { .. }
                | Alu::Dp4a(_)
                | Alu::Dp2a { .. } => Unit::IntMultiply,
                _ => Unit::Int,
            },
            Op::Cvt { to, from, .. } if to == Type::F64 || from == Type::F64 => Unit::Fp64,
            Op::Setp { ty: Type::F64, .. }
            | Op::Set { ty: Type::F64, .. }
            | Op::Testp { ty: Type::F64, .. } => Unit::Fp64,
            Op::Setp { ty, .. } | Op::Set { ty, .. } if ty.is_float() => Unit::Fp32,
            Op::Testp { .. } => Unit::Fp32,
            Op::Shfl { .. } | Op::Match { .. } | Op::Redux { .. } => Unit::Exchange,
            Op::Ld { space: Space::Param | Space::Const, .. }
            | Op::Cvt { .. }
            | Op::Setp { .. }
            | Op::Set { .. }
            | Op::Selp { .. }
            | Op::SurfaceAddress { .. }
            | Op::Pred { .. }
            | Op::Vote { .. }
            | Op::Activemask
            | Op::Elect
            | Op::BarrierResult { .. }
            | Op::Clock => Unit::Int,
            Op::Ld { .. } | Op::St { .. } | Op::Atom { .. } | Op::Tex { .. } => Unit::LoadStore,
            Op::Traced(ref traced) => traced.unit(),
            Op::Bra { .. } => Unit::Branch,
            Op::Exit | Op::Bar { .. } | Op::WarpSync | Op::Fence { .. } | Op::Trap | Op::Nop => Unit::Control,
        }
    }
}
