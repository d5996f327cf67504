//! The checks of a co-simulation, one file a concern.
//!
//! [`Checker`] watches the SM and steps the golden machine beside it; neither writes into the other.
//! [`controls`] compares the RTL's outputs with the cycle model's. [`finish`] compares what is left at
//! the end.

pub mod accesses;
mod compared;
mod compiler;
pub mod controls;
pub mod finish;
mod flow;
pub mod history;
pub mod lines;
mod memory;
mod operands;
mod owed;
pub mod refusal;
pub mod sms;
pub mod spills;
pub mod trace;
pub mod writers;

use heddle_functional::{Golden, LineChanges, Replay};
use heddle_isa::{Pc, Program, RecordedCta};
use heddle_port::{Command, CommandOp, Cycle, Done, LineEvents, Tag, WarpSlot};
use heddle_sm::{
    BranchEvent, CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent,
    Stop,
};

use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};
pub use compared::Compared;
use history::History;
use owed::{Due, Owed};
use sms::OfSm;
use spills::{LowerOffer, SpillCheck};
use writers::Writers;

/// Transactions in a report.
pub const HISTORY: usize = 12;

/// What a launch in lock-step needs of its checker besides the events of the SM.
pub trait RunChecker: Observer {
    /// Why the checker stopped the run.
    fn take_failure(&mut self) -> Option<RunError>;

    /// Recent transactions.
    fn history(&self) -> &History;

    /// An instruction in flight, for people.
    fn instruction(&self, tag: Tag) -> Option<InWords>;

    /// The place of an instruction in flight.
    fn place_of(&self, cycle: Cycle, slot: WarpSlot, tag: Tag) -> Option<Place>;

    /// The place of an instruction of the program.
    fn place_at(&self, cycle: Cycle, pc: Pc) -> Place;

    /// The record of the CTA that starts next, of a trace.
    fn recorded(&mut self, _record: RecordedCta) {}

    /// Whether the design may spill registers, so that what L2 takes is to be shown by [`RunChecker::lower`].
    fn expects_spills(&self) -> bool {
        false
    }

    /// What the design's memory port offered to L2 in a cycle of the launch.
    ///
    /// # Errors
    /// A register is spilled with a value that it did not have.
    fn lower(&mut self, _cycle: Cycle, _offer: &LowerOffer) -> Result<(), RunError> {
        Ok(())
    }

    /// The SM says that the launch has ended after `done` of the `chosen` CTAs.
    ///
    /// # Errors
    /// CTAs that never ran, or something outstanding on the side that is expected to end too.
    fn finished(&self, done: u64, chosen: u64, cycle: Cycle) -> Result<(), RunError>;
}

/// Steps the golden machine with the SM's events and compares.
pub struct Checker<'a> {
    golden: Golden,
    program: &'a Program,
    launch: u32,
    base_cycle: u64,
    /// How much was compared so far; of several SMs, on the one whose turn it is.
    compared: Compared,
    /// Recent transactions.
    pub history: History,
    /// Comparisons that the instructions in flight still have before them.
    owed: Owed,
    /// The shadow of the registers, of a design that may spill them.
    spills: Option<Box<SpillCheck>>,
    /// The program as parsed in the order of the machine under test, where that is to be compared.
    replay: Option<Box<Replay>>,
    /// Who wrote which word last, where that is to be known.
    writers: Option<Box<Writers>>,
    /// What is kept of each SM, where there are several.
    sms: Vec<OfSm>,
    /// The SM whose turn it is.
    sm: usize,
    /// Why the run was stopped.
    failure: Option<RunError>,
}

impl<'a> Checker<'a> {
    /// A checker for launch number `launch`, which begins at cycle `base_cycle` of the run.
    #[must_use]
    pub fn new(golden: Golden, program: &'a Program, launch: u32, base_cycle: u64) -> Self {
        Self {
            golden,
            program,
            launch,
            base_cycle,
            compared: Compared::default(),
            history: History::default(),
            owed: Owed::default(),
            spills: None,
            replay: None,
            writers: None,
            sms: Vec::new(),
            sm: 0,
            failure: None,
        }
    }

    /// The design may write registers to memory, which are held against what was written into them.
    pub fn expect_spills(&mut self) {
        self.spills = Some(Box::default());
    }

    /// Place of an instruction at a cycle of the launch.
    #[must_use]
    pub fn place(&self, cycle: Cycle, slot: Option<WarpSlot>, pc: Option<Pc>) -> Place {
        Place::of_instruction(self.program, self.launch, self.base_cycle + cycle.0, slot, pc)
    }

    fn cycle(&self, cycle: Cycle) -> u64 {
        self.base_cycle + cycle.0
    }

    #[cold]
    fn stop(&mut self, mismatch: Mismatch) -> Result<(), Stop> {
        self.failure = Some(mismatch.into());
        Err(Stop)
    }

    /// An event of an instruction in flight comes, once.
    #[inline]
    fn came(&mut self, cycle: Cycle, tag: Tag, event: Due) -> Result<(), Stop> {
        match self.owed.came(tag, event) {
            Ok(()) => Ok(()),
            Err(what) => self.incomplete(self.place(cycle, None, None), what),
        }
    }

    #[cold]
    fn incomplete(&mut self, place: Place, what: String) -> Result<(), Stop> {
        let mut mismatch = Mismatch::new(Check::Completeness, place, what);
        mismatch.history = self.history.recent(HISTORY);
        self.stop(mismatch)
    }
}

