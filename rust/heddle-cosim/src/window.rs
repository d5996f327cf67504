//! The waveform window of a run: opened and closed at its cycles, then converted and given its views.

use std::path::{Path, PathBuf};

use heddle_port::{RegIn, RegOut, RegisterFile};
use heddle_rtl::RtlRegisterFile;
use heddle_waves::{
    Focus, NOTHING, Shows, Text, View, add_texts, first_high, is_offer, read_signals, save_views, vcd_to_fst,
};

use crate::check::InWords;
use crate::error::RunError;
use crate::spec::{WaveFormat, WaveWindow};

/// Cycles shown from the failing one on, with nothing offered to the design.
const RUN_ON: u64 = 20;
/// Cycles before the failing one with which the saved view begins.
const LEAD: u64 = 25;
/// Cycles before the first event with which the saved view of another window begins.
const FIRST_LEAD: u64 = 5;
/// Time units of the waveform in a cycle.
const CYCLE_TIME: u64 = 1000;

/// An instruction that the design accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Issued {
    /// Its warp slot.
    pub warp: u8,
    /// What it is.
    pub words: InWords,
}

/// From a time of the waveform on: the instruction that is issued.
type Issue = (u64, Option<Issued>);

/// A track's name, and what it shows of an instruction.
type Part = (&'static str, fn(&Issued) -> String);
/// The tracks of an issue slot.
const PARTS: [Part; 3] = [
    ("warp_pc", |issued| format!("{}:{}", issued.warp, issued.words.pc)),
    ("opcode", |issued| issued.words.text.clone()),
    ("line", |issued| issued.words.line.clone()),
];

/// A window in the making.
#[derive(Debug)]
pub struct WaveWriter {
    window: WaveWindow,
    /// The VCD, once it is whole.
    vcd: PathBuf,
    /// Where it is written until then.
    part: PathBuf,
    view: PathBuf,
    /// First launch that may be shown.
    launch: u32,
    /// SM that is shown.
    sm: usize,
    /// Cycle of the design in which the trace was opened.
    opened: u64,
    /// Cycle of the design in which the run failed.
    failed: Option<u64>,
    /// The lane that views show.
    lane: u8,
    /// By issue slot, ascending.
    issued: Vec<Vec<Issue>>,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// For the launch.
    Waiting,
    /// For the first cycle of the window.
    Before,
    Open,
    Done,
}

impl WaveWriter {
    /// Writes the window to `folder/<stem>.vcd` (or `.fst`), beginning in launch `launch` or later. The folder
    /// is there, and no other run writes that name.
    #[must_use]
    pub fn new(window: WaveWindow, launch: u32, folder: &Path, stem: &str, view: PathBuf) -> Self {
        Self {
            window,
            vcd: folder.join(format!("{stem}.vcd")),
            part: folder.join(format!(".{stem}.vcd.part")),
            view,
            launch,
            sm: 0,
            opened: 0,
            failed: None,
            lane: 0,
            issued: Vec::new(),
            state: State::Waiting,
        }
    }

    /// The same, of SM `sm`.
    #[must_use]
    pub fn of_sm(mut self, sm: usize) -> Self {
        self.sm = sm;
        self
    }

    /// The SM that is shown.
    #[must_use]
    pub fn sm(&self) -> usize {
        self.sm
    }

    /// Opens or closes the trace when cycle `cycle` of the run begins or ends the window.
    ///
    /// # Errors
    /// The file cannot be written.
    #[inline]
    pub fn at_cycle(&mut self, cycle: u64, rtl: &mut RtlRegisterFile) -> Result<(), RunError> {
        match self.state {
            State::Before if cycle >= self.window.from => {
                self.state = State::Open;
                self.opened = rtl.cycle();
                rtl.trace_open(&self.part).map_err(|e| self.failed(&e))
            }
            State::Open if cycle >= self.window.from.saturating_add(self.window.cycles) => self.close(rtl),
            _ => Ok(()),
        }
    }

    /// A launch begins. Its reset ends a trace that is open, so the window lies in one launch.
    pub fn launch_begins(&mut self, launch: u32) {
        self.state = match self.state {
            State::Waiting if launch >= self.launch => State::Before,
            State::Open => State::Done,
            other => other,
        };
    }

    /// What the issue slots of the SM hand to the design in this cycle, `instruction` by slot.
    pub fn note_issue(
        &mut self,
        rtl: &RtlRegisterFile,
        slots: usize,
        instruction: impl Fn(usize) -> Option<Issued>,
    ) {
        if !self.is_open() {
            return;
        }
        let time = rtl.cycle() * CYCLE_TIME;
        self.issued.resize_with(slots, Vec::new);
        for (slot, track) in self.issued.iter_mut().enumerate() {
            let issued = instruction(slot);
            if track.last().is_none_or(|(_, last)| *last != issued) {
                track.push((time, issued));
            }
        }
    }

    /// Views show this lane.
    pub fn show_lane(&mut self, lane: u8) {
        self.lane = lane;
    }

    /// Shows the cycle in which the run failed and a few more. The run is over: what the design says
    /// against going on no longer matters.
    pub fn run_on(&mut self, rtl: &mut RtlRegisterFile) {
        self.failed = self.is_open().then(|| rtl.cycle());
        let mut out = RegOut::default();
        for _ in 0..RUN_ON {
            if !self.is_open() || rtl.step(&RegIn::default(), &mut out).is_err() {
                break;
            }
        }
    }

    /// Whether the window is being written.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Closes the trace, if it is open.
    ///
    /// # Errors
    /// The file cannot be written.
    pub fn close(&mut self, rtl: &mut RtlRegisterFile) -> Result<(), RunError> {
        if self.state == State::Open {
            rtl.trace_close().map_err(|e| self.failed(&e))?;
            self.state = State::Done;
        }
        Ok(())
    }

    /// A failure of a step while the window is open is one of writing it when the disk says so.
    pub fn failed(&self, error: &dyn std::fmt::Display) -> RunError {
        RunError::Output { path: self.vcd.clone(), message: error.to_string() }
    }

    /// Converts, writes the saved views and returns the files, waveform first.
    ///
    /// # Errors
    /// The window lies behind the end of the run, or a file cannot be written.
    pub fn finish(self) -> Result<Vec<PathBuf>, RunError> {
        if matches!(self.state, State::Waiting | State::Before) {
            return Err(RunError::usage(format!(
                "the waveform window begins at cycle {}, after the end of the run",
                self.window.from
            )));
        }
        let wave_error =
            |e: heddle_waves::WaveError| RunError::Output { path: self.vcd.clone(), message: e.to_string() };
        let write_error =
            |e: std::io::Error| RunError::Output { path: self.vcd.clone(), message: e.to_string() };
        let signals = read_signals(&self.part).map_err(wave_error)?;
        let fits = View::load(&self.view).and_then(|view| Ok((view.resolve(&signals, self.lane)?, view)));
        let (groups, view) = match fits {
            Ok(fits) => fits,
            Err(source) => {
                self.publish_vcd().map_err(write_error)?;
                return Err(RunError::View { waves: self.vcd.clone(), source });
            }
        };
        let focus = self.focus(&view).map_err(wave_error)?;
        // FST is written without strings.
        let (texts, tracks) = match self.window.format {
            WaveFormat::Vcd => (view.texts(&groups, &signals), self.tracks()),
            WaveFormat::Fst => Default::default(),
        };
        let all: Vec<Text> = tracks.iter().chain(texts.values()).cloned().collect();
        if !all.is_empty() {
            add_texts(&self.part, &all).map_err(wave_error)?;
        }
        let waves = match self.window.format {
            WaveFormat::Vcd => {
                self.publish_vcd().map_err(write_error)?;
                self.vcd.clone()
            }
            WaveFormat::Fst => {
                let fst = self.vcd.with_extension("fst");
                vcd_to_fst(&self.part, &fst).map_err(wave_error)?;
                fst
            }
        };
        let saved = save_views(&waves, &groups, &texts, &tracks, focus).map_err(wave_error)?;
        let mut files = vec![waves];
        files.extend(saved);
        Ok(files)
    }

    /// The VCD as it is gets its name.
    fn publish_vcd(&self) -> std::io::Result<()> {
        std::fs::File::open(&self.part)?.sync_all()?;
        std::fs::rename(&self.part, &self.vcd)
    }

    /// The instructions of each issue slot: warp and PC, opcode and operands, and line, a track each.
    fn tracks(&self) -> Vec<Text> {
        let mut tracks = Vec::new();
        for (slot, issues) in self.issued.iter().enumerate() {
            for (part, text) in PARTS {
                let text = |issued: &Option<Issued>| issued.as_ref().map_or_else(|| NOTHING.to_owned(), text);
                let changes = issues.iter().map(|(time, issued)| (*time, text(issued))).collect();
                let shows = Shows::Track { changes };
                tracks.push(Text { name: format!("issue_{slot}_{part}"), shows });
            }
        }
        tracks
    }

    /// When the first event of the view is, else the first offer of the SM.
    fn first_event(&self, view: &View) -> Result<Option<u64>, heddle_waves::WaveError> {
        match first_high(&self.part, |path| view.is_first(path))? {
            None => first_high(&self.part, is_offer),
            some => Ok(some),
        }
    }

    /// Where the views open: at the failing cycle, else at the first event of the view.
    fn focus(&self, view: &View) -> Result<Focus, heddle_waves::WaveError> {
        let (marker, lead) = match self.failed {
            Some(cycle) => (Some(cycle * CYCLE_TIME), LEAD),
            None => (self.first_event(view)?, FIRST_LEAD),
        };
        let opened = self.opened * CYCLE_TIME;
        let start = marker.map_or(opened, |time| time.saturating_sub(lead * CYCLE_TIME).max(opened));
        Ok(Focus { start, marker, lane: self.lane })
    }
}

impl Drop for WaveWriter {
    fn drop(&mut self) {
        // What was not finished is of no use; what was has another name.
        let _ = std::fs::remove_file(&self.part);
    }
}
