//! A program prepared for one design.

use std::sync::Arc;

use heddle_isa::{Executable, Intervals, Pc, Program};

use crate::dead::dead_sources;
use crate::error::PassError;
use crate::hierarchy::{Hierarchy, allocate_levels, check_allocation};
use crate::intervals::{Formation, check_intervals, check_strands, form};
use crate::renumber::{check_renumbering, renumber};

/// What a register-file design needs to know of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DesignNeeds {
    /// Register-intervals of at most this many registers, for designs that prefetch.
    pub intervals: Option<u32>,
    /// What an interval is, of the code too.
    pub formation: Formation,
    /// Banks of the main register file over which the registers of each interval are to be spread. Without
    /// intervals it has no meaning.
    pub renumber_banks: Option<usize>,
    /// Without intervals: the code has prefetches all the same, of register-intervals of at most this many registers, and
    /// nothing is made of them.
    pub code_intervals: Option<u32>,
    /// Levels before the main register file that the program manages.
    pub hierarchy: Option<Hierarchy>,
}

/// Prepares an allocated program: dead-operand bits always, intervals where the design needs them, with
/// new register numbers if it asks for that, and levels of a register hierarchy. Intervals are checked by
/// [`check_intervals`], numbers by [`check_renumbering`] and levels by [`check_allocation`] each time.
///
/// # Errors
/// Those of [`form`], [`check_strands`], [`check_intervals`], [`renumber`], [`check_renumbering`], [`allocate_levels`],
/// [`check_allocation`] and [`dead_sources`].
pub fn build_executable(program: Arc<Program>, needs: DesignNeeds) -> Result<Executable, PassError> {
    let (program, intervals) = match needs.intervals {
        None => (program, None),
        Some(limit) => {
            let (cut, intervals) = form(&program, limit, needs.formation)?;
            let (cut, intervals) = match needs.renumber_banks {
                None => (cut, intervals),
                Some(banks) => {
                    let new = renumber(&cut, &intervals, banks)?;
                    check_renumbering(&cut, &new.program)?;
                    (new.program, new.intervals)
                }
            };
            check_intervals(&cut, &intervals)?;
            if needs.formation == Formation::Strand {
                check_strands(&cut, &intervals)?;
            }
            (Arc::new(cut), Some(intervals))
        }
    };
    let prefetches = match (&intervals, needs.code_intervals) {
        (Some(intervals), _) => headers(intervals),
        (None, Some(limit)) => headers(&form(&program, limit, needs.formation)?.1),
        (None, None) => Vec::new(),
    };
    let dead_sources = dead_sources(&program)?;
    let mut levels = None;
    if let Some(hierarchy) = needs.hierarchy {
        let allocation = allocate_levels(&program, hierarchy)?;
        check_allocation(&program, hierarchy, &allocation)?;
        levels = Some(allocation.levels);
    }
    Ok(Executable { program, intervals, prefetches, dead_sources, levels })
}

/// The first instructions of the intervals.
fn headers(intervals: &Intervals) -> Vec<Pc> {
    intervals.intervals.iter().map(|interval| interval.header).collect()
}
