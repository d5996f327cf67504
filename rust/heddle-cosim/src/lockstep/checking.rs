//! The checking side of a launch: the golden machine, the shadow of the RTL, and the comparison of both with
//! the RTL's side.
//!
//! It is shown the RTL's side cycle by cycle, in order, and tells it nothing but that it is to stop.

use heddle_isa::RecordedCta;
use heddle_mem::LifetimeStatistics;
use heddle_port::{Command, Cycle, Done, LineEvents, MemOut, RegOut, RegisterFile, Tag};
use heddle_sm::{
    BranchEvent, CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent,
    Sm, Stop,
};

use super::beside::Taker;
use super::cycles::Cycles;
use super::edge::{Edge, Stands};
use super::failure::{model_failure, rtl_failure, stopped, tick_failure};
use super::rtl::{Halt, Watch};
use super::{LaunchContext, Shadow};
use crate::check::controls::ControlCheck;
use crate::check::lines::LineLifetimes;
use crate::check::{HISTORY, InWords, RunChecker};
use crate::error::RunError;
use crate::memory_port::{drive_with, follow_held_lines};
use crate::mismatch::{Check, Mismatch, Place};

/// The shadow of the RTL of one SM.
pub struct Shadowing<'a, 'm> {
    /// The cycle model.
    pub model: &'a mut Shadow,
    /// Its outputs of the current cycle.
    pub out: RegOut,
    /// Compares them with those of the RTL.
    pub controls: &'a mut ControlCheck<'m>,
    /// Follows the lines of a cache of shared memory, which the model tells of.
    pub lines: Option<LineLifetimes>,
}

impl Shadowing<'_, '_> {
    /// What the lines that left a cache of shared memory tell about the lifetimes of its addresses.
    pub fn lifetimes(&self) -> Option<&LifetimeStatistics> {
        self.lines.as_ref().map(LineLifetimes::statistics)
    }

    /// Shows the SM what the clock edge did to the lines of global memory that the design holds; its RTL cannot tell.
    #[inline]
    pub fn show_lines(&mut self, sm: &mut Sm) {
        if let Some(side) = self.model.memory_side() {
            follow_held_lines(sm, side);
        }
    }
}

/// When a launch begins.
#[derive(Debug, Clone, Copy)]
pub(super) struct Begin {
    launch: u32,
    base_cycle: u64,
}

impl Begin {
    pub fn new(context: &LaunchContext<'_>) -> Self {
        Self { launch: context.launch, base_cycle: context.base_cycle }
    }

    fn place(self, cycle: u64) -> Place {
        Place { launch: self.launch, cycle: self.base_cycle + cycle, ..Place::default() }
    }
}

/// The checking side of the launch on one SM.
pub(super) struct Checking<'c, 'a, 'm, C> {
    pub begin: Begin,
    pub checker: &'c mut C,
    pub shadow: &'c mut Shadowing<'a, 'm>,
}

