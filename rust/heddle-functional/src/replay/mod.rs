//! The program as parsed, driven by what the allocated program does.
//!
//! Where the order of accesses decides what a kernel leaves in memory, the program as parsed and the allocated one
//! can only be compared in one and the same order. A [`Replay`] has registers and memory of its own. It is told which
//! access each warp of the allocated program issues, and which lanes of it are performed when. It steps the same
//! warps of the program as parsed up to these accesses and performs them in the same order; each must be the same
//! instruction, in the same lanes, at the same addresses, with the same values. Spills have no place in it; local
//! memory is performed in program order. Where loads begin early (`compiler.early_loads`), 'as parsed' means the parsed
//! instructions in that order, which is checked by itself before.
//!
//! The two programs execute the same accesses in each warp's program order. A warp of the program as parsed may have
//! to go past a load that the machine under test performs later than the next one. What is loaded it takes from
//! the allocated program then, and the load's own place in the order still comes, where memory must hold that value.
//! So an event waits for the accesses before it in its warp, and nothing else is kept.

mod compare;
mod cta;
mod error;
mod refusal;
mod warp;

use std::collections::VecDeque;
use std::sync::Arc;

use heddle_isa::{DeviceMemory, KernelLaunch, Pc, Program};
use heddle_port::Tag;

use crate::access::perform;
use crate::cta::Cta;
use crate::env::Checks;
use crate::error::GoldenError;
use crate::expected::{Expected, ExpectedAccess};
use crate::machine::Golden;
use crate::race::RaceRule;
use crate::site::AccessKind;
use cta::{ReplayCta, Step};
use warp::ReplayWarp;

pub use error::ReplayError;

/// Events that may wait for accesses before them, for each SM: many times what can be in flight in one.
const MOST_WAITING: usize = 1 << 14;

/// Tag of an access that is issued and performed at once.
const AT_ONCE: Tag = Tag(0);

/// An access of a warp by its number in the warp's program order.
#[derive(Debug, Clone, Copy)]
struct Issued {
    cta: u64,
    warp: u32,
    number: u64,
}

/// An access that was performed, and whose turn in the replay comes.
#[derive(Debug)]
struct Event {
    issued: Issued,
    access: Box<ExpectedAccess>,
}

/// The program as parsed beside the allocated program; see the module.
#[derive(Debug)]
pub struct Replay {
    /// Machine of the program as parsed: environment and memory.
    golden: Golden,
    /// By instruction of the allocated program: the one that it was, if it was not added.
    origins: Arc<[Option<Pc>]>,
    /// By instruction as parsed: the allocated program has it.
    kept: Vec<bool>,
    ctas: Vec<ReplayCta>,
    /// By tag.
    in_flight: Vec<Option<Issued>>,
    waiting: VecDeque<Event>,
    /// Most events that may wait.
    most_waiting: usize,
    words: u64,
    /// Lanes of loads that took what the allocated program loaded.
    versions: u64,
    /// It has the checks of a machine that executes.
    judges: bool,
}

impl Replay {
    /// A replay of `launch` from `memory`. `origins` says of each instruction of the allocated program which one of
    /// `program` it was; those without one are spills, reloads and constants computed again.
    ///
    /// # Errors
    /// As [`Golden::new`].
    pub fn new(
        program: Arc<Program>,
        launch: &KernelLaunch,
        memory: DeviceMemory,
        origins: Arc<[Option<Pc>]>,
    ) -> Result<Self, GoldenError> {
        let mut kept = vec![false; program.instrs.len()];
        for origin in origins.iter().flatten() {
            if let Some(kept) = kept.get_mut(origin.index()) {
                *kept = true;
            }
        }
        // What the kernel itself does wrong was found before, when the program as parsed ran freely.
        let checks = Checks {
            uninitialised_global: false,
            uninitialised_shared: false,
            uninitialised_local: false,
            races: RaceRule::Off,
            undefined_registers: false,
        };
        Ok(Self {
            golden: Golden::new(program, launch, memory)?.with_checks(checks),
            origins,
            kept,
            ctas: Vec::new(),
            in_flight: Vec::new(),
            waiting: VecDeque::new(),
            most_waiting: MOST_WAITING,
            words: 0,
            versions: 0,
            judges: false,
        })
    }

    /// The allocated program runs on `sms` SMs; one, where nothing is said.
    pub fn set_sms(&mut self, sms: usize) {
        self.most_waiting = sms * MOST_WAITING;
    }

    /// Words compared so far: addresses, stored and loaded words of each lane.
    #[must_use]
    pub fn words_compared(&self) -> u64 {
        self.words
    }

    /// Lanes of loads that took what the allocated program loaded, since an L1 held another version than memory has.
    #[must_use]
    pub fn versions_taken(&self) -> u64 {
        self.versions
    }

