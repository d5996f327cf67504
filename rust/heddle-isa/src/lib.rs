//! The kernel IR and what one warp instruction does to 32 lanes.
//!
//! The same IR holds a kernel as parsed (virtual registers) and as allocated (architectural registers
//! R0..R254). Registers are 32 bits wide; a 64-bit value lives in an even-aligned pair, low word first.
//! Predicates are apart from the registers.
//!
//! ```
//! use heddle_isa::exec::{Outputs, WarpContext, execute};
//! use heddle_isa::{Alu, Instr, KernelLaunch, Loc, Mods, Op, Operand, Program, Type};
//! use heddle_port::{LaneMask, NUM_LANES, NUM_SOURCES, Reg};
//!
//! # fn example(program: &Program, launch: &KernelLaunch) -> Result<(), heddle_isa::ExecError> {
//! let op = Op::Alu { op: Alu::Add, ty: Type::U32, mods: Mods::default() };
//! let mut add = Instr::new(op, Loc::default());
//! add.srcs.extend([Operand::Reg(Reg(4)), Operand::Imm(1)]);
//! add.dsts.push(Reg(5));
//! let mut sources = [[0; NUM_LANES]; NUM_SOURCES];
//! sources[0] = [41; NUM_LANES];
//! let context = WarpContext::new(program, launch, 0, 0);
//! let mut out = Outputs::default();
//! execute(&add, &sources, &[], &context, LaneMask::ALL, &mut out)?;
//! assert_eq!(out.values[0], [42; NUM_LANES]);
//! # Ok(())
//! # }
//! ```

mod declared;
pub mod exec;
pub mod instr;
pub mod loops;
pub mod memory;
pub mod modifiers;
pub mod op;
pub mod operand;
pub mod program;
pub mod recorded;
pub mod simt;
mod soft;
pub mod source;
pub mod symbols;
pub mod texture;
pub mod traced;
pub mod types;
pub mod unit;
pub mod video;
pub mod warp_op;

pub use declared::{Declared, MAX_BLOCK, MAX_BLOCK_THREADS, threads_of};
pub use exec::{
    AccessSpaces, BarrierFault, BarrierRequest, BarrierTally, ExecError, MemberFault, Moment, Outputs,
    WarpContext, addresses, atomic, barrier_request, execute, guard_mask, load_extend, plan_texels,
    resolve_spaces, store_data,
};
pub use instr::Instr;
pub use memory::{AccessError, DeviceMemory};
pub use modifiers::{Alu, AtomicOp, CacheOp, FenceLevel, FloatTest, Mods, Permutation, PredAlu, Space};
pub use op::Op;
pub use operand::{Constant, Guard, Loc, Operand, Pc, Pred, PredOperand, Special};
pub use program::{
    Block, ConstantBank, Executable, Interval, IntervalId, Intervals, KernelLaunch, Levels, Param, Program,
    RegSet,
};
pub use recorded::{Lanes, RecordedCta, RecordedWarp, Step};
pub use simt::SimtStack;
pub use source::SourceFile;
pub use symbols::{
    ConstantVariable, GlobalVariable, SymbolError, SymbolWrite, copy_constants, load_globals,
    place_grid_workspace,
};
pub use texture::{Texels, TextureTable};
pub use traced::{Traced, TracedAccess, TracedKind, WideOperand, tag_value};
pub use types::{BoolOp, Cmp, Rounding, Signs, Type};
pub use unit::Unit;
pub use video::{Elements, Part, Scale, Selection, Then, Video, VideoForm, VideoMad, VideoOp};
pub use warp_op::{BarrierKind, BarrierReduction, MatchMode, ReduxOp, ShflMode, VoteMode};
