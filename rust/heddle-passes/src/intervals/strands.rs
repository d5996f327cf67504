//! Strands: register-intervals that also end where a warp may wait long, and at backward branches.

use heddle_isa::{IntervalId, Intervals, Pc, Program};

use crate::error::{IntervalFault, PassError};
use crate::flow::Flow;
use crate::waits::{calls, has_long_latency, losses};

/// How a program is cut for prefetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Formation {
    /// Register-intervals (LTRF, section 3.3).
    #[default]
    RegisterInterval,
    /// Strands (Gebhart and others, "A Compile-Time Managed Multi-Level Register File Hierarchy", MICRO 2011; LTRF,
    /// section 7.6): no instruction follows a long-latency one in its strand, and no backward branch lies inside.
    Strand,
    /// Strands that end before the first instruction that depends on a long-latency one of the strand, not behind that
    /// one, and at backward branches: a warp that waits long waits where a strand begins.
    DependenceStrand,
}

/// By instruction: whether an interval must begin there, because the one before it ends: behind a call, for
/// strands behind long-latency instructions or where something waits for them, and where backward branches lead.
///
/// # Errors
/// [`PassError::Target`] if control leads out of the program.
pub(super) fn beginnings(program: &Program, formation: Formation) -> Result<Vec<bool>, PassError> {
    let mut begins = vec![false; program.instrs.len()];
    let flow = Flow::new(program)?;
    if formation == Formation::DependenceStrand {
        begins = losses(program, &flow);
    }
    for pc in flow.pcs() {
        let (instr, ways) = (&program.instrs[pc.index()], flow.successors(pc));
        let backward = ways.iter().any(|&to| to <= pc);
        let ends = match formation {
            Formation::RegisterInterval => false,
            Formation::Strand => has_long_latency(instr) || backward,
            Formation::DependenceStrand => backward,
        };
        if calls(instr) || ends {
            ways.iter().for_each(|to| begins[to.index()] = true);
        }
    }
    Ok(begins)
}

/// Proves that intervals are strands: where a long-latency instruction or a backward branch leads, a strand begins.
///
/// A strand that branches back to its own first instruction begins again, with the same registers.
///
/// # Errors
/// [`PassError::Intervals`] with the first edge that stays inside a strand.
pub fn check_strands(program: &Program, intervals: &Intervals) -> Result<(), PassError> {
    let flow = Flow::new(program)?;
    let header = |id: IntervalId| intervals.intervals.get(usize::from(id.0)).map(|i| i.header);
    for (from, instr) in (0..).map(Pc).zip(&program.instrs) {
        let ways = flow.successors(from);
        let ends = has_long_latency(instr) || ways.iter().any(|&to| to <= from);
        for &to in ways.iter().filter(|_| ends) {
            let begins = intervals.of_pc.get(to.index()).and_then(|&id| header(id)) == Some(to);
            if !begins {
                let fault = IntervalFault::StrandGoesOn { from, to };
                return Err(PassError::Intervals { kernel: program.name.clone(), fault });
            }
        }
    }
    Ok(())
}
