//! What can go wrong.

use std::fmt;

use heddle_isa::{AccessError, Pc};
use heddle_port::{DesignError, Reg, Tag, WarpSlot};

use crate::contents::WrongRequest;

/// A kernel that the SM cannot run at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LaunchError {
    /// The copy of the constant bank does not fit its place in global memory.
    #[error("constant memory: {0}")]
    Constants(#[from] heddle_isa::AccessError),
    /// More threads than the SM has warps for.
    #[error("a CTA has {threads} threads = {needed} warps; the SM has {available} warp slots")]
    Warps {
        /// Threads of a CTA.
        threads: u32,
        /// Warps that they make.
        needed: u32,
        /// Warp slots of the SM.
        available: u32,
    },
    /// More registers than the SM has.
    #[error(
        "a CTA needs {needed} warp registers ({warps} warps x {per_warp} registers); the register file holds \
         {available}"
    )]
    Registers {
        /// Warps of a CTA.
        warps: u32,
        /// Registers of a thread, rounded up to the granularity.
        per_warp: u32,
        /// Product of both.
        needed: u32,
        /// Warp registers of the SM.
        available: u32,
    },
    /// More registers than a thread can have in the design.
    #[error(
        "the kernel has {registers} registers a thread; the register file addresses {most}: compile it with \
         --max-registers {most}"
    )]
    RegistersOfThread {
        /// Registers of a thread.
        registers: u32,
        /// Most that the design addresses.
        most: u32,
    },
    /// More shared memory than the SM has.
    #[error(
        "a CTA needs {needed} bytes of shared memory; it can have {available}: shared_memory.bytes of the preset, and \
         off chip at most 131072"
    )]
    Shared {
        /// Static and dynamic bytes.
        needed: u32,
        /// Bytes that a CTA can have.
        available: u32,
    },
    /// More local memory than the SM has addresses for.
    #[error(
        "a thread has {bytes} bytes of local memory; with {warps} warps there are addresses for {available}"
    )]
    Local {
        /// Bytes of a thread.
        bytes: u32,
        /// Warp slots of the SM.
        warps: u32,
        /// Bytes that a thread can have.
        available: u32,
    },
    /// A grid or block without threads.
    #[error("the launch has no threads: grid {grid:?}, block {block:?}")]
    Empty {
        /// Grid.
        grid: [u32; 3],
        /// Block.
        block: [u32; 3],
    },
    /// The CTA choice selects no CTA of the grid.
    #[error("CTA {first} and every {every}th after it: the grid has only {ctas} CTAs")]
    NoCta {
        /// First CTA chosen.
        first: u64,
        /// Distance of the chosen CTAs.
        every: u64,
        /// CTAs of the grid.
        ctas: u64,
    },
    /// A program that is not ready for hardware.
    #[error("kernel {kernel} cannot run on the SM: {reason}")]
    Program {
        /// Kernel name.
        kernel: String,
        /// What is wrong.
        reason: String,
    },
    /// The host writes a `.const` variable that is not there or too small.
    #[error(transparent)]
    Constant(#[from] heddle_isa::SymbolError),
    /// Port widths and preset do not fit each other.
    #[error("{what} is {value}, but must be {allowed}")]
    Configuration {
        /// Which value.
        what: &'static str,
        /// What it is.
        value: u64,
        /// What is possible.
        allowed: String,
    },
}

/// Place of an instruction in execution, for messages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// CTA number in the grid.
    pub cta: u64,
    /// Warp of the CTA.
    pub warp_in_cta: u32,
    /// Program counter.
    pub pc: Pc,
    /// File, line and column of the kernel text.
    pub location: String,
    /// Text of the source line.
    pub source: String,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}: `{}` (pc {}, CTA {}, warp {})",
            self.location, self.source, self.pc, self.cta, self.warp_in_cta
        )
    }
}

