//! Strands: register-intervals that also end where a warp may wait long, and at backward branches.

use heddle_isa::{Instr, IntervalId, Intervals, Op, Pc, Program, Space, TracedAccess};

use crate::error::{IntervalFault, PassError};
use crate::flow::Flow;

/// How a program is cut for prefetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Formation {
    /// Register-intervals (LTRF, section 3.3).
    #[default]
    RegisterInterval,
    /// Strands (Gebhart and others, "A Compile-Time Managed Multi-Level Register File Hierarchy", MICRO 2011; LTRF,
    /// section 7.6): no instruction follows a long-latency one in its strand, and no backward branch lies inside.
    Strand,
}

/// Whether a value comes after a long and unknown time: loads and atomics of global, local and generic space, and
/// texture fetches.
fn has_long_latency(instr: &Instr) -> bool {
    if instr.dsts.is_empty() {
        return false;
    }
    let far = matches!(instr.memory_space(), Some(Space::Global | Space::Local | Space::Generic));
    match &instr.op {
        Op::Ld { .. } | Op::Atom { .. } => far,
        Op::Tex { .. } => true,
        Op::Traced(traced) => far && !matches!(traced.access(), Some((TracedAccess::Store, ..)) | None),
        _ => false,
    }
}

/// Whether the instruction calls a function: what it comes back to cannot find its registers in the cache.
pub(super) fn calls(instr: &Instr) -> bool {
    matches!(&instr.op, Op::Traced(traced) if traced.calls)
}

/// By instruction: whether an interval must begin there, because the one before it ends: behind a call, and for
/// strands behind long-latency instructions and where backward branches lead.
///
/// # Errors
/// [`PassError::Target`] if control leads out of the program.
pub(super) fn beginnings(program: &Program, formation: Formation) -> Result<Vec<bool>, PassError> {
    let mut begins = vec![false; program.instrs.len()];
    let flow = Flow::new(program)?;
    let strands = formation == Formation::Strand;
    for pc in flow.pcs() {
        let (instr, ways) = (&program.instrs[pc.index()], flow.successors(pc));
        let ends_strand = has_long_latency(instr) || ways.iter().any(|&to| to <= pc);
        if calls(instr) || (strands && ends_strand) {
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
