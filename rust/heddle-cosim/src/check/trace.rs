//! The checks of a trace run: flow, operands, results and addresses against the trace.

use heddle_isa::{Pc, Program, RecordedCta, Space};
use heddle_port::{Command, Cycle, Done, LaneMask, Reg, Tag, WarpSlot};
use heddle_sm::{
    BranchEvent, CtaEvent, IssueEvent, Observer, OperandsEvent, PerformedEvent, PredicateEvent, ResultEvent,
    Stop,
};

use super::flow::other_predicates;
use super::history::{Access, At, History};
use super::memory::space_of;
use super::operands::first_difference;
use super::owed::{Due, Owed};
use super::{Compared, HISTORY, InWords, RunChecker, in_words, note_command, note_done};
use crate::error::RunError;
use crate::mismatch::{Check, Mismatch, Place};
use crate::trace::golden::{Expected, TraceGolden};

/// Steps the trace beside the SM and compares.
pub struct TraceChecker<'a> {
    golden: TraceGolden,
    program: &'a Program,
    launch: u32,
    base_cycle: u64,
    /// How much was compared so far.
    pub compared: Compared,
    history: History,
    owed: Owed,
    failure: Option<RunError>,
}

impl<'a> TraceChecker<'a> {
    /// A checker for launch number `launch`, which begins at cycle `base_cycle` of the run.
    pub fn new(golden: TraceGolden, program: &'a Program, launch: u32, base_cycle: u64) -> Self {
        Self {
            golden,
            program,
            launch,
            base_cycle,
            compared: Compared::default(),
            history: History::default(),
            owed: Owed::default(),
            failure: None,
        }
    }

    fn place(&self, cycle: Cycle, slot: Option<WarpSlot>, pc: Option<Pc>) -> Place {
        Place::of_instruction(self.program, self.launch, self.base_cycle + cycle.0, slot, pc)
    }

    #[cold]
    fn stop(&mut self, mut mismatch: Mismatch) -> Result<(), Stop> {
        if mismatch.history.is_empty() {
            mismatch.history = self.history.recent(HISTORY);
        }
        self.failure = Some(mismatch.into());
        Err(Stop)
    }

    fn refuse(&mut self, check: Check, place: Place, what: Result<(), String>) -> Result<(), Stop> {
        match what {
            Ok(()) => Ok(()),
            Err(what) => self.stop(Mismatch::new(check, place, what)),
        }
    }

    /// Compares one register's lanes of `mask`.
    fn compare(
        &mut self,
        at: At,
        mut place: Place,
        what: String,
        (register, mask): (Reg, u32),
        (expected, actual): (&[u32; 32], &[u32; 32]),
    ) -> Result<(), Stop> {
        let Some(lane) = first_difference(expected, actual, mask) else { return Ok(()) };
        place.register = Some(register.0);
        place.lane = u8::try_from(lane).ok();
        let mut mismatch = Mismatch::new(Check::Operand, place, what);
        for lane in LaneMask(mask).lanes() {
            let text = |value: u32| format!("{value:#010x}");
            mismatch = mismatch.side(format!("lane {lane}"), text(expected[lane]), text(actual[lane]));
        }
        mismatch.history = self.history.of_register(at.warp, register.0, at.tag, HISTORY);
        self.stop(mismatch)
    }

    fn at(&self, cycle: Cycle, slot: WarpSlot, tag: Tag, pc: Pc, mask: LaneMask) -> At {
        At::new(self.base_cycle + cycle.0, slot, tag, pc, mask)
    }

    /// An event of an instruction in flight comes, once.
    fn came(&mut self, cycle: Cycle, tag: Tag, event: Due) -> Result<(), Stop> {
        match self.owed.came(tag, event) {
            Ok(()) => Ok(()),
            Err(what) => self.stop(Mismatch::new(Check::Completeness, self.place(cycle, None, None), what)),
        }
    }

    fn unknown(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        let place = Place { signal: Some("tag".to_owned()), ..self.place(cycle, None, None) };
        self.stop(Mismatch::new(Check::Operand, place, format!("{tag} is not in flight")))
    }
}

