//! The functional stream of a kernel: what the CTAs of the other SMs do to memory in each launch, and how much of the
//! result was compared with the reference. It is recorded in one run and replayed in others that come to the same.
//!
//! A run of the cycle model executes the share of its SMs and then all other CTAs on the golden machine, so that
//! the next launch and the host find what the whole GPU leaves. The second part depends on the program, the launch,
//! memory before it, and, where CTAs wait for each other, on how many are resident at once: nothing in it has a time. A
//! stream is of one kernel with its inputs and its compiled programs: memory before the first launch is the same.
//! In each launch the CTAs of the SMs run in full and with their own values, as without a stream. What they left is
//! compared, by a digest, with what they left when the stream was recorded. Where it is equal, so is memory, and what
//! the others did then is put in place. Where it is not, the kernel depends on timing: that launch and all that follow
//! run in full.

mod error;
mod file;
mod watch;
mod writes;
mod written;

use std::path::PathBuf;
use std::sync::Arc;

use heddle_isa::{DeviceMemory, Executable, KernelLaunch, Program};
use heddle_sm::{Observer, PerformedEvent, Stop};
use sha2::{Digest as _, Sha256};

pub use self::error::StreamError;
use self::file::{Digest, LaunchRecord, Reader, Writer};
pub use self::watch::OthersWatch;
pub use self::writes::SmWrites;
use self::written::{Written, put};
use crate::lockstep::LaunchObserver;

/// Where streams are kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Streams {
    /// The folder; it is made where it is not there.
    pub folder: PathBuf,
    /// The program and the files that runs depend on, in any form: streams of others are not used.
    pub made_by: String,
}

/// How a run came to what the CTAs of the other SMs do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Functional {
    /// Without a stream: none was asked for, or all CTAs run on the SM.
    #[default]
    Plain,
    /// They were executed, and the stream was recorded.
    Recorded,
    /// The stream was replayed.
    Replayed,
    /// They were executed from some launch on, and no stream was recorded.
    InFull {
        /// The launch, from 0.
        launch: u32,
        /// Why.
        why: String,
    },
}

/// What is done with the stream.
#[derive(Debug)]
enum State {
    Recording(Writer),
    Replaying(Reader),
    InFull { launch: u32, why: String },
}

/// The stream of a run under way.
#[derive(Debug)]
pub struct Stream {
    state: State,
    /// Launches that began.
    launches: u32,
    /// What the launch that runs is.
    launch: Sha256,
    /// What the CTAs of the SM wrote in it.
    written: Written,
    /// Of what they left.
    left: Digest,
}

impl Stream {
    /// The stream `key` in `streams`, which is recorded where it is not there or not whole.
    pub fn new(streams: &Streams, key: &str) -> Self {
        let path = streams.folder.join(format!("{key}.stream"));
        let state = match Reader::open(&path, key) {
            Ok(reader) => State::Replaying(reader),
            Err(_) => match Writer::new(&path, key) {
                Ok(writer) => State::Recording(writer),
                Err(error) => State::InFull { launch: 0, why: error.to_string() },
            },
        };
        Self { state, launches: 0, launch: Sha256::new(), written: Written::default(), left: [0; 32] }
    }

    /// Whether what the CTAs of the SMs write is looked at: it is until all are executed.
    pub fn looks(&self) -> bool {
        !matches!(self.state, State::InFull { .. })
    }

    /// One of the SMs that run has ended its CTAs, which wrote `writes`.
    pub fn wrote(&mut self, writes: &SmWrites) {
        if let Some(written) = writes.written() {
            self.written.add_all(written);
        }
    }

    /// From this launch on all CTAs are executed.
    fn in_full(&mut self, why: String) {
        self.state = State::InFull { launch: self.launches.saturating_sub(1), why };
    }

