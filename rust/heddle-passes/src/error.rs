//! What can be wrong with a program or with intervals.

use heddle_isa::{IntervalId, Loc, Pc};
use heddle_port::Reg;

use crate::hierarchy::AllocationFault;

/// A pass cannot take the program, or its result does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PassError {
    /// The program still has virtual registers.
    #[error("kernel '{kernel}' has virtual registers; allocate registers before this pass")]
    NotAllocated {
        /// Entry name.
        kernel: String,
    },
    /// The program has no instruction.
    #[error("kernel '{kernel}' has no instruction")]
    Empty {
        /// Entry name.
        kernel: String,
    },
    /// A register number that no working set can name.
    #[error("pc {pc} (line {loc}): {register} is no architectural register; R0 to R{} are", heddle_port::NUM_REGS - 1)]
    Register {
        /// Instruction.
        pc: Pc,
        /// Its place in the text.
        loc: Loc,
        /// The register.
        register: Reg,
    },
    /// An instruction with more source registers than the port has slots.
    #[error(
        "pc {pc} (line {loc}) reads {sources} registers; at most {} fit the source slots",
        heddle_port::NUM_SOURCES
    )]
    Sources {
        /// Instruction.
        pc: Pc,
        /// Its place in the text.
        loc: Loc,
        /// Source registers, a pair as two.
        sources: usize,
    },
    /// An instruction leads to a place outside the program.
    #[error("pc {pc} (line {loc}) leads to pc {target}, but the program ends at pc {end}")]
    Target {
        /// Instruction.
        pc: Pc,
        /// Its place in the text.
        loc: Loc,
        /// Where it leads.
        target: Pc,
        /// First pc behind the program.
        end: Pc,
    },
    /// The blocks of the program do not form a control-flow graph.
    #[error("block {block} of kernel '{kernel}': {expected}")]
    Blocks {
        /// Entry name.
        kernel: String,
        /// Block number.
        block: usize,
        /// What should hold and does not.
        expected: &'static str,
    },
    /// A limit on the working set that no machine can have.
    #[error(
        "an interval cannot be limited to {limit} registers; 1 to {} are possible",
        heddle_port::NUM_REGS
    )]
    Limit {
        /// The limit.
        limit: u32,
    },
    /// One instruction alone accesses more registers than an interval may hold.
    #[error("pc {pc} (line {loc}) accesses {registers} registers, but an interval holds at most {limit}")]
    InstructionTooLarge {
        /// Instruction.
        pc: Pc,
        /// Its place in the text.
        loc: Loc,
        /// Distinct registers that it accesses.
        registers: u32,
        /// Largest working set allowed.
        limit: u32,
    },
    /// More intervals than interval numbers.
    #[error("kernel '{kernel}' needs {intervals} intervals; numbers exist for {}", 1u32 << heddle_port::INTERVAL_BITS)]
    TooManyIntervals {
        /// Entry name.
        kernel: String,
        /// Intervals formed.
        intervals: usize,
    },
    /// The intervals break a rule.
    #[error("intervals of kernel '{kernel}': {fault}")]
    Intervals {
        /// Entry name.
        kernel: String,
        /// The rule.
        #[source]
        fault: IntervalFault,
    },
    /// A number of banks that no register file has.
    #[error("registers cannot be spread over {banks} banks; 1 to {} are possible", heddle_port::NUM_REGS)]
    Banks {
        /// The number.
        banks: usize,
    },
    /// An operand register file that no thread has.
    #[error(
        "an operand register file cannot have {entries} entries a thread; 1 to {} are possible",
        crate::hierarchy::MOST_OPERAND_ENTRIES
    )]
    OperandEntries {
        /// Entries of a thread.
        entries: u8,
    },
    /// The levels of a register hierarchy break a rule.
    #[error("register hierarchy of kernel '{kernel}': {fault}")]
    Allocation {
        /// Entry name.
        kernel: String,
        /// The rule.
        #[source]
        fault: AllocationFault,
    },
    /// A renumbered program is not the program that it was.
    #[error("renumbering of kernel '{kernel}': {fault}")]
    Renumber {
        /// Entry name.
        kernel: String,
        /// The rule.
        #[source]
        fault: RenumberFault,
    },
}

