//! What the golden machine refuses, each with its place in the kernel.

use std::fmt;

use heddle_isa::{ExecError, Space};
use heddle_port::{LaneMask, Reg, Tag};

use crate::site::{AccessKind, Site};
use crate::waits::{Polled, StuckWarp, lines};

/// Name of a space in messages.
fn space_name(space: Space) -> &'static str {
    match space {
        Space::Global => "global",
        Space::Shared => "shared",
        Space::Local => "local",
        Space::Param => "parameter",
        Space::Const => "constant",
        Space::Generic => "generic",
    }
}

/// An error of the kernel, of the machine under test (in lock-step), or of the caller.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GoldenError {
    /// The program or launch cannot be run.
    #[error("cannot run: {what}")]
    Launch {
        /// What was found and what was expected.
        what: String,
    },
    /// A CTA or warp number that is not in the grid, or not in the right state.
    #[error("CTA {cta}: {what}")]
    Cta {
        /// CTA number.
        cta: u64,
        /// What was found and what was expected.
        what: String,
    },
    /// An instruction that cannot be executed.
    #[error("{at}: {source}")]
    Exec {
        /// Where.
        at: Box<Site>,
        /// Why.
        source: ExecError,
    },
    /// A warp runs past the last instruction.
    #[error("{at}: the warp runs past the end of the program ({instructions} instructions)")]
    PastEnd {
        /// Where.
        at: Box<Site>,
        /// Length of the program.
        instructions: usize,
    },
    /// Scoreboard error: an instruction reads a loaded register before its load is performed.
    #[error(
        "{at}: reads {register} in lanes {lanes} while the load that writes it is not performed: {writer}"
    )]
    PendingRead {
        /// The reader.
        at: Box<Site>,
        /// Register.
        register: Reg,
        /// Lanes whose version is pending.
        lanes: LaneMask,
        /// The load or atomic.
        writer: Box<Site>,
    },
    /// A register is read that was never written or that the compiler declared dead.
    #[error("{at}: reads {register} in lanes {lanes}, where it has no value ({why})")]
    UndefinedRead {
        /// The reader.
        at: Box<Site>,
        /// Register.
        register: Reg,
        /// Lanes without value.
        lanes: LaneMask,
        /// Never written, or declared dead.
        why: &'static str,
    },
    /// Memory is read that nobody wrote.
    #[error(
        "{at}: reads {bytes} bytes at {address:#x} of {} memory ({buffer}) that were never written",
        space_name(*space)
    )]
    UninitialisedRead {
        /// The reader.
        at: Box<Site>,
        /// Space.
        space: Space,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// Buffer and offset.
        buffer: String,
    },
    /// An access outside the memory that there is.
    #[error("{at}: {kind} of {bytes} bytes at {address:#x} is outside {} memory: {bounds}", space_name(*space))]
    OutOfBounds {
        /// The access.
        at: Box<Site>,
        /// What it does.
        kind: AccessKind,
        /// Space.
        space: Space,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// What there is.
        bounds: String,
    },
    /// An address that is no multiple of the access size.
    #[error("{at}: {kind} at {address:#x} of {} memory is not aligned to {bytes} bytes", space_name(*space))]
    Misaligned {
        /// The access.
        at: Box<Site>,
        /// What it does.
        kind: AccessKind,
        /// Space.
        space: Space,
        /// First byte.
        address: u64,
        /// Size of the access, all elements.
        bytes: u32,
    },
    /// A kernel writes what only the host may write, such as constant memory through a generic address.
    #[error("{at}: {kind} of {bytes} bytes at {address:#x} in '{buffer}', which is read-only for kernels")]
    ReadOnly {
        /// The access.
        at: Box<Site>,
        /// What it does.
        kind: AccessKind,
        /// First byte.
        address: u64,
        /// Size of the access.
        bytes: u32,
        /// The region.
        buffer: String,
    },
    /// Two threads touch the same byte of shared memory between two barriers, at least one writes,
    /// and not both by atomics.
    #[error(
        "race on shared memory byte {address:#x}: {kind} by {at}; {other_kind} since the last barrier by {other}"
    )]
    Race {
        /// The later access.
        at: Box<Site>,
        /// What it does.
        kind: AccessKind,
        /// The earlier access.
        other: Box<Site>,
        /// What it did.
        other_kind: AccessKind,
        /// Byte offset in the CTA's shared memory.
        address: u64,
    },
    /// A barrier of the whole CTA is reached by a part of a warp's live lanes.
    #[error("{at}: barrier reached by lanes {arrived} while lanes {missing} of the warp are elsewhere")]
    DivergentBarrier {
        /// Where.
        at: Box<Site>,
        /// Lanes that arrive.
        arrived: LaneMask,
        /// Live lanes that do not.
        missing: LaneMask,
    },
    /// All warps that have not ended wait, and no barrier can complete.
    #[error("CTA {cta}: barriers that can never be met: {}", list(waiting))]
    BarrierNeverMet {
        /// CTA number.
        cta: u64,
        /// Where each waiting warp stands.
        waiting: Vec<Site>,
    },
    /// Every live warp of every resident CTA polls memory that nobody changes, or stands at a barrier.
    #[error(
        "stuck: every warp of the CTAs that are resident ({resident} of a grid of {grid}) waits, and nothing changes \
         memory any more{}",
        lines(waits)
    )]
    Stuck {
        /// CTAs of the grid.
        grid: u64,
        /// CTAs that are resident.
        resident: usize,
        /// What each live warp waits for.
        waits: Vec<StuckWarp>,
    },
    /// Lanes of a warp poll what other lanes of the same warp would change, which have their turn after them.
    #[error(
        "stuck: lanes of one warp wait for each other: {at}: lanes {lanes} poll{} for ever, while lanes {waiting} of \
         the warp, which would change it, have their turn only after them: {waiting_at}. A warp has one program \
         counter here: lanes of one warp cannot wait for each other",
        polled.as_ref().map_or_else(String::new, |p| format!(" {p}"))
    )]
    StuckLanes {
        /// Where the lanes poll.
        at: Box<Site>,
        /// The lanes that poll.
        lanes: LaneMask,
        /// What they poll.
        polled: Option<Polled>,
        /// The lanes that do not get their turn.
        waiting: LaneMask,
        /// Where those stand.
        waiting_at: Box<Site>,
    },
    /// The machine under test lets a warp pass a barrier before all have arrived.
    #[error("{at}: issued while the warp waits at barrier {barrier} for warps {missing:?}")]
    EarlyPass {
        /// The instruction after the barrier.
        at: Box<Site>,
        /// Barrier number.
        barrier: u8,
        /// Warps that have not arrived.
        missing: Vec<u32>,
    },
    /// A tag is issued again before its instruction is retired.
    #[error("{at}: tag {tag} is still in use by {owner}")]
    TagInUse {
        /// The new instruction.
        at: Box<Site>,
        /// Tag.
        tag: Tag,
        /// The instruction in flight.
        owner: Box<Site>,
    },
    /// An event names a tag that is not in flight.
    #[error("{event} of tag {tag}, which is not in flight")]
    UnknownTag {
        /// What was reported.
        event: &'static str,
        /// Tag.
        tag: Tag,
    },
    /// Lanes are performed that the instruction does not access memory with, or that were performed
    /// before.
    #[error("{at}: lanes {lanes} performed, of which {wrong} {why}")]
    WrongLanes {
        /// The access.
        at: Box<Site>,
        /// Lanes of the event.
        lanes: LaneMask,
        /// Those that must not be.
        wrong: LaneMask,
        /// What is wrong with them.
        why: &'static str,
    },
    /// An instruction retires with accesses not performed.
    #[error("{at}: retired while lanes {lanes} are not performed")]
    NotPerformed {
        /// The access.
        at: Box<Site>,
        /// Missing lanes.
        lanes: LaneMask,
    },
    /// An access takes its place in the order, or a barrier opens, before an access that must come first.
    #[error("{at}: done before {earlier} is performed, which must come first: {rule}")]
    Order {
        /// The access that was performed, or the instruction that opens the barrier.
        at: Box<Site>,
        /// The access that was not.
        earlier: Box<Site>,
        /// The rule that is broken.
        rule: OrderRule,
    },
    /// A load is performed on what its L1 holds, which does not hold that.
    #[error("{at}: loads {address:#x} out of its L1, which has not taken it, or has dropped it")]
    NotHeld {
        /// The load.
        at: Box<Site>,
        /// The first byte.
        address: u64,
    },
    /// A load is performed in an L1 that has kept its lines at a fence before the load.
    #[error("{at}: loads out of an L1 that has not dropped its lines at the warp's fence before")]
    KeptLines {
        /// The load.
        at: Box<Site>,
    },
    /// The CTA ends while something of it is left.
    #[error("CTA {cta} ends while {what}")]
    Unfinished {
        /// CTA number.
        cta: u64,
        /// What is left.
        what: String,
    },
    /// The limit of warp instructions is reached.
    #[error("CTA {cta} is not finished after {limit} warp instructions")]
    Limit {
        /// CTA that was running.
        cta: u64,
        /// The limit.
        limit: u64,
    },
    /// The caller ended the run.
    #[error("CTA {cta} is not finished; the run was stopped")]
    Stopped {
        /// CTA that was running.
        cta: u64,
    },
}

/// Rules of the memory order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum OrderRule {
    /// Accesses of one thread to the same address are performed in program order.
    SameAddress,
    /// What a thread accesses before a fence is performed before what it accesses after.
    Fence,
    /// On many SMs, what a thread accesses before a fence is performed before the fence passes.
    Waits,
    /// What threads access before they arrive at a barrier is performed before it opens.
    Barrier,
}

impl fmt::Display for OrderRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::SameAddress => "same address of one thread, program order",
            Self::Fence => "a fence lies between them",
            Self::Waits => "the later one is a fence, which waits for it",
            Self::Barrier => "it opens a barrier at which the earlier one's warp has arrived",
        })
    }
}

fn list(sites: &[Site]) -> String {
    let texts: Vec<String> = sites.iter().map(Site::to_string).collect();
    texts.join("; ")
}
