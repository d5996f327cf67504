//! The timeline of a run: what every warp, bank and command did when, for a trace viewer.

mod tracks;
mod writer;

use std::io;
use std::path::{Path, PathBuf};

use heddle_files::Streamed;
use heddle_isa::{Executable, KernelLaunch};
use heddle_port::{Command, CommandOp, Cycle, Done};
use heddle_sm::{CycleEvent, Observer, Stop};
use serde_json::{Value, json};

use self::tracks::Tracks;
use self::writer::Events;
use crate::control::Control;
use crate::error::RunError;
use crate::lockstep::LaunchObserver;
use crate::report::RunReport;
use crate::session::Session;

/// Where a timeline goes and what it shows.
#[derive(Debug, Clone)]
pub struct TimelineFile {
    /// The file.
    pub path: PathBuf,
    /// First cycle, all launches one after the other.
    pub from: u64,
    /// Cycles at most.
    pub cycles: u64,
}

/// Follows the run.
#[derive(Debug)]
struct Timeline {
    events: Events<Streamed>,
    tracks: Tracks,
    /// Cycles of the launches before this one.
    before: u64,
    /// Cycles of this launch.
    cycles: u64,
    failed: Option<io::Error>,
}

impl Timeline {
    fn new(file: &TimelineFile) -> io::Result<Self> {
        let events = Events::new(Streamed::new(&file.path)?)?;
        let tracks = Tracks::new(file.from, file.from.saturating_add(file.cycles));
        Ok(Self { events, tracks, before: 0, cycles: 0, failed: None })
    }

    fn now(&self, cycle: Cycle) -> u64 {
        self.before + cycle.0
    }

    /// A failure to write stops the run.
    fn kept(&mut self, result: io::Result<()>) -> Result<(), Stop> {
        result.map_err(|error| {
            self.failed = Some(error);
            Stop
        })
    }

    /// Closes what is open, and the file; `about` says what it is of.
    fn end(mut self, about: &Value) -> io::Result<()> {
        self.tracks.close(self.before + self.cycles, &mut self.events)?;
        self.events.end(about)?.publish()
    }
}

impl LaunchObserver for Timeline {
    fn launched(&mut self, executable: &Executable, _: &KernelLaunch) {
        self.before += std::mem::take(&mut self.cycles);
        let closed = self.tracks.close(self.before, &mut self.events);
        self.failed = self.failed.take().or(closed.err());
        self.tracks.launch(&executable.program.name, self.before);
    }
}

impl Observer for Timeline {
    fn cycle(&mut self, event: &CycleEvent<'_>) -> Result<(), Stop> {
        if self.failed.is_some() {
            return Err(Stop);
        }
        self.cycles = event.cycle.0 + 1;
        let now = self.now(event.cycle);
        let result = self.tracks.cycle(now, event, &mut self.events);
        self.kept(result)
    }

    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        let moves = [CommandOp::Activate, CommandOp::Deactivate, CommandOp::Prefetch];
        if let Some(op) = moves.into_iter().find(|op| *op as u8 == command.op) {
            self.tracks.command(self.now(cycle), op, command);
        }
        Ok(())
    }

    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        let now = self.now(cycle);
        let result = self.tracks.done(now, done.warp, &mut self.events);
        self.kept(result)
    }
}

impl Session {
    /// A run of the cycle model alone that writes its timeline.
    ///
    /// # Errors
    /// As [`Session::run`]; and the run is no kernel on one SM, or the file cannot be written.
    pub fn timeline(
        &mut self,
        control: &mut dyn Control,
        file: &TimelineFile,
    ) -> Result<RunReport, RunError> {
        self.expect_one_sm_and_a_kernel("--timeline")?;
        self.check_output("--timeline", &file.path)?;
        let cannot = |error: &io::Error| not_written(&file.path, error);
        let mut timeline = Timeline::new(file).map_err(|e| cannot(&e))?;
        let run = self.observe(control, &mut timeline);
        if let Some(error) = timeline.failed.take() {
            return Err(cannot(&error));
        }
        let report = run?;
        let (from, cycles) = (file.from, timeline.before + timeline.cycles);
        if from >= cycles {
            let ended = format!("the run ended after {cycles} cycles");
            let none = format!("from --timeline-from {from} on there is none, and the timeline is empty");
            control.warning(&format!("{ended}: {none}"));
        }
        let about = json!({
            "design": report.design,
            "kernel": report.kernel,
            "size": report.size,
            "preset": report.preset,
            "unit": "1 us is 1 core cycle",
            "from": from,
            "to": from.saturating_add(file.cycles).min(cycles).max(from),
            "cycles_of_the_run": cycles,
        });
        timeline.end(&about).map_err(|e| cannot(&e))?;
        Ok(report)
    }
}

fn not_written(path: &Path, error: &io::Error) -> RunError {
    RunError::Output { path: path.to_owned(), message: error.to_string() }
}