/// A rule of renumbering that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RenumberFault {
    /// Instructions were added or left out.
    #[error("{old} instructions became {new}")]
    Length {
        /// Instructions before.
        old: usize,
        /// Instructions now.
        new: usize,
    },
    /// A thread has another number of registers.
    #[error("{old} registers a thread became {new}")]
    Registers {
        /// Registers before.
        old: u32,
        /// Registers now.
        new: u32,
    },
    /// More than register numbers has changed.
    #[error("pc {pc} is another instruction")]
    Instruction {
        /// Instruction.
        pc: Pc,
    },
    /// A register that a thread does not have.
    #[error("pc {pc} has {register}, but a thread has {registers} registers")]
    Range {
        /// Instruction.
        pc: Pc,
        /// The register.
        register: Reg,
        /// Registers of a thread.
        registers: u32,
    },
    /// A pair that does not begin at an even register.
    #[error("pc {pc} reads a pair that begins at {low}; expected an even register")]
    Pair {
        /// Instruction.
        pc: Pc,
        /// Its lower register.
        low: Reg,
    },
    /// An operand of several registers that is torn apart or moved to where it cannot be.
    #[error(
        "pc {pc} has an operand that was {} registers from {old} on and now begins at {new}; expected consecutive \
         registers from a multiple of their number on, and more than {} where they were",
        registers,
        crate::registers::MOST_MOVED
    )]
    Wide {
        /// Instruction.
        pc: Pc,
        /// Registers of the operand.
        registers: usize,
        /// Its first register in the old program.
        old: Reg,
        /// Its first register in the new program.
        new: Reg,
    },
    /// A value that is read later is lost, or never written.
    #[error(
        "pc {pc} does not write {old}, which is now {new}, in the same place of both programs, but it is read later"
    )]
    Write {
        /// Instruction.
        pc: Pc,
        /// Register of the old program.
        old: Reg,
        /// Register of the new program.
        new: Reg,
    },
    /// One register stands for two.
    #[error("behind pc {pc}, {} is now {} and {} is {}; expected one for one", old[0], new[0], old[1], new[1])]
    Two {
        /// Instruction.
        pc: Pc,
        /// Registers of the old program.
        old: [Reg; 2],
        /// Registers of the new program.
        new: [Reg; 2],
    },
}

/// A rule of register-intervals that does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IntervalFault {
    /// An instruction without an interval, or an interval number for no instruction.
    #[error("{instructions} instructions, but {assigned} of them have an interval")]
    Coverage {
        /// Instructions of the program.
        instructions: usize,
        /// Entries of the table by pc.
        assigned: usize,
    },
    /// An instruction has the number of no interval.
    #[error("pc {pc} is in interval {}, but there are {count} intervals", interval.0)]
    Unknown {
        /// Instruction.
        pc: Pc,
        /// Its interval.
        interval: IntervalId,
        /// Number of intervals.
        count: usize,
    },
    /// An interval stands at the place of another.
    #[error("entry {index} of the interval table has number {}", id.0)]
    Number {
        /// Place in the table.
        index: usize,
        /// Number found there.
        id: IntervalId,
    },
    /// The header is not an instruction of its interval.
    #[error("header pc {header} of interval {} is not in it", id.0)]
    Header {
        /// Interval.
        id: IntervalId,
        /// Its header.
        header: Pc,
    },
    /// An edge into the middle of an interval.
    #[error("interval {} is entered from pc {from} at pc {to}; only its header, pc {header}, may be entered", id.0)]
    SecondEntry {
        /// Interval entered.
        id: IntervalId,
        /// Source of the edge.
        from: Pc,
        /// Target of the edge.
        to: Pc,
        /// Header.
        header: Pc,
    },
    /// The kernel begins in the middle of an interval.
    #[error("the kernel begins at pc 0 in interval {}, whose header is pc {header}", id.0)]
    KernelEntry {
        /// Interval of pc 0.
        id: IntervalId,
        /// Its header.
        header: Pc,
    },
    /// A strand that does not end where it must.
    #[error("the strand of pc {from} must end there, but pc {to}, which follows, does not begin one")]
    StrandGoesOn {
        /// A long-latency instruction or a backward branch.
        from: Pc,
        /// Where it leads.
        to: Pc,
    },
    /// An interval that goes on behind a call.
    #[error(
        "the interval of pc {from} must end there, at a call, but pc {to}, which follows, does not begin one"
    )]
    CallGoesOn {
        /// The call.
        from: Pc,
        /// Where it comes back to.
        to: Pc,
    },
    /// A working set that does not fit.
    #[error("interval {} has {registers} registers; at most {limit} are allowed", id.0)]
    TooLarge {
        /// Interval.
        id: IntervalId,
        /// Size of its working set.
        registers: u32,
        /// Largest working set allowed.
        limit: u32,
    },
    /// A register is accessed that would not be in the register cache.
    #[error("pc {pc} accesses {register}, which is not in the working set of interval {}", id.0)]
    Missing {
        /// Instruction.
        pc: Pc,
        /// Register.
        register: Reg,
        /// Interval of the instruction.
        id: IntervalId,
    },
}
