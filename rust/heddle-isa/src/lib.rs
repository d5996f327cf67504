//! The kernel IR and what one warp instruction does to 32 lanes.
//!
//! The same IR holds a kernel as parsed (virtual registers) and as allocated (architectural registers
//! R0..R254). Registers are 32 bits wide; a 64-bit value lives in an even-aligned pair, low word first.
//! Predicates are apart from the registers.

pub mod exec;
pub mod instr;
pub mod memory;
pub mod op;
pub mod program;
pub mod simt;
pub mod types;
pub mod unit;

pub use exec::{
    AccessSpaces, ExecError, Outputs, WarpContext, addresses, atomic, execute, guard_mask, load_extend,
    store_data,
};
pub use instr::{Guard, Instr, Loc, Operand, Pc, Pred, PredOperand, Special};
pub use memory::{AccessError, DeviceMemory};
pub use op::{Alu, AtomicOp, BarrierKind, CacheOp, FenceLevel, Mods, Op, PredAlu, Space};
pub use program::{
    Block, ConstantBank, Executable, GlobalVariable, Interval, IntervalId, Intervals, KernelLaunch, Param,
    Program, RegSet, SourceFile,
};
pub use simt::SimtStack;
pub use types::{BoolOp, Cmp, Rounding, Type};
pub use unit::Unit;
