//! Progress on a terminal, and Ctrl-C.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use heddle_cosim::{Control, Progress};
use indicatif::{ProgressBar, ProgressStyle};

use crate::complain;

/// Shows what a run is doing, and tells it to end.
pub struct Terminal {
    bar: Option<ProgressBar>,
    prefix: String,
    interrupted: Arc<AtomicBool>,
    stages: bool,
}

impl Terminal {
    /// A bar on a terminal, nothing in a pipe or when quiet; long stages (building the RTL) are
    /// announced in a pipe too.
    pub fn new(quiet: bool, interrupted: Arc<AtomicBool>) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::new(0);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, prefix: String::new(), interrupted, stages: !quiet }
    }

    /// Names what follows.
    pub fn name(&mut self, what: impl Into<String>) {
        self.prefix = what.into();
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
                bar.set_style(Self::style("{spinner} {msg}"));
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
            bar.set_style(Self::style("{spinner} {msg} [{bar:30}] {pos}/{len} CTAs, {eta} left"));
            bar.set_length(progress.ctas_total);
            bar.set_position(progress.ctas_done);
            bar.set_message(format!(
                "{}: launch {}, {} cycles, {:.0} k cycles/s",
                self.prefix,
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
