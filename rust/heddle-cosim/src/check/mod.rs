//! The checks of a co-simulation, one file a concern.
//!
//! [`Checker`] watches the SM and steps the golden machine beside it; neither writes into the other.
//! [`controls`] compares the RTL's outputs with the cycle model's. [`finish`] compares what is left at
//! the end.

pub mod controls;
pub mod finish;
mod flow;
pub mod history;
mod memory;
mod operands;
pub mod refusal;

use heddle_functional::{Golden, GoldenError};
use heddle_isa::{Pc, Program};
use heddle_port::{Command, CommandOp, Cycle, Done, Tag, WarpSlot};
use heddle_sm::{
    BranchEvent, CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent,
    Stop,
};

use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};
use history::History;

/// Transactions in a report.
pub const HISTORY: usize = 12;

/// How much was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Compared {
    /// Operand values, 32-bit lanes.
    pub operands: u64,
    /// Result values, 32-bit lanes.
    pub results: u64,
    /// PCs, masks, predicate values and branch outcomes.
    pub flow: u64,
    /// Addresses, loaded and stored words of memory accesses.
    pub memory: u64,
}

/// Steps the golden machine with the SM's events and compares.
pub struct Checker<'a> {
    golden: Golden,
    program: &'a Program,
    launch: u32,
    base_cycle: u64,
    /// How much was compared so far.
    pub compared: Compared,
    /// Recent transactions.
    pub history: History,
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
            failure: None,
        }
    }

    /// Why the observer stopped the run.
    pub fn take_failure(&mut self) -> Option<RunError> {
        self.failure.take()
    }

    /// The golden machine, after the launch.
    #[must_use]
    pub fn into_golden(self) -> Golden {
        self.golden
    }

    /// The SM says that the launch has ended: all CTAs ran, and the golden machine has ended too.
    ///
    /// # Errors
    /// CTAs that never ran, or something outstanding in the golden machine.
    pub fn finished(&self, done: u64, chosen: u64, cycle: Cycle) -> Result<(), RunError> {
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

    /// Place of an instruction at a cycle of the launch.
    #[must_use]
    pub fn place(&self, cycle: Cycle, slot: Option<WarpSlot>, pc: Option<Pc>) -> Place {
        let mut place = Place {
            launch: self.launch,
            cycle: self.base_cycle + cycle.0,
            warp: slot.map(|s| s.0),
            pc: pc.map(|p| p.0),
            ..Place::default()
        };
        if let Some(pc) = pc
            && let Some(instr) = self.program.instrs.get(pc.index())
        {
            place.source = Some(format!("{}:{}", self.program.source.name, instr.loc));
            place.source_text = Some(self.program.source_line(pc).to_owned());
        }
        place
    }

    fn cycle(&self, cycle: Cycle) -> u64 {
        self.base_cycle + cycle.0
    }

    #[cold]
    fn stop(&mut self, mismatch: Mismatch) -> Result<(), Stop> {
        self.failure = Some(mismatch.into());
        Err(Stop)
    }

    #[cold]
    fn refuse(&mut self, error: &GoldenError, place: Place) -> Result<(), Stop> {
        self.failure = Some(refusal::explain(error, place, &self.history));
        Err(Stop)
    }
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
        match self.golden.start_cta(event.cta) {
            Ok(()) => Ok(()),
            Err(error) => {
                let place = Place { cta: Some(event.cta), ..self.place(event.cycle, None, None) };
                self.refuse(&error, place)
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

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        self.check_performed(event)
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        match self.golden.retire(tag) {
            Ok(()) => Ok(()),
            Err(error) => {
                let place = self.place(cycle, None, None);
                self.refuse(&error, place)
            }
        }
    }

    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        let mut what = format!("{}, warp {}", command_name(command.op), command.warp);
        if command.op == CommandOp::Prefetch as u8 {
            what.push_str(&format!(", interval {}", command.interval));
        }
        self.history.command(self.cycle(cycle), what);
        Ok(())
    }

    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        let what = format!("done of {}, warp {}", command_name(done.op), done.warp);
        self.history.command(self.cycle(cycle), what);
        Ok(())
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        match self.golden.finish_cta(event.cta) {
            Ok(()) => Ok(()),
            Err(error) => {
                let place = Place { cta: Some(event.cta), ..self.place(event.cycle, None, None) };
                self.refuse(&error, place)
            }
        }
    }
}
