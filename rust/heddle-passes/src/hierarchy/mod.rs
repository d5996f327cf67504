//! Allocation of values to the levels of a software-managed register hierarchy (Gebhart and others, "A Compile-Time
//! Managed Multi-Level Register File Hierarchy", MICRO 2011): a last result file of one entry a thread, an operand
//! register file of a few, and the main register file.
//!
//! A value is what one or more writes of a register leave for the same reads. Within a strand it may lie in an upper
//! level; whatever lives longer is in the main register file as well, for an upper level is lost where a strand ends.
//! What may be read where is worked out in `values.rs`, who gets an entry in `place.rs`; [`check_allocation`] proves
//! the result from the instructions, without values and strands. docs/designs/comparators.md says what is chosen.

mod check;
mod fault;
mod place;
mod values;

use heddle_isa::{IntervalId, Levels, Pc, Program};
use heddle_port::{NUM_DESTINATIONS, NUM_REGS, NUM_SOURCES};

use crate::error::PassError;
use crate::flow::Flow;
use crate::intervals::{Formation, check_intervals, form};
use crate::liveness::Liveness;
use crate::registers::check_slots;

pub use check::check_allocation;
pub use fault::AllocationFault;

/// Most entries of a thread that an operand register file can have.
pub const MOST_OPERAND_ENTRIES: u8 = 8;

/// The levels before the main register file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Hierarchy {
    /// Entries of the operand register file, each of one register a thread: 1 to [`MOST_OPERAND_ENTRIES`].
    pub operand_entries: u8,
    /// There is a last result file.
    pub last_result: bool,
}

/// Which entries of the operand register file an instruction uses, by slot; of other levels it means nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Entries {
    /// Of each source slot.
    pub sources: [u8; NUM_SOURCES],
    /// Of each destination slot.
    pub results: [u8; NUM_DESTINATIONS],
}

/// Where each instruction of a program finds its sources and puts its results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Allocation {
    /// Levels, by instruction.
    pub levels: Vec<Levels>,
    /// Entries of the operand register file, by instruction.
    pub entries: Vec<Entries>,
}

/// Places the values of an allocated program in the levels, strand by strand.
///
/// # Errors
/// [`PassError::OperandEntries`] for a hierarchy that cannot be; those of [`form`].
pub fn allocate_levels(program: &Program, hierarchy: Hierarchy) -> Result<Allocation, PassError> {
    check_hierarchy(hierarchy)?;
    check_slots(program)?;
    let (program, strands) = form(program, NUM_REGS as u32, Formation::DependenceStrand)?;
    check_intervals(&program, &strands)?;
    let flow = Flow::new(&program)?;
    let live = Liveness::new(&program, &flow);
    let count = program.instrs.len();
    let mut allocation =
        Allocation { levels: vec![Levels::default(); count], entries: vec![Entries::default(); count] };
    let mut members: Vec<Vec<Pc>> = vec![Vec::new(); strands.intervals.len()];
    for pc in flow.pcs() {
        members[usize::from(strands.of_pc[pc.index()].0)].push(pc);
    }
    for (id, pcs) in (0..=u16::MAX).map(IntervalId).zip(&members) {
        let header = strands.intervals[usize::from(id.0)].header;
        let inside = |pc: Pc| strands.of_pc[pc.index()] == id && pc != header;
        let strand = values::Strand::new(&program, &flow, &live, pcs, &inside);
        place::place(&strand, hierarchy, &mut allocation);
    }
    Ok(allocation)
}

/// # Errors
/// [`PassError::OperandEntries`].
fn check_hierarchy(hierarchy: Hierarchy) -> Result<(), PassError> {
    let entries = hierarchy.operand_entries;
    if (1..=MOST_OPERAND_ENTRIES).contains(&entries) {
        return Ok(());
    }
    Err(PassError::OperandEntries { entries })
}
