//! The caller's side of a run: progress shown, and the wish to end it.

/// How far a run is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress {
    /// Launch, from 0.
    pub launch: u32,
    /// Cycles of the run so far.
    pub cycles: u64,
    /// CTAs of this launch that have ended.
    pub ctas_done: u64,
    /// CTAs of this launch that the SM runs.
    pub ctas_total: u64,
    /// Cycles a second of wall time.
    pub cycles_per_second: f64,
}

/// Receives progress and says when to stop.
pub trait Control {
    /// A long stage begins, such as building the RTL.
    fn stage(&mut self, text: &str);
    /// The kernel does something that has no effect here, such as printing.
    fn warning(&mut self, text: &str);
    /// Called every few thousand cycles.
    fn progress(&mut self, progress: &Progress);
    /// Whether the run shall end now.
    fn interrupted(&self) -> bool;
}

/// Shows nothing and never interrupts.
impl Control for () {
    fn stage(&mut self, _text: &str) {}
    fn warning(&mut self, _text: &str) {}
    fn progress(&mut self, _progress: &Progress) {}
    fn interrupted(&self) -> bool {
        false
    }
}

/// Calls the control every so many cycles, with the rate.
#[derive(Debug)]
pub(crate) struct Pacer {
    started: std::time::Instant,
    next: u64,
}

/// Cycles between two calls.
const INTERVAL: u64 = 8192;

impl Pacer {
    pub(crate) fn new() -> Self {
        Self { started: std::time::Instant::now(), next: INTERVAL }
    }

    /// The cycle of the run in which it is time for a call.
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// Whether it is time for a call at cycle `cycles` of the run.
    #[inline]
    pub(crate) fn due(&self, cycles: u64) -> bool {
        cycles >= self.next
    }

    /// Reports and returns whether the run goes on.
    pub(crate) fn report(&mut self, control: &mut dyn Control, mut progress: Progress) -> bool {
        self.next = progress.cycles + INTERVAL;
        let seconds = self.started.elapsed().as_secs_f64();
        if seconds > 0.0 {
            progress.cycles_per_second = progress.cycles as f64 / seconds;
        }
        control.progress(&progress);
        !control.interrupted()
    }
}
