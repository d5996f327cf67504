//! CTAs that wait for each other, and whether anything will ever move again.
//!
//! Progress is that memory changes, a barrier opens, or a warp or CTA ends. Where no barrier has opened and nothing
//! has ended for long, a probe runs the resident CTAs with each step watched. It is over with the first progress.
//! As long as there is none, memory is as it was, so a warp that polls reads the same values at the same addresses:
//! it waits when it stays in one loop that reads memory and cannot leave it by itself ([`tracker`]). When every live
//! warp of every resident CTA waits or stands at a barrier, nothing will ever move: the machine is stuck.
//!
//! A warp that computes without reading memory never waits, and neither does one in a loop that counts, or looks
//! at the clock, and leaves when it has done so long enough.

mod report;
mod tracker;

use crate::cta::Cta;
use crate::error::GoldenError;
use crate::run::{Run, TURN, Watch, marks};
use crate::warp::Warp;
use tracker::Tracker;

/// Warp instructions without a barrier that opens or a warp that ends before a probe.
const PATIENCE: u64 = 1 << 20;
/// Most of them, after probes that came to no result.
const MOST_PATIENCE: u64 = 1 << 26;
/// Instructions of a warp that decide whether it stays in one loop, at first.
const WINDOW: u32 = 1 << 14;
/// Most of them: a million.
const MOST_WINDOW: u32 = 1 << 20;

/// When to look whether anything moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Suspicion {
    /// Warp instructions of the run at the last progress.
    since: u64,
    patience: u64,
    window: u32,
}

impl Default for Suspicion {
    fn default() -> Self {
        Self { since: 0, patience: PATIENCE, window: WINDOW }
    }
}

impl Suspicion {
    /// A barrier has opened or a warp has ended, at `now` warp instructions.
    #[inline]
    pub fn moved(&mut self, now: u64) {
        *self = Self { since: now, ..Self::default() };
    }

    #[inline]
    pub fn is_due(&self, now: u64) -> bool {
        now - self.since > self.patience
    }

    pub fn window(&self) -> u32 {
        self.window
    }

    /// A probe has ended at `now`; memory has changed in it, or some warp does not wait and goes on without changing
    /// anything, so that the next probe comes later and looks longer.
    pub fn probed(&mut self, moved: bool, now: u64) {
        self.since = now;
        if !moved {
            self.patience = (self.patience * 4).min(MOST_PATIENCE);
            self.window = (self.window * 4).min(MOST_WINDOW);
        }
    }
}

impl<W: Watch> Run<'_, W> {
    /// Runs the resident CTAs until something moves, which is true, or until each live warp has had `window`
    /// instructions and some of them do not wait.
    ///
    /// # Errors
    /// [`GoldenError::Stuck`] or [`GoldenError::StuckLanes`] when all wait, and what a run refuses.
    pub fn probe(&mut self, resident: &mut [Cta], window: u32) -> Result<bool, GoldenError> {
        let program = &self.golden.env.program;
        let mut trackers: Vec<Vec<Tracker>> = resident
            .iter()
            .map(|cta| cta.warps.iter().map(|_| Tracker::new(program.instrs.len(), window)).collect())
            .collect();
        let mut running = true;
        while running {
            running = false;
            for (cta, trackers) in resident.iter_mut().zip(&mut trackers) {
                for (index, tracker) in trackers.iter_mut().enumerate() {
                    if runs(&cta.warps[index]) && !tracker.is_judged() {
                        running = true;
                        if self.watched_turn(cta, index, tracker)? {
                            return Ok(true);
                        }
                    }
                }
            }
        }
        let waits = |(cta, trackers): (&Cta, &Vec<Tracker>)| {
            cta.warps.iter().zip(trackers).all(|(warp, tracker)| !runs(warp) || tracker.waits())
        };
        if resident.iter().zip(&trackers).all(waits) {
            return Err(report::stuck(self.golden, resident, &trackers));
        }
        Ok(false)
    }

    /// A turn of warp `index` with each step watched; whether something moved.
    fn watched_turn(
        &mut self,
        cta: &mut Cta,
        index: usize,
        tracker: &mut Tracker,
    ) -> Result<bool, GoldenError> {
        self.ask(cta.number)?;
        let before = marks(cta);
        for _ in 0..TURN {
            if !runs(&cta.warps[index]) || tracker.is_judged() {
                break;
            }
            self.count_to_limit(cta.number)?;
            if self.run_one::<true>(cta, index)? {
                return Ok(true);
            }
            tracker.stepped(&self.golden.env.program, &cta.warps[index], &self.e);
        }
        Ok(marks(cta) != before)
    }
}

/// The warp has not ended and does not stand at a barrier.
fn runs(warp: &Warp) -> bool {
    warp.waiting.is_none() && !warp.stack.is_done()
}
