//! Compiler passes on allocated programs: what a register-file design needs to know of a kernel.
//!
//! - [`form_intervals`] cuts the control-flow graph into register-intervals (LTRF, section 3.3);
//!   [`check_intervals`] proves the result without looking at how it was made. [`form`] forms strands, too, and
//!   [`check_strands`] proves that they are.
//! - [`dead_sources`] finds the source operands whose register no lane of the warp reads again.
//! - [`renumber`] spreads the registers of each interval over the banks (LTRF, section 4);
//!   [`check_renumbering`] proves that the program is still the same.
//! - [`allocate_levels`] places values in a software-managed register hierarchy (Gebhart and others, MICRO 2011);
//!   [`check_allocation`] proves that every read finds its value.
//! - [`map_rows`] places the rows of a racetrack bank after the moves of a profile run.
//! - [`build_executable`] puts together what one design asks for ([`DesignNeeds`]).
//! - [`interval_report`] prints the intervals of a program.
//!
//! All passes take a [`Program`](heddle_isa::Program) and leave instruction order and program counters
//! as they are. `docs/passes.md` derives the intervals of the paper's example step by step.

mod dead;
mod error;
mod executable;
mod flow;
mod hierarchy;
mod intervals;
mod liveness;
mod mapping;
mod registers;
mod renumber;
mod splits;
mod waits;

pub use dead::dead_sources;
pub use error::{IntervalFault, PassError, RenumberFault};
pub use executable::{DesignNeeds, build_executable};
pub use hierarchy::{
    Allocation, AllocationFault, Entries, Hierarchy, MOST_OPERAND_ENTRIES, allocate_levels, check_allocation,
};
pub use intervals::{
    Formation, REPORT_BANKS, bank_conflicts, check_intervals, check_strands, form, form_intervals,
    interval_report,
};
pub use mapping::{
    BankMapping, EntryMapping, MOST_GROUPS, MoveCounts, RowPlace, arrange_groups, ascending_places,
    group_rows, map_rows, shifts,
};
pub use registers::accessed_registers;
pub use renumber::{Renumbered, check_renumbering, renumber, renumbering_report};
