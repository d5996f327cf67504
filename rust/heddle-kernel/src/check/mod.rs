//! An independent proof that an allocated program does what the virtual one does.
//!
//! The allocated program is executed symbolically over the control-flow graph of the virtual one. The
//! facts at a point say for registers, predicates and spill words which virtual places they surely hold
//! on every path; where paths meet, only what all of them agree on is kept. Each instruction must be the
//! virtual one, renamed, and each of its reads must find the virtual place that it should. An
//! instruction that the allocator added may only move values: to and from spill words, between a
//! predicate and a register that holds it as 1 or 0, or a constant computed again.
//!
//! The checker shares no code with the allocator but the records of where instructions come from, and it
//! trusts those no further than that a wrong record is an error. Liveness only decides which facts are
//! worth keeping: a fact too few makes the proof fail, never succeed.
//!
//! All facts are about one thread. Lanes have registers of their own and an instruction writes only the
//! lanes that execute it, so a fact that holds on every path of a thread holds however the warp
//! diverges.

mod constants;
mod error;
mod facts;
mod locations;
mod order;
mod step;

use heddle_isa::{Pc, Program};

use crate::alloc::Allocation;
use crate::cfg;
use crate::liveness::Liveness;
use constants::Constants;
use facts::Facts;
use locations::Locations;

pub use error::{CheckError, CheckFault};
pub use order::{OrderError, OrderFault, check_order};

/// How much was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Checked {
    /// Reads that were proved right.
    pub reads: usize,
    /// Instructions of the virtual program.
    pub instructions: usize,
}

/// Proves `allocation` against the program that it was made of.
///
/// # Errors
/// The first fault in program order.
pub fn check_allocation(virtual_program: &Program, allocation: &Allocation) -> Result<Checked, CheckError> {
    let checker = Checker::new(virtual_program, allocation)?;
    let entries = checker.solve();
    let mut checked = Checked::default();
    for (b, entry) in entries.into_iter().enumerate() {
        let Some(mut facts) = entry else {
            continue;
        };
        for pc in cfg::pcs(&virtual_program.blocks[b]) {
            checker.step(pc, &mut facts, Some(&mut checked.reads))?;
            checked.instructions += 1;
        }
    }
    Ok(checked)
}

struct Checker<'p> {
    original: &'p Program,
    allocation: &'p Allocation,
    liveness: Liveness,
    /// Allocated instructions `starts[v] .. starts[v + 1]` stand for virtual instruction `v`.
    starts: Vec<usize>,
    locations: Locations,
    constants: Constants,
}

impl<'p> Checker<'p> {
    fn new(original: &'p Program, allocation: &'p Allocation) -> Result<Self, CheckError> {
        let program = &allocation.program;
        let origins = &allocation.origins;
        let bad = CheckError {
            kernel: original.name.clone(),
            pc: Pc(0),
            virtual_pc: Pc(0),
            fault: CheckFault::Origins,
        };
        let ascending = origins.windows(2).all(|w| w[0].pc <= w[1].pc);
        let inside = origins.last().is_some_and(|o| o.pc.index() < original.instrs.len());
        let local_grows = program.local_bytes >= original.local_bytes;
        if !ascending || !inside || !local_grows || origins.len() != program.instrs.len() {
            return Err(bad);
        }
        let starts =
            (0..=original.instrs.len()).map(|v| origins.partition_point(|o| o.pc.index() < v)).collect();
        let locations = Locations::new(original, program);
        let constants = Constants::of(original, locations.end());
        let liveness = Liveness::compute(original);
        Ok(Self { original, allocation, liveness, starts, locations, constants })
    }

    /// What is known before each block, once nothing changes any more; `None` for blocks never reached.
    fn solve(&self) -> Vec<Option<Facts>> {
        let blocks = &self.original.blocks;
        let mut entries: Vec<Option<Facts>> = vec![None; blocks.len()];
        entries[0] = Some(Facts::default());
        let order = cfg::reverse_post_order(blocks);
        let mut waiting = vec![true; blocks.len()];
        while order.iter().any(|&b| waiting[b] && entries[b].is_some()) {
            for &b in &order {
                let Some(mut facts) = entries[b].clone().filter(|_| waiting[b]) else {
                    continue;
                };
                waiting[b] = false;
                for pc in cfg::pcs(&blocks[b]) {
                    // Faults are reported by the pass over the finished facts.
                    if self.step(pc, &mut facts, None).is_err() {
                        break;
                    }
                }
                for &s in &blocks[b].successors {
                    waiting[s] |= match &mut entries[s] {
                        None => {
                            let mut known = facts.clone();
                            known.keep(self.liveness.live_in(s));
                            entries[s] = Some(known);
                            true
                        }
                        Some(known) => known.meet(&facts),
                    };
                }
            }
        }
        entries
    }

    /// Runs what stands for virtual instruction `v`; reads are checked when `reads` counts them.
    fn step(&self, v: Pc, facts: &mut Facts, mut reads: Option<&mut usize>) -> Result<(), CheckError> {
        let group = self.starts[v.index()]..self.starts[v.index() + 1];
        let instr = &self.original.instrs[v.index()];
        let error = |pc: usize, fault| CheckError {
            kernel: self.original.name.clone(),
            pc: Pc(u32::try_from(pc).unwrap_or(u32::MAX)),
            virtual_pc: v,
            fault,
        };
        let kept = group.clone().filter(|&i| !self.allocation.origins[i].inserted).count();
        if kept > 1 {
            return Err(error(group.start, CheckFault::Origins));
        }
        if kept == 0 {
            self.deleted(instr, facts).map_err(|f| error(group.start, f))?;
        }
        let mut left = false;
        for i in group {
            let allocated = &self.allocation.program.instrs[i];
            if left {
                return Err(error(i, CheckFault::Behind));
            }
            left = cfg::ends_block(allocated);
            let result = if self.allocation.origins[i].inserted {
                self.inserted(allocated, facts)
            } else {
                self.renamed(instr, allocated, facts, reads.as_deref_mut())
            };
            result.map_err(|f| error(i, f))?;
        }
        Ok(())
    }
}