/// A run that cannot go on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SmError {
    /// The observer asked to stop; it knows why.
    #[error("stopped by the observer at cycle {cycle}")]
    Stopped {
        /// Cycle.
        cycle: u64,
    },
    /// An access that memory refuses.
    #[error("cycle {cycle}: {place}, thread {thread:?}: {space} memory: {error}")]
    Access {
        /// Cycle.
        cycle: u64,
        /// Instruction.
        place: Box<Place>,
        /// Thread coordinates in the CTA.
        thread: [u32; 3],
        /// Memory space.
        space: &'static str,
        /// Why.
        error: AccessError,
    },
    /// An instruction that cannot be executed.
    #[error("cycle {cycle}: {place}: {reason}")]
    Execution {
        /// Cycle.
        cycle: u64,
        /// Instruction.
        place: Box<Place>,
        /// Why.
        reason: String,
    },
    /// A right instruction that the design cannot carry out.
    #[error("cycle {cycle}: {place}: {reason}")]
    Unsupported {
        /// Cycle.
        cycle: u64,
        /// Instruction.
        place: Box<Place>,
        /// What it cannot do, and which designs can.
        reason: String,
    },
    /// The design or the memory side broke the port contract.
    #[error("cycle {cycle}: port contract broken: {what}")]
    Protocol {
        /// Cycle.
        cycle: u64,
        /// Whose instruction or command it is about.
        slot: WarpSlot,
        /// The last instruction of the tag that was named, or the next one of the warp; none where it has ended.
        place: Option<Box<Place>>,
        /// What was seen and what was expected.
        what: String,
    },
    /// An implementer of the memory port failed.
    #[error("cycle {cycle}: {error}")]
    Memory {
        /// Cycle.
        cycle: u64,
        /// Why.
        error: DesignError,
    },
    /// What the design asks of L2, or brings it, is not what its SM accessed.
    #[error("cycle {cycle}: {what}")]
    Traffic {
        /// Cycle.
        cycle: u64,
        /// What was seen and what was expected.
        what: WrongRequest,
    },
    /// Warps go on issuing and none will ever get anywhere: each polls memory that nobody changes, stands at a barrier
    /// or does not get its turn.
    #[error("cycle {cycle}: nothing has changed since cycle {since}; {}", list(.waits))]
    Stuck {
        /// Cycle.
        cycle: u64,
        /// Cycle of the last change.
        since: u64,
        /// What each warp waits for.
        waits: Vec<WarpWait>,
    },
    /// Nothing moved for too long.
    #[error("cycle {cycle}: nothing has moved for {idle} cycles; {}", list(.waits))]
    Hang {
        /// Cycle.
        cycle: u64,
        /// Cycles without progress.
        idle: u64,
        /// What each warp waits for.
        waits: Vec<WarpWait>,
    },
}

fn list(waits: &[WarpWait]) -> String {
    waits.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// What a warp waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Wait {
    /// Nothing: it can issue.
    Nothing,
    /// A register of its next instruction: a result, or a read that is not collected yet.
    Register(Reg),
    /// A register that a load brings.
    Load(Reg),
    /// A predicate of its next instruction.
    Predicate(u16),
    /// The design, with the operands of these instructions.
    Operands(Vec<Tag>),
    /// Other warps at a barrier.
    Barrier(u8),
    /// Its own memory accesses, before a barrier or fence.
    Memory,
    /// The next instructions.
    Fetch,
    /// Done of a command.
    Command(&'static str),
    /// A place among the active warps.
    Activation,
    /// Its last instructions, before it ends.
    Drain,
    /// Its stores, which are on their way to L2.
    Stores,
    /// The design, to take the instruction.
    Port,
    /// Another value at an address of global or shared memory, which it reads over and over.
    Change(u64),
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Nothing => write!(f, "nothing"),
            Self::Register(r) => write!(f, "register {r}"),
            Self::Load(r) => write!(f, "the load of {r}"),
            Self::Predicate(p) => write!(f, "predicate P{p}"),
            Self::Operands(tags) => {
                let tags: Vec<_> = tags.iter().map(ToString::to_string).collect();
                write!(f, "operands of {}", tags.join(", "))
            }
            Self::Barrier(id) => write!(f, "barrier {id}"),
            Self::Memory => write!(f, "its memory accesses"),
            Self::Fetch => write!(f, "instruction fetch"),
            Self::Command(name) => write!(f, "done of {name}"),
            Self::Activation => write!(f, "a place among the active warps"),
            Self::Drain => write!(f, "its last instructions"),
            Self::Stores => write!(f, "its stores to be at L2"),
            Self::Port => write!(f, "the design to take an instruction"),
            Self::Change(address) => write!(f, "another value at {address:#x}"),
        }
    }
}

/// A resident warp and what it waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WarpWait {
    /// Warp slot.
    pub slot: WarpSlot,
    /// CTA number.
    pub cta: u64,
    /// Warp of the CTA.
    pub warp_in_cta: u32,
    /// Its next instruction; `None` when all its lanes have ended.
    pub pc: Option<Pc>,
    /// File, line and column of that instruction in the kernel text.
    pub location: String,
    /// Text of the source line.
    pub source: String,
    /// What it waits for.
    pub wait: Wait,
}

impl fmt::Display for WarpWait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (CTA {}, warp {}) waits for {}", self.slot, self.cta, self.warp_in_cta, self.wait)?;
        match self.pc {
            Some(pc) => write!(f, " before {}: `{}` (pc {pc})", self.location, self.source),
            None => Ok(()),
        }
    }
}
