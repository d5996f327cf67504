//! Issue: each scheduler gives one instruction a cycle to the design or carries out a control
//! instruction.

use heddle_isa::{Pc, Unit};
use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, Issue, LaneMask, NUM_LANES, NUM_SOURCES, RegIn, RegOut, Tag, WarpSlot};

use super::Sm;
use crate::decode::{Decoded, Kind};
use crate::dependences::LOAD_STORE;
use crate::error::SmError;
use crate::observer::{BranchEvent, IssueEvent, Observer};
use crate::residency::State;
use crate::stalls::{Stall, stall_of};

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
    /// Each scheduler issues the next instruction of one of its warps, if one can.
    pub(super) fn issue<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let mut taken = 0u64;
        let mut ready = self.ready_warps();
        for scheduler in self.schedulers.in_turn(self.cycle) {
            let pool = self.schedulers.pool(scheduler);
            let mut candidates = ready & pool & !taken;
            if candidates == 0 {
                self.count_stall(None, pool & !taken);
                continue;
            }
            let mut stall: Option<Stall> = None;
            let without_place = self.without_place(scheduler, candidates);
            if without_place != 0 {
                candidates &= !without_place;
                stall = Some(Stall::Unit);
            }
            let mut issued = false;
            while let Some(w) = self.schedulers.pick(scheduler, candidates) {
                let attempt = self.try_issue(w, scheduler, out, input, observer)?;
                match attempt {
                    Attempt::Issued | Attempt::Prefetch => {
                        taken |= 1 << w;
                        self.schedulers.issued(scheduler, w);
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
                self.count_stall(stall, pool & !taken);
            }
            ready = self.ready_warps();
        }
        Ok(())
    }

    /// Active warps that have an instruction and are not known to wait.
    #[inline]
    fn ready_warps(&self) -> u64 {
        let waiting = self.barriers.waiting() | self.dependences.blocked();
        self.residency.in_state(State::Active) & self.fetch.ready() & !waiting
    }

    /// A scheduler issues nothing in this cycle: `stall` is why, or else what its warps `rest` wait for.
    #[inline]
    fn count_stall(&mut self, stall: Option<Stall>, rest: u64) {
        let at_barrier = self.barriers.waiting();
        let of_warps = || stall_of(rest, &self.residency, &self.dependences, at_barrier);
        let stall = stall.unwrap_or_else(of_warps);
        self.counters.stalls(stall);
    }

    /// Of `candidates`, warps whose next instruction lacks nothing but a place.
    #[inline]
    fn without_place(&self, scheduler: usize, candidates: u64) -> u64 {
        self.dependences.without_place(candidates, |room| match room {
            LOAD_STORE => !self.lsu.has_room(),
            kind => self.units.queue_with_room(kind as u8, scheduler, self.cycle).is_none(),
        })
    }

    fn try_issue<O: Observer>(
        &mut self,
        w: usize,
        slot: usize,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<Attempt, SmError> {
        let pc = self.warps[w].pc();
        let Some(d) = self.kernel.next(pc) else { return Err(self.past_the_end(w, pc)) };
        // A working set is fetched when the warp reaches its interval, whatever the first instruction waits
        // for.
        if d.through_port
            && let Some(interval) = d.interval
            && self.residency.lacks(w, interval)
        {
            self.residency.begin_prefetch(w, interval);
            self.hang.moves(self.cycle);
            return Ok(Attempt::Prefetch);
        }
        if let Err(stall) = self.dependences.check(w, d, self.cycle) {
            return Ok(Attempt::Not(stall));
        }
        if d.kind == Kind::Memory && !self.lsu.has_room() {
            self.dependences.crowd_out(w, LOAD_STORE);
            return Ok(Attempt::Not(Stall::Unit));
        }
        let queue = match d.way.kind {
            Some(kind) => match self.units.queue_with_room(kind, slot, self.cycle) {
                Some(queue) if d.unit == Unit::Branch || self.write_back.has_room(w) => Some(queue),
                Some(_) => return Ok(Attempt::Not(Stall::Unit)),
                None => {
                    self.dependences.crowd_out(w, kind.into());
                    return Ok(Attempt::Not(Stall::Unit));
                }
            },
            None => None,
        };
        if d.through_port && !out.issue_ready[slot] {
            return Ok(Attempt::Not(Stall::Port));
        }
        let Some(tag) = self.slab.allocate() else {
            return Ok(Attempt::Not(Stall::Unit));
        };
        let d = *d;
        let [active, exec] = self.warps[w].lanes(self.kernel.instr(pc));
        self.enter((w, tag), pc, exec, &d, queue);
        if self.watchdog.is_watching() {
            self.watchdog.issued((w, tag), pc, [active, exec], self.kernel.program());
        }
        let warp = &self.warps[w];
        let event = IssueEvent {
            cycle: Cycle(self.cycle),
            tag: Tag(tag),
            cta: warp.cta(),
            warp_in_cta: warp.warp_in_cta(),
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
                self.barriers.hold(w);
                self.warps[w].advance();
                self.follow(w, pc);
                self.offer(slot, tag, &event, &d, input);
            }
            Kind::Compute | Kind::Memory | Kind::WarpSync => {
                self.warps[w].advance();
                self.follow(w, pc);
                if d.through_port {
                    self.offer(slot, tag, &event, &d, input);
                } else {
                    self.dependences.collected(w, &d);
                    self.execute(tag, (d.kind, d.way.latency), &NO_SOURCES, observer)?;
                }
            }
            _ => self.control(tag, &event, &d, observer)?,
        }
        Ok(Attempt::Issued)
    }

    /// Each stage takes note of an instruction that issues.
    fn enter(&mut self, (w, tag): (usize, u16), pc: Pc, exec: LaneMask, d: &Decoded, queue: Option<u8>) {
        let access = if d.kind == Kind::Memory { self.lsu.reserve(tag, w) } else { None };
        let instr = self.kernel.instr(pc);
        let warp = &mut self.warps[w];
        let moment = d.reads_moment.then(|| warp.moment_of(instr));
        self.slab.enter(tag, (w, pc, exec), d, moment, (queue, access));
        if let Some(queue) = queue {
            self.units.issued(queue);
        }
        self.dependences.issued(w, d);
        self.progress.issued(warp.cta_slot());
        self.counters.issued(w, d, exec);
        let recorded = warp.replay(d, self.slab.get_mut(tag).out_mut());
        if let (Some(index), Some(space), Some(addresses)) = (access, instr.memory_space(), recorded) {
            self.lsu.replay(index, space, exec, addresses);
        }
        self.hang.moves(self.cycle);
    }

    /// Takes the instruction at `pc` out of the warp's buffer.
    fn follow(&mut self, w: usize, pc: Pc) {
        let redirected = self.warps[w].pc() != pc.next();
        self.fetch.consume(w, self.cycle, redirected);
    }

    /// Drives an issue slot; the design accepts it, for its ready is high.
    fn offer(&mut self, slot: usize, tag: u16, event: &IssueEvent, d: &Decoded, input: &mut RegIn) {
        input.issue[slot] = Issue {
            valid: true,
            tag,
            warp: event.slot.0,
            mask: event.exec.0,
            source_valid: d.source_valid,
            source: d.source,
            destination_valid: d.destination_valid(),
            destination: d.destination,
            dead: d.dead & d.source_valid,
            source_placement: d.levels.sources.map(|level| level as u8),
            destination_placement: d.levels.results.map(|level| level as u8),
        };
        self.counters.offered(self.cycle, event.slot.0, d);
    }

    /// Branches, fences, exits and barriers without registers end with their issue. A branch takes its pipeline behind
    /// it, and nothing waits for that.
    fn control<O: Observer>(
        &mut self,
        tag: u16,
        event: &IssueEvent,
        d: &Decoded,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let w = event.slot.index();
        self.dependences.collected(w, d);
        if let Some(queue) = self.slab.leave_queue(tag) {
            self.units.pass(queue, self.cycle);
        }
        if let Kind::Branch { .. } = d.kind {
            if event.exec != event.active && !event.exec.is_empty() {
                self.counters.diverges();
            }
            self.go_on(w, d.kind, event.exec);
            let branch = BranchEvent {
                cycle: event.cycle,
                tag: event.tag,
                pc: event.pc,
                active: event.active,
                taken: event.exec,
            };
            let result = observer.branch(&branch);
            self.stop(result)?;
        } else {
            self.go_on(w, d.kind, event.exec);
        }
        self.follow(w, event.pc);
        if let Kind::Barrier { .. } = d.kind {
            return self.arrive(tag, &NO_SOURCES, observer);
        }
        self.retire(tag, observer)?;
        self.end_warp_if_done(w, observer)
    }

    /// The warp goes on behind an instruction that `exec` lanes execute.
    pub(super) fn go_on(&mut self, w: usize, kind: Kind, exec: LaneMask) {
        let warp = &mut self.warps[w];
        match kind {
            Kind::Branch { target, reconvergence } => warp.branch(exec, target, reconvergence),
            Kind::Exit => warp.exit(exec),
            Kind::Fence { invalidates } => {
                if invalidates && !exec.is_empty() {
                    self.memory.invalidate_l1();
                }
                warp.advance();
            }
            _ => warp.advance(),
        }
    }

    /// A warp has no instruction and has not ended.
    #[cold]
    pub(super) fn past_the_end(&self, w: usize, pc: Pc) -> SmError {
        self.execution(w, pc, "execution runs past the last instruction".to_owned())
    }
}