impl RunChecker for TraceChecker<'_> {
    fn take_failure(&mut self) -> Option<RunError> {
        self.failure.take()
    }

    fn history(&self) -> &History {
        &self.history
    }

    fn instruction(&self, tag: Tag) -> Option<InWords> {
        Some(in_words(self.program, self.golden.expected(tag)?.pc))
    }

    fn place_of(&self, cycle: Cycle, slot: WarpSlot, tag: Tag) -> Option<Place> {
        let expected = self.golden.expected(tag)?;
        Some(Place { cta: Some(expected.cta), ..self.place(cycle, Some(slot), Some(expected.pc)) })
    }

    fn place_at(&self, cycle: Cycle, pc: Pc) -> Place {
        self.place(cycle, None, Some(pc))
    }

    fn recorded(&mut self, record: RecordedCta) {
        self.golden.recorded(record);
    }

    fn finished(&self, done: u64, chosen: u64, cycle: Cycle) -> Result<(), RunError> {
        if done == chosen && self.golden.is_idle() {
            return Ok(());
        }
        let what = "the machine under test ends before the trace";
        let mismatch = Mismatch::new(Check::Completeness, self.place(cycle, None, None), what);
        Err(mismatch.side("launch", format!("{chosen} CTAs"), format!("{done} CTAs")).into())
    }
}

