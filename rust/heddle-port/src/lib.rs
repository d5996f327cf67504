//! The two ports between the SM and a design: plain structs, traits and newtypes.
//!
//! The same structs stand in `rtl/common/heddle_port_pkg.sv`, field for field. This crate's build
//! script reads that package; a field that differs in name, order or width is a build error.

pub mod bits;
mod error;
mod ids;
mod instance;
mod layout;
mod lines;
mod members;
pub mod memory;
mod placement;
pub mod register;

pub use bits::{FieldLayout, PortStruct};
pub use error::DesignError;
pub use ids::{Cycle, LaneMask, Reg, Tag, WarpSlot};
pub use instance::{EventField, EventLayout, Instance, Parameters, set_bits};
pub use lines::{LineBytes, LineEvents, TakenLine};
pub use members::members;
pub use memory::{
    HeldSpaces, LINE_WORDS, LaneWords, LineData, LowerKind, MemData, MemIn, MemKind, MemLowerRequest,
    MemLowerResponse, MemOut, MemOutcome, MemPerformed, MemRequest, MemResponse, MemSpace, MemoryPort,
    MemorySide, REGISTER_LINES,
};
pub use placement::{ResultLevel, SourceLevel};
pub use register::{
    Command, CommandOp, Done, Events, Issue, LaneData, MAX_PORT_WIDTH, OperandData, Operands, PortConfig,
    PortWidths, RegIn, RegOut, RegisterData, RegisterFile, ResultWrite, Status,
};

/// Version of both ports: a design that is made for another one may not understand them.
pub const PORT_VERSION: u32 = 2;
/// Lanes of a warp.
pub const NUM_LANES: usize = 32;
/// Bits of one lane of a register.
pub const LANE_BITS: usize = 32;
/// Hardware warp slots of an SM.
pub const NUM_WARPS: usize = 64;
/// Bits of a warp slot number.
pub const WARP_BITS: usize = 6;
/// Bits of an architectural register number.
pub const REG_BITS: usize = 8;
/// Architectural registers that a working set can name (R0..R254, R255 unused).
pub const NUM_REGS: usize = 256;
/// Bits of an instruction tag.
pub const TAG_BITS: usize = 10;
/// 32-bit source slots of an instruction.
pub const NUM_SOURCES: usize = 6;
/// 32-bit destination slots of an instruction.
pub const NUM_DESTINATIONS: usize = 4;
/// Bits of a register-interval number.
pub const INTERVAL_BITS: usize = 16;
/// Most bits of a design's event vector.
pub const EVENT_BITS: usize = 1024;
/// Words of a design's own configuration.
pub const DESIGN_WORDS: usize = 8;
/// Most banks whose state a scheduler sees.
pub const MAX_BANKS: usize = 128;
/// Bits of a CTA slot number.
pub const CTA_SLOT_BITS: usize = 5;
/// Bits of the id of a request to L2.
pub const LOWER_ID_BITS: usize = 10;
/// Bytes of a cache line.
pub const LINE_BYTES: usize = 128;