impl RunChecker for Checker<'_> {
    fn take_failure(&mut self) -> Option<RunError> {
        self.failure.take()
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn instruction(&self, tag: Tag) -> Option<InWords> {
        Some(in_words(self.program, self.golden.expected(self.golden_tag(tag))?.pc))
    }

    fn place_of(&self, cycle: Cycle, slot: WarpSlot, tag: Tag) -> Option<Place> {
        let expected = self.golden.expected(self.golden_tag(tag))?;
        Some(Place { cta: Some(expected.cta), ..self.place(cycle, Some(slot), Some(expected.pc)) })
    }

    fn place_at(&self, cycle: Cycle, pc: Pc) -> Place {
        self.place(cycle, None, Some(pc))
    }

    fn expects_spills(&self) -> bool {
        self.spills.is_some()
    }

    fn lower(&mut self, cycle: Cycle, offer: &LowerOffer) -> Result<(), RunError> {
        self.check_lower(cycle, offer)
    }

    fn finished(&self, done: u64, chosen: u64, cycle: Cycle) -> Result<(), RunError> {
        let (expected, actual) = if done != chosen {
            (format!("{chosen} CTAs"), format!("{done} CTAs"))
        } else if !self.golden.is_idle() {
            let running: Vec<u64> = self.golden.running().collect();
            (format!("CTAs {running:?} running"), "ended".to_owned())
        } else {
            return Ok(());
        };
        let what = "the machine under test ends before the golden machine";
        let mismatch = Mismatch::new(Check::Completeness, self.place(cycle, None, None), what);
        Err(mismatch.side("launch", expected, actual).into())
    }
}

/// An instruction for people.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InWords {
    /// Program counter.
    pub pc: Pc,
    /// Opcode and operands as in the source, with single blanks.
    pub text: String,
    /// Line of the source and its file, without folders: `31 saxpy.ptx`.
    pub line: String,
}

fn in_words(program: &Program, pc: Pc) -> InWords {
    let text = program.source_line(pc).split_whitespace().collect::<Vec<_>>().join(" ");
    let place = program.instrs.get(pc.index()).map(|instr| program.source.place(instr.loc));
    let file = |name: &str| name.rsplit('/').next().unwrap_or(name).to_owned();
    let line = place.map_or_else(|| "?".to_owned(), |(name, loc)| format!("{} {}", loc.line, file(name)));
    InWords { pc, text, line }
}

/// Notes a command that the design accepted.
pub fn note_command(history: &mut History, cycle: u64, command: &Command) {
    let mut what = format!("{}, warp {}", command_name(command.op), command.warp);
    if command.op == CommandOp::Prefetch as u8 {
        what.push_str(&format!(", interval {}", command.interval));
    }
    history.command(cycle, what);
}

/// Notes a command that the design has carried out.
pub fn note_done(history: &mut History, cycle: u64, done: &Done) {
    history.command(cycle, format!("done of {}, warp {}", command_name(done.op), done.warp));
}

/// The field's word for a command.
#[must_use]
pub fn command_name(op: u8) -> &'static str {
    match CommandOp::from_code(op) {
        Some(CommandOp::KernelStart) => "kernel start",
        Some(CommandOp::WarpBase) => "warp base",
        Some(CommandOp::MapEntry) => "map entry",
        Some(CommandOp::Activate) => "activate",
        Some(CommandOp::Deactivate) => "deactivate",
        Some(CommandOp::Exit) => "exit",
        Some(CommandOp::Prefetch) => "prefetch",
        None => "unknown command",
    }
}

impl Observer for Checker<'_> {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        if let Some(replay) = &mut self.replay {
            replay.started(event.cta);
        }
        match self.golden.start_cta_on(event.cta, self.sm) {
            Ok(()) => Ok(()),
            Err(error) => {
                let place = Place { cta: Some(event.cta), ..self.place(event.cycle, None, None) };
                self.refuse(error, place)
            }
        }
    }

    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        self.check_issue(event)
    }

    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        self.check_operands(event)
    }

    fn predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        self.check_predicates(event)
    }

    fn branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        self.check_branch(event)
    }

    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        self.check_result(event)
    }

    fn lines(&mut self, _cycle: Cycle, events: &LineEvents) -> Result<(), Stop> {
        let taken = events.taken.map(|taken| (taken.line, taken.bytes));
        let changes = LineChanges { emptied: events.emptied, left: &events.left, taken };
        self.golden.lines_changed(self.sm, changes);
        Ok(())
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        self.check_performed(event)
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        if let Err(what) = self.owed.retires(tag) {
            let pc = self.golden.expected(self.golden_tag(tag)).map(|e| e.pc);
            return self.incomplete(self.place(cycle, None, pc), what);
        }
        match self.golden.retire(self.golden_tag(tag)) {
            Ok(()) => Ok(()),
            Err(error) => {
                let place = self.place(cycle, None, None);
                self.refuse(error, place)
            }
        }
    }

    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        note_command(&mut self.history, self.base_cycle + cycle.0, command);
        if let Some(spills) = &mut self.spills {
            spills.command(command);
        }
        Ok(())
    }

    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        note_done(&mut self.history, self.base_cycle + cycle.0, done);
        if let Some(spills) = &mut self.spills {
            spills.done(cycle.0, done);
        }
        Ok(())
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        match self.golden.finish_cta(event.cta) {
            Ok(()) => {
                let result = self.replay.as_mut().map_or(Ok(()), |replay| replay.ended(event.cta));
                self.replayed(event.cycle, result)
            }
            Err(error) => {
                let place = Place { cta: Some(event.cta), ..self.place(event.cycle, None, None) };
                self.refuse(error, place)
            }
        }
    }
}
