//! Issue: each scheduler gives one instruction a cycle to the design or carries out a control
//! instruction.

use heddle_isa::{Op, Pc, guard_mask};
use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, Issue, LaneMask, NUM_LANES, NUM_SOURCES, RegIn, RegOut, Tag, WarpSlot};

use crate::decode::{Decoded, Kind};
use crate::error::SmError;
use crate::inflight::Stage;
use crate::observer::{BranchEvent, IssueEvent, Observer};
use crate::sm::Sm;
use crate::stalls::Stall;
use crate::warp::State;

/// Operands of instructions that have none.
static NO_SOURCES: [[u32; NUM_LANES]; NUM_SOURCES] = [[0; NUM_LANES]; NUM_SOURCES];

/// What became of an attempt to issue.
enum Attempt {
    Issued,
    /// The warp asked for its working set instead; this takes the issue slot.
    Prefetch,
    Not(Stall),
}

impl<P: FirstLevelPort> Sm<P> {
    pub(crate) fn issue_stage<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        if self.held_issue {
            return Ok(());
        }
        let mut taken = 0u64;
        // They take turns in being first at what they share, such as the places of the load-store unit.
        let first = self.cycle as usize % self.schedulers;
        for step in 0..self.schedulers {
            let scheduler = (first + step) % self.schedulers;
            let pool = self.scheduler.pool(scheduler);
            let ready = self.states.in_state(State::Active)
                & self.fetch.ready()
                & !self.at_barrier
                & !self.dependences.blocked();
            let mut candidates = ready & pool & !taken;
            let mut stall: Option<Stall> = None;
            let mut issued = false;
            while let Some(w) = self.scheduler.pick(scheduler, candidates) {
                let attempt = self.try_issue(w, scheduler, out, input, observer)?;
                match attempt {
                    Attempt::Issued | Attempt::Prefetch => {
                        taken |= 1 << w;
                        self.scheduler.issued(scheduler, w);
                        issued = matches!(attempt, Attempt::Issued);
                        stall = Some(Stall::Prefetch);
                        break;
                    }
                    Attempt::Not(reason) => {
                        candidates &= !(1 << w);
                        if matches!(reason, Stall::Port | Stall::Unit) {
                            stall = Some(stall.map_or(reason, |first| first.min(reason)));
                        }
                    }
                }
            }
            if !issued {
                let stall = stall.unwrap_or_else(|| self.stall_of(pool & !taken));
                self.counters.stalls(stall);
            }
        }
        Ok(())
    }

    /// Whether the next instruction of `w` has all it depends on. Marks the warp as blocked if not.
    pub(crate) fn dependences_met(&mut self, w: usize) -> Result<(), Stall> {
        let Some(d) = self.kernel.next(self.warps[w].flow.pc()) else { return Ok(()) };
        self.dependences.check(w, d, self.cycle)
    }

    fn try_issue<O: Observer>(
        &mut self,
        w: usize,
        slot: usize,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<Attempt, SmError> {
        let pc = self.warps[w].flow.pc();
        let Some(&d) = self.kernel.next(pc) else {
            let reason = "execution runs past the last instruction".to_owned();
            return Err(SmError::Execution { cycle: self.cycle, place: self.place(w, pc), reason });
        };
        // A working set is fetched when the warp reaches its interval, whatever the first instruction waits for.
        if d.through_port
            && let Some(interval) = d.interval
            && self.warps[w].interval != Some(interval)
        {
            self.begin_prefetch(w, interval);
            return Ok(Attempt::Prefetch);
        }
        if let Err(stall) = self.dependences_met(w) {
            return Ok(Attempt::Not(stall));
        }
        if d.kind == Kind::Memory && !self.lsu.has_room() {
            return Ok(Attempt::Not(Stall::Unit));
        }
        let queue = match d.way.kind {
            Some(kind) => match self.units.queue_with_room(kind, slot, self.cycle) {
                Some(queue) if self.write_back.has_room(w) => Some(queue),
                _ => return Ok(Attempt::Not(Stall::Unit)),
            },
            None => None,
        };
        if d.through_port && !out.issue_ready[slot] {
            return Ok(Attempt::Not(Stall::Port));
        }
        let Some(tag) = self.slab.allocate() else {
            return Ok(Attempt::Not(Stall::Unit));
        };
        let warp = &self.warps[w];
        let active = warp.flow.mask();
        let exec = guard_mask(self.kernel.instr(pc), &warp.preds, active);
        self.enter(w, tag, pc, exec, &d);
        if let Some(queue) = queue {
            self.units.issued(queue);
            self.slab.get_mut(tag).queue = Some(queue);
        }
        if self.watchdog.is_watching() {
            self.watchdog.issued((w, tag), pc, [active, exec], self.kernel.program());
        }
        let event = IssueEvent {
            cycle: Cycle(self.cycle),
            tag: Tag(tag),
            cta: self.warps[w].cta,
            warp_in_cta: self.warps[w].warp_in_cta,
            slot: WarpSlot(w as u8),
            pc,
            active,
            exec,
            through_port: d.through_port,
        };
        let result = observer.warp_issued(&event);
        self.stop(result)?;
        match d.kind {
            Kind::Barrier { .. } if d.through_port => {
                self.hold_for_operands(w);
                self.warps[w].flow.advance();
                self.follow(w, pc);
                self.offer(slot, tag, &d, input);
            }
            Kind::Compute | Kind::Memory | Kind::WarpSync => {
                self.warps[w].flow.advance();
                self.follow(w, pc);
                if d.through_port {
                    self.offer(slot, tag, &d, input);
                } else {
                    self.without_operands(tag, &d, observer)?;
                }
            }
            _ => self.control(tag, &event, &d, observer)?,
        }
        Ok(Attempt::Issued)
    }

    /// What an instruction that reads the warp's moment will see.
    pub(crate) fn note_moment(&mut self, w: usize, tag: u16, pc: Pc, d: &Decoded) {
        if d.reads_moment {
            let warp = &mut self.warps[w];
            warp.moment.live = warp.flow.live();
            warp.moment.clock += u64::from(self.kernel.instr(pc).op == Op::Clock);
            self.slab.get_mut(tag).moment = warp.moment;
        }
    }

    /// Book-keeping of an issue.
    fn enter(&mut self, w: usize, tag: u16, pc: Pc, exec: LaneMask, d: &Decoded) {
        let access = if d.kind == Kind::Memory { self.lsu.reserve(tag) } else { None };
        self.note_moment(w, tag, pc, d);
        let warp = &mut self.warps[w];
        self.progress.issued(warp.cta_slot);
        warp.memory_order.extend(access);
        self.dependences.issued(w, d);
        let entry = self.slab.get_mut(tag);
        entry.stage = if d.through_port { Stage::Collecting } else { Stage::Executing };
        entry.warp = w as u8;
        entry.pc = pc;
        entry.exec = exec.0;
        entry.results_left = d.destinations;
        entry.access = access;
        entry.responses_left = 0;
        self.counters.issued(w, d, exec);
        self.take_record(w, tag, exec, d);
        self.progress();
    }

    /// Takes the instruction out of the warp's buffer.
    fn follow(&mut self, w: usize, pc: Pc) {
        let redirected = self.warps[w].flow.pc() != pc.next();
        self.fetch.consume(w, self.cycle, redirected);
    }

    /// Drives an issue slot; the design accepts it, for its ready is high.
    fn offer(&mut self, slot: usize, tag: u16, d: &Decoded, input: &mut RegIn) {
        let entry = self.slab.get(tag);
        input.issue[slot] = Issue {
            valid: true,
            tag,
            warp: entry.warp,
            mask: entry.exec,
            source_valid: d.source_valid,
            source: d.source,
            destination_valid: d.destination_valid(),
            destination: d.destination,
            dead: d.dead & d.source_valid,
            source_placement: d.levels.sources.map(|level| level as u8),
            destination_placement: d.levels.results.map(|level| level as u8),
        };
        self.counters.offered(self.cycle, &input.issue[slot]);
    }

    /// An instruction without registers goes to its unit at once.
    fn without_operands<O: Observer>(
        &mut self,
        tag: u16,
        d: &Decoded,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let w = usize::from(self.slab.get(tag).warp);
        self.dependences.collected(w, d);
        if d.kind == Kind::Memory {
            self.begin_access(tag, &NO_SOURCES)
        } else {
            self.compute(tag, d, &NO_SOURCES, observer)
        }
    }

    /// Branches, fences, exits and barriers without registers end with their issue.
    fn control<O: Observer>(
        &mut self,
        tag: u16,
        event: &IssueEvent,
        d: &Decoded,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let w = event.slot.index();
        self.dependences.collected(w, d);
        match d.kind {
            Kind::Branch { target, reconvergence } => {
                if event.exec != event.active && !event.exec.is_empty() {
                    self.counters.diverges();
                }
                self.warps[w].flow.branch(event.exec, target, reconvergence);
                let branch = BranchEvent {
                    cycle: event.cycle,
                    tag: event.tag,
                    pc: event.pc,
                    active: event.active,
                    taken: event.exec,
                };
                let result = observer.branch(&branch);
                self.stop(result)?;
            }
            Kind::Exit => self.warps[w].flow.exit(event.exec),
            Kind::Fence { invalidates } => {
                if invalidates && !event.exec.is_empty() {
                    self.memory.invalidate_l1();
                }
                self.warps[w].flow.advance();
            }
            _ => self.warps[w].flow.advance(),
        }
        self.follow(w, event.pc);
        if let Kind::Barrier { .. } = d.kind {
            return self.arrive(tag, &NO_SOURCES, observer);
        }
        self.retire(tag, observer)?;
        if self.warps[w].flow.is_done() {
            self.end_warp(w, observer)?;
        }
        Ok(())
    }
}
