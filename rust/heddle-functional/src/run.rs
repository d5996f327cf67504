//! Whole kernels, CTA by CTA.

use crate::access::perform;
use crate::cta::Cta;
use crate::error::{AccessKind, GoldenError};
use crate::expected::Expected;
use crate::machine::Golden;
use crate::step::step;

/// Instructions that a warp runs before the next one has its turn, unless it blocks before.
const TURN: u32 = 256;

/// What a run executed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RunSummary {
    /// CTAs.
    pub ctas: u64,
    /// Warp instructions.
    pub warp_instructions: u64,
    /// Instructions of threads: lanes that executed, summed.
    pub thread_instructions: u64,
    /// Warp loads.
    pub loads: u64,
    /// Warp stores.
    pub stores: u64,
    /// Warp atomics.
    pub atomics: u64,
    /// Barriers completed.
    pub barriers: u64,
}

impl Golden {
    /// Executes whole CTAs, one after the other; within a CTA the warps take turns until they wait at
    /// a barrier or end. Each memory access is performed when it is executed.
    ///
    /// `limit` bounds the warp instructions of this call.
    ///
    /// # Errors
    /// What is wrong with the kernel, barriers that can never be met, the limit.
    pub fn run_all(
        &mut self,
        ctas: impl Iterator<Item = u64>,
        limit: Option<u64>,
    ) -> Result<RunSummary, GoldenError> {
        self.run_watched(ctas, limit, &mut || true)
    }

    /// As [`Golden::run_all`]; the run ends when `goes_on`, asked every few hundred warp instructions,
    /// says no. A kernel need not end by itself.
    ///
    /// # Errors
    /// As [`Golden::run_all`], and [`GoldenError::Stopped`].
    pub fn run_watched(
        &mut self,
        ctas: impl Iterator<Item = u64>,
        limit: Option<u64>,
        goes_on: &mut dyn FnMut() -> bool,
    ) -> Result<RunSummary, GoldenError> {
        let mut summary = RunSummary::default();
        let mut expected = Box::<Expected>::default();
        let grid = self.env.launch.num_ctas();
        for number in ctas {
            if number >= grid {
                return Err(GoldenError::Cta {
                    cta: number,
                    what: format!("is to run, but the grid has {grid} CTAs"),
                });
            }
            let mut cta = Cta::new(&self.env, number);
            self.run_cta(&mut cta, limit, goes_on, &mut summary, &mut expected)?;
            self.equal_shared_writes += cta.equal_writes();
            summary.ctas += 1;
            summary.barriers += cta.phase - 1;
        }
        Ok(summary)
    }

    fn run_cta(
        &mut self,
        cta: &mut Cta,
        limit: Option<u64>,
        goes_on: &mut dyn FnMut() -> bool,
        summary: &mut RunSummary,
        e: &mut Expected,
    ) -> Result<(), GoldenError> {
        let limit_left = limit.unwrap_or(u64::MAX);
        loop {
            let mut progress = false;
            for index in 0..cta.warps.len() {
                if !goes_on() {
                    return Err(GoldenError::Stopped { cta: cta.number });
                }
                for _ in 0..TURN {
                    let warp = &cta.warps[index];
                    if warp.waiting.is_some() || warp.stack.is_done() {
                        break;
                    }
                    if summary.warp_instructions >= limit_left {
                        return Err(GoldenError::Limit { cta: cta.number, limit: limit_left });
                    }
                    self.run_one(cta, index, e)?;
                    count(summary, e);
                    progress = true;
                }
            }
            if cta.is_done() {
                return Ok(());
            }
            if !progress {
                return Err(self.never_met(cta));
            }
        }
    }

    #[inline]
    fn run_one(&mut self, cta: &mut Cta, index: usize, e: &mut Expected) -> Result<(), GoldenError> {
        step(&self.env, cta, index, e)?;
        if e.kind != AccessKind::None && !e.exec.is_empty() {
            perform(&self.env, cta, &mut self.memory, e, e.exec)?;
            let decoded = &self.env.decoded[e.pc.index()];
            let warp = &mut cta.warps[index];
            for slot in 0..usize::from(decoded.num_dsts) {
                warp.write(decoded.dsts[slot], &e.results.values[slot], e.exec);
            }
        }
        Ok(())
    }

    #[cold]
    fn never_met(&self, cta: &Cta) -> GoldenError {
        let waiting = cta.warps.iter().enumerate();
        GoldenError::BarrierNeverMet {
            cta: cta.number,
            waiting: waiting
                .filter(|(_, w)| w.waiting.is_some())
                .map(|(i, w)| {
                    // The warp stands behind its barrier.
                    let pc = heddle_isa::Pc(w.stack.pc().0.saturating_sub(1));
                    *self.env.site(cta.number, i as u32, None, pc)
                })
                .collect(),
        }
    }
}

#[inline]
fn count(summary: &mut RunSummary, e: &Expected) {
    summary.warp_instructions += 1;
    summary.thread_instructions += u64::from(e.exec.count());
    match e.kind {
        AccessKind::None => {}
        AccessKind::Load => summary.loads += 1,
        AccessKind::Store => summary.stores += 1,
        AccessKind::Atomic => summary.atomics += 1,
    }
}
