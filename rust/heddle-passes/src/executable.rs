//! A program prepared for one design.

use std::sync::Arc;

use heddle_isa::{Executable, Program};

use crate::dead::dead_sources;
use crate::error::PassError;
use crate::intervals::{check_intervals, form_intervals};
use crate::renumber::{check_renumbering, renumber};

/// What a register-file design needs to know of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DesignNeeds {
    /// Register-intervals of at most this many registers, for designs that prefetch.
    pub intervals: Option<u32>,
    /// Banks of the main register file over which the registers of each interval are to be spread. Without
    /// intervals it has no meaning.
    pub renumber_banks: Option<usize>,
}

/// Prepares an allocated program: dead-operand bits always, intervals where the design needs them, with
/// new register numbers if it asks for that. Intervals are checked by [`check_intervals`] and numbers by
/// [`check_renumbering`] each time.
///
/// # Errors
/// Those of [`form_intervals`], [`check_intervals`], [`renumber`], [`check_renumbering`] and [`dead_sources`].
pub fn build_executable(program: Arc<Program>, needs: DesignNeeds) -> Result<Executable, PassError> {
    let (program, intervals) = match needs.intervals {
        None => (program, None),
        Some(limit) => {
            let (cut, intervals) = form_intervals(&program, limit)?;
            let (cut, intervals) = match needs.renumber_banks {
                None => (cut, intervals),
                Some(banks) => {
                    let new = renumber(&cut, &intervals, banks)?;
                    check_renumbering(&cut, &new.program)?;
                    (new.program, new.intervals)
                }
            };
            check_intervals(&cut, &intervals)?;
            (Arc::new(cut), Some(intervals))
        }
    };
    let dead_sources = dead_sources(&program)?;
    Ok(Executable { program, intervals, dead_sources })
}