    /// CTA `cta` of the allocated program starts.
    pub fn started(&mut self, cta: u64) {
        self.ctas.push(ReplayCta::new(Cta::new(&self.golden.env, cta)));
    }

    /// The allocated program issues `e` under `tag`.
    pub fn issued(&mut self, tag: Tag, e: &Expected) {
        if self.in_flight.len() <= tag.index() {
            self.in_flight.resize(tag.index() + 1, None);
        }
        self.in_flight[tag.index()] = None;
        let Some(Some(origin)) = self.origins.get(e.pc.index()).copied() else { return };
        let lanes = e.seen_by_others();
        if e.kind == AccessKind::None || lanes.is_empty() {
            return;
        }
        let Some(cta) = self.ctas.iter_mut().find(|c| c.state.number == e.cta) else { return };
        let Some(warp) = cta.warps.get_mut(e.warp_in_cta as usize) else { return };
        let number = warp.issued(origin, lanes);
        self.in_flight[tag.index()] = Some(Issued { cta: e.cta, warp: e.warp_in_cta, number });
    }

    /// Lanes of the access of `tag` are performed by the allocated program.
    ///
    /// # Errors
    /// The program as parsed does something else.
    pub fn performed(&mut self, tag: Tag, access: &ExpectedAccess) -> Result<(), ReplayError> {
        let Some(Some(issued)) = self.in_flight.get(tag.index()).copied() else { return Ok(()) };
        let lanes = access.lanes & (access.spaces.global | access.spaces.shared);
        if lanes.is_empty() {
            return Ok(());
        }
        let access = Box::new(ExpectedAccess { lanes, ..access.clone() });
        if let Some(cta) = self.ctas.iter_mut().find(|c| c.state.number == issued.cta) {
            cta.waiting += 1;
            if let Some(warp) = cta.warps.get_mut(issued.warp as usize) {
                warp.performed(issued.number, &access);
            }
        }
        self.waiting.push_back(Event { issued, access });
        self.go_on()?;
        match self.waiting.front() {
            Some(event) if self.waiting.len() > self.most_waiting => Err(self.cannot_go_on(event)),
            _ => Ok(()),
        }
    }

    /// An access of the allocated program that is performed when it is issued.
    ///
    /// # Errors
    /// As [`Replay::performed`].
    pub fn executed(&mut self, e: &Expected) -> Result<(), ReplayError> {
        self.issued(AT_ONCE, e);
        self.performed(AT_ONCE, &e.access(e.exec))
    }

    /// The allocated program's machine refuses `e`, which is issued and was performed in no lane, or in some.
    ///
    /// # Errors
    /// The program as parsed accesses something else there.
    pub fn refused(&mut self, e: &Expected) -> Result<(), ReplayError> {
        self.go_on()?;
        let Some(Some(origin)) = self.origins.get(e.pc.index()).copied() else {
            let before = self.origins.iter().take(e.pc.index()).rev().flatten().next();
            let pc = before.copied().unwrap_or_default();
            return Err(ReplayError::Added { at: self.golden.env.site(e.cta, e.warp_in_cta, None, pc) });
        };
        let Some(at) = self.ctas.iter().position(|c| c.state.number == e.cta) else { return Ok(()) };
        let warp = e.warp_in_cta as usize;
        self.advance(at, warp, u64::MAX)?;
        let (env, state) = (&self.golden.env, &self.ctas[at].warps[warp]);
        let site = |pc| env.site(e.cta, e.warp_in_cta, None, pc);
        match state.at(origin) {
            Ok(parsed) if parsed.seen_by_others() == e.seen_by_others() => {
                compare::asked(env, parsed, &e.access(e.seen_by_others()))
            }
            Ok(parsed) => Err(ReplayError::Lanes {
                at: site(parsed.pc),
                parsed: parsed.seen_by_others(),
                allocated: e.seen_by_others(),
            }),
            Err(Some(pc)) => Err(ReplayError::Other { at: site(pc), allocated: site(origin) }),
            Err(None) => Ok(()),
        }
    }

    /// CTA `cta` of the allocated program has ended.
    ///
    /// # Errors
    /// The program as parsed does something else.
    pub fn ended(&mut self, cta: u64) -> Result<(), ReplayError> {
        if let Some(cta) = self.ctas.iter_mut().find(|c| c.state.number == cta) {
            cta.ended = true;
        }
        self.go_on()
    }

    /// All CTAs of the allocated program have ended: final memory of the program as parsed.
    ///
    /// # Errors
    /// The program as parsed has not ended.
    pub fn finish(self) -> Result<DeviceMemory, ReplayError> {
        if let Some(event) = self.waiting.front() {
            return Err(self.cannot_go_on(event));
        }
        if let Some(cta) = self.ctas.first() {
            return Err(ReplayError::NotEnded { at: self.where_it_stands(cta, None) });
        }
        Ok(self.golden.into_memory())
    }

