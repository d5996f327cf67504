//! Whole kernels: the CTAs that are resident together take turns.
//!
//! A CTA keeps its turn as long as it gets anything done, so a kernel whose CTAs do not wait for each other runs
//! them one after the other. One that only looks at memory gives its turn to the next, and another CTA of the grid
//! starts as long as there is room. Where nothing has ended for long, [`crate::stuck`] finds out whether anything
//! ever will.

use crate::cta::Cta;
use crate::error::GoldenError;
use crate::machine::Golden;
use crate::run::{Halt, Run, RunSummary, TURN, Watch, marks};
use crate::stuck::Suspicion;

/// Rounds of a CTA's warps in which it does nothing that another CTA could see, before the next CTA has its turn.
const QUIET_ROUNDS: u32 = 4;
/// Most rounds of a CTA's warps before the next CTA has its turn.
const MOST_ROUNDS: u32 = 256;

impl Golden {
    /// Executes whole CTAs, in order; within a CTA the warps take turns until they wait at
    /// a barrier or end. Each memory access is performed when it is executed.
    ///
    /// `limit` bounds the warp instructions of this call.
    ///
    /// # Errors
    /// What is wrong with the kernel, barriers that can never be met, warps that wait for what never comes, the
    /// limit.
    pub fn run_all(
        &mut self,
        ctas: impl Iterator<Item = u64>,
        limit: Option<u64>,
    ) -> Result<RunSummary, GoldenError> {
        self.run_watched(ctas, limit, &mut || true, &mut ())
    }

    /// As [`Golden::run_all`]; the run ends when `goes_on`, asked every few hundred warp instructions,
    /// says no, for a kernel need not end by itself. `watch` sees its accesses.
    ///
    /// # Errors
    /// As [`Golden::run_all`], and [`GoldenError::Stopped`].
    pub fn run_watched<W: Watch>(
        &mut self,
        ctas: impl Iterator<Item = u64>,
        limit: Option<u64>,
        goes_on: &mut dyn FnMut() -> bool,
        watch: &mut W,
    ) -> Result<RunSummary, GoldenError> {
        let mut run = Run {
            golden: self,
            limit: limit.unwrap_or(u64::MAX),
            goes_on,
            watch,
            e: Box::default(),
            summary: RunSummary::default(),
        };
        run.all(ctas, &mut Suspicion::default())?;
        Ok(run.summary)
    }
}

/// How a CTA's turn ends.
enum Turn {
    /// The CTA has ended.
    Ended,
    /// The next one has its turn.
    Over,
    /// For long no barrier has opened and nothing has ended.
    Suspicious,
}

impl<W: Watch> Run<'_, W> {
    fn all(
        &mut self,
        mut ctas: impl Iterator<Item = u64>,
        suspicion: &mut Suspicion,
    ) -> Result<(), GoldenError> {
        let mut resident: Vec<Cta> = Vec::new();
        let mut at = 0;
        loop {
            if at == resident.len() {
                at = 0;
                if let Some(cta) = self.next(&resident, &mut ctas)? {
                    at = resident.len();
                    resident.push(cta);
                }
            }
            let Some(cta) = resident.get_mut(at) else { return Ok(()) };
            match self.turn(cta, suspicion)? {
                Turn::Ended => {
                    let cta = resident.remove(at);
                    self.golden.equal_shared_writes += cta.equal_writes();
                    self.summary.ctas += 1;
                    self.summary.barriers += cta.phase - 1;
                    self.watch.ended(cta.number).map_err(|Halt| GoldenError::Stopped { cta: cta.number })?;
                }
                Turn::Over => at += 1,
                Turn::Suspicious => {
                    while let Some(cta) = self.next(&resident, &mut ctas)? {
                        resident.push(cta);
                    }
                    let window = suspicion.window();
                    let moved = self.probe(&mut resident, window)?;
                    suspicion.probed(moved, self.summary.warp_instructions);
                    at += 1;
                }
            }
        }
    }

    /// The CTA that starts next, if there is one and room for it.
    fn next(
        &mut self,
        resident: &[Cta],
        ctas: &mut impl Iterator<Item = u64>,
    ) -> Result<Option<Cta>, GoldenError> {
        if resident.len() >= self.golden.residency {
            return Ok(None);
        }
        let Some(cta) = ctas.next() else { return Ok(None) };
        let grid = self.golden.env.launch.num_ctas();
        if cta >= grid {
            return Err(GoldenError::Cta { cta, what: format!("is to run, but the grid has {grid} CTAs") });
        }
        self.watch.started(cta).map_err(|Halt| GoldenError::Stopped { cta })?;
        Ok(Some(Cta::new(&self.golden.env, cta)))
    }

    fn turn(&mut self, cta: &mut Cta, suspicion: &mut Suspicion) -> Result<Turn, GoldenError> {
        let mut quiet = 0;
        let mut before = (marks(cta), cta.changes, self.summary.stores);
        for _ in 0..MOST_ROUNDS {
            self.round(cta)?;
            if cta.is_done() {
                suspicion.moved(self.summary.warp_instructions);
                return Ok(Turn::Ended);
            }
            let after = (marks(cta), cta.changes, self.summary.stores);
            if after.0 != before.0 {
                suspicion.moved(self.summary.warp_instructions);
            } else if suspicion.is_due(self.summary.warp_instructions) {
                return Ok(Turn::Suspicious);
            }
            quiet = if after == before { quiet + 1 } else { 0 };
            if quiet == QUIET_ROUNDS {
                break;
            }
            before = after;
        }
        Ok(Turn::Over)
    }

    /// Each warp of the CTA once.
    fn round(&mut self, cta: &mut Cta) -> Result<(), GoldenError> {
        let mut progress = false;
        for index in 0..cta.warps.len() {
            self.ask(cta.number)?;
            for _ in 0..TURN {
                let warp = &cta.warps[index];
                if warp.waiting.is_some() || warp.stack.is_done() {
                    break;
                }
                self.count_to_limit(cta.number)?;
                self.run_one::<false>(cta, index)?;
                progress = true;
            }
        }
        if progress || cta.is_done() { Ok(()) } else { Err(self.never_met(cta)) }
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
                    *self.golden.env.site(cta.number, i as u32, None, pc)
                })
                .collect(),
        }
    }
}
