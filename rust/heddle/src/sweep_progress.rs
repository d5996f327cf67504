//! What is shown of a sweep.

use std::io::IsTerminal as _;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use heddle_experiments::{Failed, Observer, Queue, Tally};
use indicatif::{ProgressBar, ProgressStyle};

use crate::complain;

/// What is shown of a sweep on a terminal.
const BAR: &str = "{spinner} [{bar:20}] {pos}/{len} runs, {per_sec}, {eta} left{msg}";

/// Progress on a terminal, none in a pipe; failures are told in both.
pub struct Shown {
    bar: Option<ProgressBar>,
    quiet: bool,
    /// Runs that failed, and what Slurm has of the others.
    message: Mutex<(usize, String)>,
}

impl Shown {
    /// Shows nothing but failures when `quiet`.
    pub fn new(quiet: bool) -> Self {
        let bar = (!quiet && std::io::stderr().is_terminal()).then(|| {
            let style = ProgressStyle::with_template(BAR).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = ProgressBar::new(0).with_style(style);
            bar.enable_steady_tick(Duration::from_millis(200));
            bar
        });
        Self { bar, quiet, message: Mutex::default() }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }

    fn say(&self, text: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| complain(text)),
            None => complain(text),
        }
    }

    /// What stands behind the bar, changed by `change`.
    fn behind(&self, bar: &ProgressBar, change: impl FnOnce(&mut (usize, String))) {
        let mut message = self.message.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut message);
        let failed = if message.0 > 0 { format!(", {} failed", message.0) } else { String::new() };
        bar.set_message(failed + &message.1);
    }
}

impl Observer for Shown {
    fn ended(&self, tally: &Tally, failure: Option<&Failed>) {
        if let Some(Failed { point, kernel, message, .. }) = failure {
            self.say(&format!("{point} {kernel}: {message}"));
        }
        if let Some(bar) = &self.bar {
            bar.set_length((tally.runs - tally.found) as u64);
            bar.set_position((tally.passed + tally.failed) as u64);
            self.behind(bar, |message| message.0 = tally.failed);
        }
    }

    fn submitted(&self, what: &str) {
        if !self.quiet {
            self.say(what);
        }
    }

    fn queued(&self, queue: &Queue) {
        if let Some(bar) = &self.bar {
            let (running, waiting) = (queue.running, queue.waiting.len());
            let why = queue.waiting.first().map_or_else(String::new, |task| format!(" ({})", task.reason));
            self.behind(bar, |message| message.1 = format!("; {running} tasks run, {waiting} wait{why}"));
        }
    }

    fn told(&self, what: &str) {
        self.say(what);
    }
}
