//! Progress on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use heddle_cosim::{Control, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::complain;

/// A long stage of a run. A message takes what the terminal has room for.
const STAGE: &str = "{spinner} {wide_msg}";
/// A launch under way.
const LAUNCH: &str = "{spinner} {prefix} [{bar:12}] {pos}/{len} CTAs, {eta} left{wide_msg}";

/// Shows what a run is doing, and tells it to end.
pub struct Terminal {
    bar: Option<ProgressBar>,
    prefix: String,
    batch: Batch,
    interrupted: Arc<AtomicBool>,
    stages: bool,
}

impl Terminal {
    /// A bar on a terminal, nothing in a pipe or when quiet; long stages (building the RTL) are
    /// announced in a pipe too.
    pub fn new(quiet: bool, interrupted: Arc<AtomicBool>) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(0).with_style(Self::style(STAGE));
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, prefix: String::new(), batch: Batch::new(1), interrupted, stages: !quiet }
    }

    /// What follows are so many runs.
    pub fn batch(&mut self, runs: usize) {
        self.batch = Batch::new(runs);
    }

    /// The next run of the batch, and its name.
    pub fn next(&mut self, what: impl Into<String>) {
        self.batch.begun += 1;
        self.prefix = self.batch.prefix() + &what.into();
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn style(text: &str) -> ProgressStyle {
        ProgressStyle::with_template(text).unwrap_or_else(|_| ProgressStyle::default_bar())
    }
}

impl Control for Terminal {
    fn stage(&mut self, text: &str) {
        match &self.bar {
            Some(bar) => {
                bar.set_style(Self::style(STAGE));
                bar.set_message(format!("{}: {text}", self.prefix));
            }
            None if self.stages => complain(&format!("{}: {text}", self.prefix)),
            None => {}
        }
    }

    fn warning(&mut self, text: &str) {
        let message = format!("{}: {text}", self.prefix);
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(&message)),
            None => complain(&message),
        }
    }

    fn progress(&mut self, progress: &Progress) {
        if let Some(bar) = &self.bar {
            bar.set_style(Self::style(LAUNCH));
            bar.set_prefix(self.prefix.clone());
            bar.set_length(progress.ctas_total);
            bar.set_position(progress.ctas_done);
            let done = progress.ctas_done as f64 / progress.ctas_total.max(1) as f64;
            bar.set_message(format!(
                "{}; launch {}, {} cycles, {:.0} k cycles/s",
                self.batch.left(done, self.batch.began.elapsed()),
                progress.launch,
                progress.cycles,
                progress.cycles_per_second / 1000.0
            ));
        }
    }

    fn interrupted(&self) -> bool {
        self.interrupted.load(Ordering::Relaxed)
    }
}

/// Runs one after the other.
struct Batch {
    runs: usize,
    /// Runs that have begun.
    begun: usize,
    began: Instant,
}

impl Batch {
    fn new(runs: usize) -> Self {
        Self { runs, begun: 0, began: Instant::now() }
    }

    /// Which of the runs it is, where there are several.
    fn prefix(&self) -> String {
        if self.runs < 2 { String::new() } else { format!("kernel {} of {}, ", self.begun, self.runs) }
    }

    /// The time left for all runs, where there are several and `done` of the one that has begun last says
    /// something: as long as those before took, each.
    fn left(&self, done: f64, elapsed: Duration) -> String {
        let behind = self.begun.saturating_sub(1) as f64 + done;
        if self.runs < 2 || behind <= 0.0 {
            return String::new();
        }
        let left = elapsed.mul_f64(((self.runs as f64 - behind) / behind).max(0.0));
        format!(", {:#} for all", indicatif::HumanDuration(left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_batch_says_which_run_it_is_and_what_is_left_of_all() {
        let mut batch = Batch::new(51);
        batch.begun = 3;
        assert_eq!(batch.prefix(), "kernel 3 of 51, ");
        // Two and a half took 10 s: 48.5 are left.
        assert_eq!(batch.left(0.5, Duration::from_secs(10)), ", 3m for all");
        batch.begun = 1;
        assert_eq!(batch.left(0.0, Duration::from_secs(10)), "");
        batch.runs = 1;
        assert_eq!((batch.prefix().as_str(), batch.left(0.5, Duration::from_secs(1)).as_str()), ("", ""));
    }
}