impl Observer for TraceChecker<'_> {
    fn cta_started(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        let started = self.golden.start(event.cta);
        let place = Place { cta: Some(event.cta), ..self.place(event.cycle, None, None) };
        self.refuse(Check::Flow, place, started)
    }

    fn warp_issued(&mut self, event: &IssueEvent) -> Result<(), Stop> {
        let place =
            Place { cta: Some(event.cta), ..self.place(event.cycle, Some(event.slot), Some(event.pc)) };
        self.compared.flow += 3;
        let (pc, mask) = match self.golden.issue(event.cta, event.warp_in_cta, event.tag) {
            Ok(Expected { pc, mask, .. }) => (*pc, *mask),
            Err(what) => return self.refuse(Check::Flow, place, Err(what)),
        };
        if (pc, mask, mask) == (event.pc, event.active, event.exec) {
            let at = self.at(event.cycle, event.slot, event.tag, event.pc, event.exec);
            let Some(instr) = self.program.instrs.get(pc.index()) else {
                return self.refuse(Check::Flow, place, Err(format!("the program has no {pc}")));
            };
            self.owed.issued(event.tag, instr, event.through_port);
            if event.through_port {
                for register in instr.source_regs() {
                    self.history.register(at, Access::ReadIssued, register.0, None);
                }
            }
            return Ok(());
        }
        let what = format!(
            "warp {} of CTA {} issues another instruction than expected",
            event.warp_in_cta, event.cta
        );
        let mismatch = Mismatch::new(Check::Flow, place, what)
            .side("pc", pc.to_string(), event.pc.to_string())
            .side("executing lanes", mask.to_string(), event.exec.to_string());
        self.stop(mismatch)
    }

    fn operands(&mut self, event: &OperandsEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(event.tag) else {
            return self.unknown(event.cycle, event.tag);
        };
        let (cta, sources, known) = (expected.cta, expected.sources, expected.known);
        let registers = match self.program.instrs.get(expected.pc.index()) {
            Some(instr) if (expected.pc, expected.mask) == (event.pc, event.exec) => instr.source_regs(),
            _ => {
                let place = self.place(event.cycle, Some(event.slot), Some(event.pc));
                let what = format!("{} has another pc or other lanes at its operands", event.tag);
                return self.stop(Mismatch::new(Check::Operand, place, what));
            }
        };
        let at = self.at(event.cycle, event.slot, event.tag, event.pc, event.exec);
        for (slot, &register) in registers.iter().enumerate() {
            let mask = event.exec.0 & known[slot];
            self.compared.operands += u64::from(mask.count_ones());
            let actual = &event.sources[slot];
            self.history.register(at, Access::ReadCollected, register.0, Some(actual));
            let place = Place { cta: Some(cta), ..self.place(event.cycle, Some(event.slot), Some(event.pc)) };
            let what = format!("operand {slot} of {}: {register} is not what was last written", event.tag);
            self.compare(at, place, what, (register, mask), (&sources[slot], actual))?;
        }
        self.came(event.cycle, event.tag, Due::Operands)
    }

    /// A trace says which predicates an instruction writes, and never their values.
    fn predicates(&mut self, event: &PredicateEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(event.tag) else {
            return self.unknown(event.cycle, event.tag);
        };
        let place = || Place { cta: Some(expected.cta), ..self.place(event.cycle, None, Some(event.pc)) };
        let wrong = other_predicates(self.program, (expected.pc, expected.mask), event, place);
        self.compared.flow += 1;
        if let Some(mismatch) = wrong {
            return self.stop(mismatch);
        }
        self.came(event.cycle, event.tag, Due::Predicates)
    }

    fn branch(&mut self, event: &BranchEvent) -> Result<(), Stop> {
        let place = self.place(event.cycle, None, Some(event.pc));
        self.stop(Mismatch::new(Check::Flow, place, "a trace has no branches to decide"))
    }

    fn results(&mut self, event: &ResultEvent<'_>) -> Result<(), Stop> {
        let Some(expected) = self.golden.expected(event.tag) else {
            return self.unknown(event.cycle, event.tag);
        };
        let (cta, values, mask) = (expected.cta, expected.results, expected.mask);
        let instr = self.program.instrs.get(expected.pc.index());
        let register = instr.and_then(|i| i.dsts.get(event.destination)).copied();
        let at = self.at(event.cycle, event.slot, event.tag, event.pc, event.mask);
        let place = Place { cta: Some(cta), ..self.place(event.cycle, Some(event.slot), Some(event.pc)) };
        self.history.register(at, Access::Write, event.register.0, Some(event.data));
        self.compared.results += u64::from(event.mask.count());
        if register != Some(event.register) || mask != event.mask {
            let what = format!("{} writes another register or other lanes", event.tag);
            let mismatch = Mismatch::new(Check::Operand, place, what)
                .side("register", format!("{register:?}"), event.register.to_string())
                .side("lanes", mask.to_string(), event.mask.to_string());
            return self.stop(mismatch);
        }
        let what = format!("result of {}: {} is wrong", event.tag, event.register);
        let sides = (&values[event.destination], event.data);
        self.compare(at, place, what, (event.register, event.mask.0), sides)?;
        self.came(event.cycle, event.tag, Due::Result(event.destination))
    }

    fn performed(&mut self, event: &PerformedEvent<'_>) -> Result<(), Stop> {
        self.history.performed(self.base_cycle + event.cycle.0, event);
        let place =
            Place { cta: Some(event.cta), ..self.place(event.cycle, Some(event.slot), Some(event.pc)) };
        let (spaces, addresses) = match self.golden.performed(event.tag, event.lanes) {
            Ok(expected) => (expected.spaces, expected.addresses),
            Err(what) => return self.refuse(Check::Memory, place, Err(what)),
        };
        for lane in event.lanes.lanes() {
            self.compared.memory += 1;
            let space = space_of(event, lane);
            let (wanted, found) =
                ((spaces.of_lane(lane), addresses[lane]), (Some(space), event.addresses[lane]));
            if wanted != found {
                let place = Place { lane: u8::try_from(lane).ok(), ..place };
                let what = format!("{} accesses another address", event.tag);
                let text = |(space, address): (Option<Space>, u64)| format!("{space:?} {address:#x}");
                let mut mismatch =
                    Mismatch::new(Check::Memory, place, what).side("address", text(wanted), text(found));
                mismatch.history = self.history.memory().of_warp(event.slot.0, Some(event.tag.0), HISTORY);
                return self.stop(mismatch);
            }
        }
        Ok(())
    }

    fn retired(&mut self, cycle: Cycle, tag: Tag) -> Result<(), Stop> {
        let place = self.place(cycle, None, None);
        if let Err(what) = self.owed.retires(tag) {
            return self.stop(Mismatch::new(Check::Completeness, place, what));
        }
        let retired = self.golden.retire(tag);
        self.refuse(Check::Memory, place, retired)
    }

    fn command(&mut self, cycle: Cycle, command: &Command) -> Result<(), Stop> {
        note_command(&mut self.history, self.base_cycle + cycle.0, command);
        Ok(())
    }

    fn done(&mut self, cycle: Cycle, done: &Done) -> Result<(), Stop> {
        note_done(&mut self.history, self.base_cycle + cycle.0, done);
        Ok(())
    }

    fn cta_finished(&mut self, event: &CtaEvent) -> Result<(), Stop> {
        let finished = self.golden.finish(event.cta);
        let place = Place { cta: Some(event.cta), ..self.place(event.cycle, None, None) };
        self.refuse(Check::Completeness, place, finished)
    }
}
