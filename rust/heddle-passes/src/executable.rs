//! A program prepared for one design.

use std::sync::Arc;

use heddle_isa::{Executable, Program};

use crate::dead::dead_sources;
use crate::error::PassError;
use crate::intervals::{check_intervals, form_intervals};

/// What a register-file design needs to know of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct DesignNeeds {
    /// Register-intervals of at most this many registers, for designs that prefetch.
    pub intervals: Option<u32>,
}

/// Prepares an allocated program: dead-operand bits always, intervals where the design needs them. The
/// intervals are checked by [`check_intervals`] each time.
///
/// # Errors
/// Those of [`form_intervals`], [`check_intervals`] and [`dead_sources`].
pub fn build_executable(program: Arc<Program>, needs: DesignNeeds) -> Result<Executable, PassError> {
    let dead_sources = dead_sources(&program)?;
    let (program, intervals) = match needs.intervals {
        None => (program, None),
        Some(limit) => {
            let (cut, intervals) = form_intervals(&program, limit)?;
            check_intervals(&cut, &intervals)?;
            (Arc::new(cut), Some(intervals))
        }
    };
    Ok(Executable { program, intervals, dead_sources })
}
