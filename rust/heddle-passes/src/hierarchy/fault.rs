//! What can be wrong with an allocation.

use heddle_isa::Pc;
use heddle_port::{Reg, ResultLevel, SourceLevel};

/// A rule that an allocation breaks.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AllocationFault {
    /// It is not of this program.
    #[error(
        "it has levels of {levels} and entries of {entries} instructions; the program has {instructions}"
    )]
    Coverage {
        /// Instructions of the program.
        instructions: usize,
        /// Instructions with levels.
        levels: usize,
        /// Instructions with entries.
        entries: usize,
    },
    /// A source is not where it is read.
    #[error(
        "pc {pc}: source {slot}, {register}, is read at level {level:?}, entry {entry}, which does not have it on \
         every path"
    )]
    Absent {
        /// Instruction.
        pc: Pc,
        /// Source slot.
        slot: usize,
        /// Register.
        register: Reg,
        /// Level.
        level: SourceLevel,
        /// Entry, at [`SourceLevel::Operand`].
        entry: u8,
    },
    /// An entry that is not there.
    #[error("pc {pc} names entry {entry} of the operand register file, which has {entries}")]
    Entry {
        /// Instruction.
        pc: Pc,
        /// Entry.
        entry: u8,
        /// Entries that there are.
        entries: u8,
    },
    /// An instruction that cannot use the last result file, or there is none.
    #[error("pc {pc} uses the last result file, which {why}")]
    Last {
        /// Instruction.
        pc: Pc,
        /// Why it cannot.
        why: &'static str,
    },
    /// The result comes when the warp may be inactive.
    #[error("pc {pc}: a long-latency result goes to level {level:?}; only the main register file takes it")]
    LongLatency {
        /// Instruction.
        pc: Pc,
        /// Level.
        level: ResultLevel,
    },
    /// A source is kept though some lanes may not read it.
    #[error(
        "pc {pc} is not executed by all lanes, and source {slot} is to be kept in the operand register file"
    )]
    PartialFill {
        /// Instruction.
        pc: Pc,
        /// Source slot.
        slot: usize,
    },
    /// An earlier value for the entry may still be under way.
    #[error(
        "pc {pc} writes an entry for which {register} may still be under way, because nothing waited for it"
    )]
    Overtaken {
        /// Instruction.
        pc: Pc,
        /// The earlier register.
        register: Reg,
    },
}