impl<C: RunChecker> Checking<'_, '_, '_, C> {
    /// The outputs after the reset, of which the memory port's are `rtl_memory`.
    ///
    /// # Errors
    /// A difference.
    pub fn reset(&mut self, rtl: &RegOut, rtl_memory: Option<&MemOut>) -> Result<(), RunError> {
        self.compare(rtl, rtl_memory, 0)
    }

    /// A clock edge: the shadow follows, and what comes out is compared.
    ///
    /// # Errors
    /// What is wrong.
    #[inline]
    pub fn follow(&mut self, edge: &Edge<'_>) -> Result<(), RunError> {
        let cycle = edge.cycle;
        drive_with(edge.memory, self.shadow.model);
        if let Err(error) = self.shadow.model.step(edge.input, &mut self.shadow.out) {
            let offender = self.shadow.model.offender();
            let mismatch = model_failure(self.begin.place(cycle), &error, offender, cycle, &*self.checker);
            return Err(self.where_it_stands(mismatch, cycle, edge.stands).into());
        }
        self.compare(edge.rtl, edge.rtl_memory, cycle + 1)?;
        if let Some(offer) = edge.lower {
            self.checker.lower(Cycle(cycle), offer)?;
        }
        if let Some(lines) = &mut self.shadow.lines
            && let Some(side) = self.shadow.model.memory_side()
            && let Some(line) = side.line_left()
        {
            lines.left(line, cycle + 1);
        }
        Ok(())
    }

    /// A break of the contract that is no instruction's own happens before the next one of its warp.
    fn where_it_stands(&self, mut mismatch: Mismatch, cycle: u64, stands: &Stands) -> Mismatch {
        let place = &mut mismatch.place;
        if mismatch.check == Check::Contract
            && place.pc.is_none()
            && let Some(warp) = place.warp
            && let Some((cta, pc)) = stands.warp(warp)
        {
            let at = pc.map(|pc| self.checker.place_at(Cycle(cycle), pc)).unwrap_or_default();
            place.cta = Some(cta);
            (place.pc, place.source, place.source_text) = (at.pc, at.source, at.source_text);
        }
        mismatch
    }

    #[inline]
    fn compare(&mut self, rtl: &RegOut, rtl_memory: Option<&MemOut>, cycle: u64) -> Result<(), RunError> {
        let Shadowing { model, out, controls, .. } = &mut *self.shadow;
        controls.compare(out, rtl).map_err(|difference| {
            let mut mismatch = difference.into_mismatch(self.begin.place(cycle));
            mismatch.history = self.checker.history().recent(HISTORY);
            RunError::from(mismatch)
        })?;
        let model = model.memory_side().map(|side| side.memory_out());
        controls.compare_memory_ports(model, rtl_memory).map_err(|difference| {
            let mut mismatch = difference.into_mismatch(self.begin.place(cycle));
            mismatch.history = self.checker.history().memory().recent(HISTORY);
            mismatch.into()
        })
    }

    /// Why a checker has stopped the run in a cycle.
    pub fn failure(&mut self, cycle: u64) -> RunError {
        let place = self.begin.place(cycle);
        self.checker.take_failure().unwrap_or_else(|| stopped(place, cycle, &*self.checker))
    }

    /// How the launch fails that the RTL's side has ended so, after everything before was checked.
    pub fn explain(&mut self, context: &LaunchContext<'_>, halt: Halt) -> RunError {
        match halt {
            Halt::Found(error) | Halt::Other(error) => error,
            Halt::Refused => not_taken(),
            Halt::Sm(cycle, error) => tick_failure(context, self.checker, cycle, &error),
            Halt::Rtl { cycle, message, warps } => {
                rtl_failure(self.begin.place(cycle), &message, &warps, &*self.checker).into()
            }
        }
    }
}

impl<C: RunChecker + Send> Taker for Checking<'_, '_, '_, C> {
    fn take(&mut self, cycles: &Cycles) -> Result<(), RunError> {
        cycles.show(self).map_err(|halt| match halt {
            Halt::Found(error) | Halt::Other(error) => error,
            Halt::Sm(cycle, _) | Halt::Rtl { cycle, .. } => self.failure(cycle),
            Halt::Refused => not_taken(),
        })
    }
}

/// Cycles were refused, and nobody says why.
fn not_taken() -> RunError {
    RunError::Unchecked { message: "the checking side takes no more cycles".to_owned() }
}

/// Checking where the RTL's side is.
impl<C: RunChecker> Watch for Checking<'_, '_, '_, C> {
    type Events = Self;

    #[inline]
    fn events(&mut self) -> &mut Self {
        self
    }

    fn expects_spills(&self) -> bool {
        self.checker.expects_spills()
    }

    fn instruction(&self, tag: Tag) -> Option<InWords> {
        self.checker.instruction(tag)
    }

    fn recorded(&mut self, record: RecordedCta) {
        self.checker.recorded(record);
    }

    #[inline]
    fn edge(&mut self, edge: &Edge<'_>) -> Result<(), Halt> {
        self.follow(edge).map_err(Halt::Found)
    }
}

/// The events that a checker is shown; the others it would see on no way.
impl<C: RunChecker> Observer for Checking<'_, '_, '_, C> {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        if let Some(lines) = &mut self.shadow.lines {
            lines.cta_started(event)?;
        }
        self.checker.cta_started(event)
    }

    #[inline]
    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        self.checker.warp_issued(event)
    }

    #[inline]
    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        self.checker.operands(event)
    }

    fn predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        self.checker.predicates(event)
    }

    fn branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        self.checker.branch(event)
    }

    #[inline]
    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        self.checker.results(event)
    }

    fn lines(&mut self, cycle: Cycle, events: &LineEvents) -> Result<(), Stop> {
        self.checker.lines(cycle, events)
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        if let Some(lines) = &mut self.shadow.lines {
            lines.performed(event)?;
        }
        self.checker.performed(event)
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        self.checker.retired(cycle, tag)
    }

    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        self.checker.command(cycle, command)
    }

    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        self.checker.done(cycle, done)
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        if let Some(lines) = &mut self.shadow.lines {
            lines.cta_finished(event)?;
        }
        self.checker.cta_finished(event)
    }
}
