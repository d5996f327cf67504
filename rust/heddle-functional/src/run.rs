//! A run of a whole kernel: instruction by instruction, each access performed when it is executed.

use crate::access::{perform, store_changes};
use crate::cta::Cta;
use crate::error::GoldenError;
use crate::expected::Expected;
use crate::machine::Golden;
use crate::site::AccessKind;
use crate::step::step;

/// Instructions that a warp runs before the next one has its turn, unless it blocks before.
pub(crate) const TURN: u32 = 256;
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

/// A watcher asks for the end of the run; it keeps the reason itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halt;

/// Sees what a run does to memory, in the order in which it is done.
pub trait Watch {
    /// CTA number `cta` starts.
    ///
    /// # Errors
    /// [`Halt`] ends the run.
    #[inline]
    fn started(&mut self, cta: u64) -> Result<(), Halt> {
        let _ = cta;
        Ok(())
    }

    /// All lanes of an access were performed.
    ///
    /// # Errors
    /// [`Halt`] ends the run.
    #[inline]
    fn performed(&mut self, access: &Expected) -> Result<(), Halt> {
        let _ = access;
        Ok(())
    }

    /// An access cannot be performed, which ends the run.
    #[inline]
    fn refused(&mut self, access: &Expected) {
        let _ = access;
    }

    /// CTA number `cta` has ended.
    ///
    /// # Errors
    /// [`Halt`] ends the run.
    #[inline]
    fn ended(&mut self, cta: u64) -> Result<(), Halt> {
        let _ = cta;
        Ok(())
    }
}

impl Watch for () {}

impl Golden {
    /// As many CTAs are resident at once; at least one is. Without this it is one.
    #[must_use]
    pub fn with_residency(mut self, ctas: u32) -> Self {
        self.residency = ctas.max(1) as usize;
        self
    }
}

/// A run under way.
pub(crate) struct Run<'a, W> {
    pub golden: &'a mut Golden,
    pub limit: u64,
    pub goes_on: &'a mut dyn FnMut() -> bool,
    pub watch: &'a mut W,
    pub e: Box<Expected>,
    pub summary: RunSummary,
}

/// What changes when a barrier opens or a warp ends.
pub(crate) type Marks = (u64, u64);

pub(crate) fn marks(cta: &Cta) -> Marks {
    (cta.phase, cta.live())
}

impl<W: Watch> Run<'_, W> {
    /// Whether the run goes on.
    #[inline]
    pub fn ask(&mut self, cta: u64) -> Result<(), GoldenError> {
        if (self.goes_on)() { Ok(()) } else { Err(GoldenError::Stopped { cta }) }
    }

    /// Whether one more instruction is within the limit.
    #[inline]
    pub fn count_to_limit(&self, cta: u64) -> Result<(), GoldenError> {
        if self.summary.warp_instructions < self.limit {
            return Ok(());
        }
        Err(GoldenError::Limit { cta, limit: self.limit })
    }

    /// One instruction of warp `index`. Where it is `WATCHED`, whether it changed global or shared memory; else
    /// false.
    #[inline]
    pub fn run_one<const WATCHED: bool>(&mut self, cta: &mut Cta, index: usize) -> Result<bool, GoldenError> {
        let Self { golden, e, .. } = self;
        let mut changes = false;
        step(&golden.env, cta, index, e)?;
        if e.kind != AccessKind::None && !e.exec.is_empty() {
            let before = cta.changes;
            if WATCHED && e.kind == AccessKind::Store {
                changes = store_changes(&golden.env, cta, &golden.memory, e);
            }
            if let Err(error) = perform(&golden.env, cta, &mut golden.memory, e, e.exec) {
                self.watch.refused(e);
                return Err(error);
            }
            changes |= WATCHED && cta.changes != before;
            let decoded = &golden.env.decoded[e.pc.index()];
            let warp = &mut cta.warps[index];
            for slot in 0..usize::from(decoded.num_dsts) {
                warp.write(decoded.dsts[slot], &e.results.values[slot], e.exec);
            }
            self.watch.performed(&self.e).map_err(|Halt| GoldenError::Stopped { cta: cta.number })?;
        }
        count(&mut self.summary, &self.e);
        Ok(changes)
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