    /// The CTAs of the SM have ended and left `memory`; at most `residency` of the others are resident at once. Whether
    /// what these do was known, and is done.
    pub fn replay(&mut self, memory: &mut DeviceMemory, residency: u32) -> bool {
        if !self.looks() {
            return false;
        }
        match self.written.contents(memory) {
            Ok(contents) => self.left = self.launch.clone().chain_update(contents).finalize().into(),
            Err(error) => self.in_full(error.to_string()),
        }
        let State::Replaying(reader) = &mut self.state else { return false };
        let record = match reader.launch() {
            Ok(record) => record,
            Err(error) => {
                self.discard(&error);
                return false;
            }
        };
        if record.left != self.left {
            self.in_full("what the CTAs that are simulated leave depends on timing".to_owned());
            return false;
        }
        if record.turns && record.residency != residency {
            let why = format!(
                "the other CTAs took turns with {} resident at once, and here there are {residency}",
                record.residency
            );
            self.in_full(why);
            return false;
        }
        if let Err(source) = put(&record.contents, memory) {
            let (path, launch) = (reader.path().to_owned(), u64::from(self.launches.saturating_sub(1)));
            self.discard(&StreamError::Patch { path, launch, source });
            return false;
        }
        true
    }

    /// The file is of no use: it goes away, so that a later run records it anew.
    fn discard(&mut self, error: &StreamError) {
        if let State::Replaying(reader) = &self.state {
            // Where it stays, later runs find the same fault.
            let _ = std::fs::remove_file(reader.path());
        }
        self.in_full(error.to_string());
    }

    /// What watches the other CTAs of the launch, where it is to be recorded.
    pub fn watch(&self, program: &Arc<Program>) -> Option<OthersWatch> {
        matches!(self.state, State::Recording(_)).then(|| OthersWatch::new(Arc::clone(program)))
    }

    /// The other CTAs have ended and left `memory`, `residency` at most were resident at once; `watch` saw them, where
    /// there are any.
    pub fn record(&mut self, memory: &DeviceMemory, residency: u32, watch: &OthersWatch) {
        let State::Recording(writer) = &mut self.state else { return };
        let recorded = watch.contents(memory).map_err(|e| e.to_string()).and_then(|contents| {
            let record =
                LaunchRecord { left: self.left, turns: watch.took_turns(residency), residency, contents };
            writer.launch(&record).map_err(|e| e.to_string())
        });
        if let Err(why) = recorded {
            self.in_full(why);
        }
    }

    /// How many elements were compared with the reference after the last launch, where that is known.
    pub fn compared(&mut self) -> Option<u64> {
        let State::Replaying(reader) = &mut self.state else { return None };
        match reader.end() {
            Ok(words) => Some(words),
            Err(error) => {
                self.discard(&error);
                None
            }
        }
    }

    /// The run has passed with `words` elements compared with the reference.
    pub fn passed(self, words: u64) -> Functional {
        match self.state {
            State::Replaying(_) => Functional::Replayed,
            State::InFull { launch, why } => Functional::InFull { launch, why },
            State::Recording(writer) => match writer.end(words) {
                Ok(()) => Functional::Recorded,
                Err(error) => Functional::InFull { launch: 0, why: error.to_string() },
            },
        }
    }
}

impl Observer for Stream {
    #[inline]
    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        if self.looks() { self.written.performed(event) } else { Ok(()) }
    }
}

impl LaunchObserver for Stream {
    fn launched(&mut self, executable: &Executable, launch: &KernelLaunch) {
        self.launches += 1;
        self.written.clear();
        let mut hash = Sha256::new();
        hash.update(self.launches.to_le_bytes());
        hash.update(executable.program.name.as_bytes());
        for size in launch.grid.iter().chain(&launch.block) {
            hash.update(size.to_le_bytes());
        }
        hash.update(launch.dynamic_shared_bytes.to_le_bytes());
        hash.update(&launch.params);
        self.launch = hash;
    }

    fn stream(&mut self) -> Option<&mut Stream> {
        Some(self)
    }
}

#[cfg(test)]
mod tests;
