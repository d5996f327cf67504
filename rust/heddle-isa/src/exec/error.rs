//! Failures of execution.

use heddle_port::LaneMask;

use super::{BarrierFault, MemberFault};
use crate::modifiers::Space;
use crate::texture::TextureError;
use crate::types::Type;

/// An instruction that cannot be executed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ExecError {
    /// The operation is not defined for the type.
    #[error("{op} is not executable on type .{}", ty.name())]
    Unsupported {
        /// The operation.
        op: String,
        /// Its type.
        ty: Type,
    },
    /// The instruction lacks an operand or has one of the wrong kind.
    #[error("{op} lacks {what} {index}")]
    Operand {
        /// The operation.
        op: String,
        /// Kind of operand expected.
        what: &'static str,
        /// Its number, from 0.
        index: usize,
    },
    /// A read outside the parameter block or the constant bank.
    #[error("lane {lane} reads {bytes} bytes at {address:#x} of {space:?} memory, which has {size} bytes")]
    Bank {
        /// Parameter or constant space.
        space: Space,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// Size of the bank.
        size: usize,
        /// Lane.
        lane: usize,
    },
    /// A texture or surface that a lane cannot access.
    #[error("lane {lane}: {source}")]
    Texture {
        /// Lane.
        lane: usize,
        /// Why.
        source: TextureError,
    },
    /// Instructions that [`super::execute`] does not take: global, shared and local memory, control.
    #[error("{op} is not an instruction of the arithmetic units")]
    NotArithmetic {
        /// The operation.
        op: String,
    },
    /// A member mask that cannot be met.
    #[error(transparent)]
    Members(#[from] MemberFault),
    /// A barrier that cannot be.
    #[error(transparent)]
    Barrier(#[from] BarrierFault),
    /// A `trap` or `brkpt` is executed.
    #[error("the kernel traps in lanes {lanes}")]
    Trap {
        /// Lanes that execute it.
        lanes: LaneMask,
    },
}