    /// Performs the events that wait, as far as they can be.
    fn go_on(&mut self) -> Result<(), ReplayError> {
        while let Some(event) = self.waiting.front() {
            let issued = event.issued;
            let Some(at) = self.ctas.iter().position(|c| c.state.number == issued.cta) else { break };
            if !self.advance(at, issued.warp as usize, issued.number + 1)? {
                return Ok(());
            }
            if let Some(event) = self.waiting.pop_front() {
                self.perform(at, &event)?;
            }
        }
        while let Some(at) = self.ctas.iter().position(|c| c.ended && c.waiting == 0) {
            for warp in 0..self.ctas[at].warps.len() {
                self.advance(at, warp, u64::MAX)?;
            }
            let cta = self.ctas.swap_remove(at);
            if !cta.state.is_done() {
                return Err(ReplayError::NotEnded { at: self.where_it_stands(&cta, None) });
            }
        }
        Ok(())
    }

    /// Steps warp `warp` of the CTA in place `at` until it has issued `accesses` accesses, or to its end; whether it
    /// has.
    fn advance(&mut self, at: usize, warp: usize, accesses: u64) -> Result<bool, ReplayError> {
        let cta = &mut self.ctas[at];
        loop {
            if cta.warps[warp].stepped() >= accesses {
                return Ok(true);
            }
            if cta.state.warps[warp].stack.is_done() {
                return if accesses == u64::MAX { Ok(true) } else { self.ended_early(at, warp) };
            }
            if cta.state.warps[warp].waiting.is_some() {
                // The others come to the barrier too, if they can.
                for other in 0..cta.warps.len() {
                    while other != warp
                        && cta.state.warps[warp].waiting.is_some()
                        && cta.step(&mut self.golden, &self.kept, other)? == Step::Done
                    {}
                }
                if cta.state.warps[warp].waiting.is_some() {
                    return Ok(false);
                }
                continue;
            }
            if cta.step(&mut self.golden, &self.kept, warp)? == Step::Blocked {
                return Ok(false);
            }
        }
    }

    /// Performs the lanes of an event, whose access the program as parsed has issued, and compares.
    fn perform(&mut self, at: usize, event: &Event) -> Result<(), ReplayError> {
        let cta = &mut self.ctas[at];
        cta.waiting -= 1;
        let (index, number) = (event.issued.warp as usize, event.issued.number);
        let Some(mut e) = cta.warps[index].take(number) else { return Ok(()) };
        let lanes = event.access.lanes;
        let env = &self.golden.env;
        compare::asked(env, &e, &event.access)?;
        perform(env, &mut cta.state, &mut self.golden.memory, &mut e, lanes)?;
        self.versions += compare::take_versions(&mut e, &event.access);
        self.words += compare::loaded(env, &e, &event.access)?;
        cta.warps[index].put_back(number, e, lanes);
        Ok(())
    }

    #[cold]
    fn ended_early(&self, at: usize, warp: usize) -> Result<bool, ReplayError> {
        let cta = &self.ctas[at];
        let Some(known) = cta.warps[warp].next_known() else { return Ok(true) };
        let site = self.golden.env.site(cta.state.number, warp as u32, None, known.pc);
        Err(ReplayError::Ended { at: site })
    }

    #[cold]
    fn cannot_go_on(&self, event: &Event) -> ReplayError {
        let cta = self.ctas.iter().find(|c| c.state.number == event.issued.cta);
        let warp = event.issued.warp as usize;
        let allocated = &event.access;
        let origin = self.origins.get(allocated.pc.index()).copied().flatten().unwrap_or_default();
        let site = self.golden.env.site(event.issued.cta, event.issued.warp, None, origin);
        let at = cta.map_or_else(|| site.clone(), |cta| self.where_it_stands(cta, Some(warp)));
        ReplayError::Waits { at, allocated: site }
    }

    /// Where a warp of the program as parsed stands: the given one, or the first that has not ended.
    fn where_it_stands(&self, cta: &ReplayCta, warp: Option<usize>) -> Box<crate::site::Site> {
        let live = || cta.state.warps.iter().position(|w| !w.stack.is_done());
        let index = warp.or_else(live).unwrap_or(0);
        let pc = cta.warps.get(index).and_then(ReplayWarp::held_at);
        let pc = pc.or_else(|| cta.state.warps.get(index).map(|w| w.stack.pc())).unwrap_or_default();
        self.golden.env.site(cta.state.number, index as u32, None, pc)
    }
}
