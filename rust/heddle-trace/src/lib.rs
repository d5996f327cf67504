//! Traces of SASS instructions, as the public NVBit tracer writes them, versions 1 to 5.
//!
//! [`read_list`] reads `kernelslist.g`. [`TracedKernel::read`] streams a kernel's trace once and makes a
//! [`heddle_isa::Program`] of the instructions that it finds; [`Replay`] streams it again and gives the
//! record of one CTA after the other. A trace holds no values and names only the first register of a wide
//! operand; the opcode tables ([`opcodes`]) restore the others. `docs/traces.md` has the format.

mod address_map;
mod barriers;
mod collector;
mod error;
mod header;
mod instruction;
mod kernel;
mod line;
mod lines;
mod list;
mod more_registers;
mod notes;
mod numbers;
pub mod opcodes;
mod operands;
mod places;
mod program;
mod reader;
mod replay;
mod resident;
pub mod sass;
mod source;
mod twins;
mod writer;

pub use address_map::AddressMap;
pub use barriers::AssumedBarriers;
pub use error::{Spot, TraceError};
pub use header::{ARCHITECTURES, Header, VERSIONS};
pub use instruction::{Instruction, MAX_SOURCES, ZERO_REGISTER};
pub use kernel::TracedKernel;
pub use line::Line;
pub use lines::Lines;
pub use list::{Command, is_trace, read_list};
pub use more_registers::MoreRegisters;
pub use notes::Note;
pub use operands::{Operands, restore};
pub use reader::Reader;
pub use replay::Replay;
pub use source::Source;
pub use twins::Twins;
pub use writer::{AddressMode, Writer, Written};
