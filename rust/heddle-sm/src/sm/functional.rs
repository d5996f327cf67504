//! Functional stretches: resident warps go on instruction by instruction, without time.
//!
//! The SM first comes to rest ([`Sm::hold_issue`], cycles until [`Sm::is_settled`]): nothing is in flight, and every warp stands
//! between two instructions. Then [`Sm::advance`] executes instructions on the registers that the cycles use, with the same
//! semantics: CTAs in turn, in the proportion in which CTAs of their age went on in cycles, one instruction of each of their
//! warps. Barriers hold; accesses are performed, and go through the tags of L1 and L2. Where a warp has ended, the design is told
//! in cycles, as ever, and so the next CTA starts by the same rules.

use heddle_isa::Pc;
use heddle_mem::FirstLevel;
use heddle_port::{LaneData, LaneMask, NUM_LANES, NUM_SOURCES, members};

use super::Sm;
use super::memory::origin;
use crate::decode::{Decoded, Kind};
use crate::error::SmError;
use crate::progress::FULL;
use crate::registers::ArchitecturalRegisters;
use crate::residency::State;

/// What a functional stretch came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Advanced {
    /// Warp instructions executed.
    pub instructions: u64,
    /// It ended before its time: a CTA has ended, or no warp can go on.
    pub interrupted: bool,
}

/// A CTA in a stretch.
#[derive(Debug)]
struct Turn {
    slot: usize,
    /// Of [`FULL`] in each round.
    share: u32,
    credit: u32,
}

impl Sm<FirstLevel> {
    /// From now on no instruction issues, or again.
    pub fn hold_issue(&mut self, hold: bool) {
        self.schedulers.hold(hold);
    }

    /// Nothing is in flight in SM, design and memory, no warp changes its state, and no CTA could start.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.residency.is_settled()
            && self.slab.is_empty()
            && self.releases.is_empty()
            && self.memory.is_idle()
    }

    /// CTAs that have a warp left.
    #[must_use]
    pub fn live_ctas(&self) -> usize {
        self.residency.ctas().iter().filter(|cta| cta.live() != 0).count()
    }

    /// No CTA is left to start.
    #[must_use]
    pub fn has_started_all(&self) -> bool {
        self.residency.is_finished()
    }

    /// Warp instructions that have issued in cycles.
    #[must_use]
    pub fn issued(&self) -> u64 {
        self.counters.warp_instructions()
    }

    /// A number that changes when a CTA ends or a barrier opens.
    #[must_use]
    pub fn movements(&self) -> u64 {
        self.counters.ctas() + self.counters.barriers()
    }

    /// Executes `instructions` warp instructions, or as many as can be until a CTA has ended; the SM is settled.
    ///
    /// # Errors
    /// As [`Sm::tick`].
    pub fn advance(
        &mut self,
        registers: &mut ArchitecturalRegisters,
        instructions: u64,
    ) -> Result<Advanced, SmError> {
        self.watchdog.changed(self.cycle);
        let mut done = Advanced { instructions: 0, interrupted: false };
        let mut moved = 0u64;
        let live = self.live_ctas();
        let mut turns = self.turns();
        while done.instructions < instructions && !done.interrupted {
            done.interrupted = self.can_go_on() == 0;
            for turn in &mut turns {
                let mut warps = self.take_turn(turn);
                while warps != 0 && done.instructions < instructions && !done.interrupted {
                    let w = warps.trailing_zeros() as usize;
                    warps &= warps - 1;
                    self.execute_next(w, registers)?;
                    done.instructions += 1;
                    moved |= 1 << w;
                    done.interrupted = self.warps[w].flow().is_done() && self.live_ctas() < live;
                }
            }
        }
        self.resume(moved);
        Ok(done)
    }

    /// The resident CTAs, the oldest first.
    fn turns(&self) -> Vec<Turn> {
        let ctas = self.residency.ctas();
        let mut slots: Vec<usize> = (0..ctas.len()).filter(|slot| ctas[*slot].live() != 0).collect();
        slots.sort_by_key(|slot| ctas[*slot].number());
        slots
            .into_iter()
            .map(|slot| Turn { slot, share: self.progress.share(slot), credit: FULL / 2 })
            .collect()
    }

    /// The warps of a CTA that execute an instruction each, if it is its turn in this round.
    fn take_turn(&self, turn: &mut Turn) -> u64 {
        turn.credit += turn.share;
        if turn.credit < FULL {
            return 0;
        }
        turn.credit -= FULL;
        self.residency.ctas()[turn.slot].live() & self.can_go_on()
    }

    /// Warps that have a next instruction and do not wait at a barrier.
    fn can_go_on(&self) -> u64 {
        let resident = self.residency.in_state(State::Inactive) | self.residency.in_state(State::Active);
        resident & !self.barriers.waiting()
    }

    /// The warps `moved` stand elsewhere than when they last issued: their instructions are fetched anew, and their working
    /// sets.
    fn resume(&mut self, moved: u64) {
        for w in members(moved) {
            self.dependences.moved(w);
            self.residency.forget_interval(w);
            if !self.warps[w].flow().is_done() {
                self.fetch.begins(w);
            }
        }
    }

    /// The next instruction of the warp in slot `w`.
    fn execute_next(&mut self, w: usize, registers: &mut ArchitecturalRegisters) -> Result<(), SmError> {
        let pc = self.warps[w].pc();
        let Some(&d) = self.kernel.next(pc) else { return Err(self.past_the_end(w, pc)) };
        let [_, exec] = self.warps[w].lanes(self.kernel.instr(pc));
        let Some(tag) = self.begin(w, pc, exec, &d) else {
            return Err(self.protocol_of_warp(w, Some(pc), "no tag is free at rest".to_owned()));
        };
        let mut sources = [[0; NUM_LANES]; NUM_SOURCES];
        for (k, source) in sources.iter_mut().enumerate() {
            if d.source_valid >> k & 1 != 0 {
                *source = *registers.read(w as u8, d.source[k]);
            }
        }
        self.go_on(w, d.kind, exec);
        match d.kind {
            Kind::Barrier { .. } => return self.arrive(tag, &sources, &mut ()),
            Kind::Compute | Kind::WarpSync => self.evaluate(tag, &sources, &mut ())?,
            Kind::Memory => self.access_at_once(w, tag, &sources)?,
            Kind::Branch { .. } | Kind::Exit | Kind::Fence { .. } | Kind::Nop => {}
        }
        let results = &self.slab.get(tag).out().values;
        for (register, value) in d.destination.iter().zip(results).take(usize::from(d.destinations)) {
            registers.write(w as u8, *register, value, exec.0);
        }
        self.retire(tag, &mut ())?;
        self.end_warp_if_done(w, &mut ())
    }

    /// Takes a tag for an instruction, and a place in the load-store unit if it needs one.
    fn begin(&mut self, w: usize, pc: Pc, exec: LaneMask, d: &Decoded) -> Option<u16> {
        let tag = self.slab.allocate()?;
        let access = if d.kind == Kind::Memory { self.lsu.reserve_alone(tag, w) } else { None };
        let instr = self.kernel.instr(pc);
        let moment = d.reads_moment.then(|| self.warps[w].moment_of(instr));
        self.slab.enter(tag, (w, pc, exec), d, moment, (None, access));
        self.dependences.executes(w, d.kind);
        Some(tag)
    }

    /// All lanes of a memory instruction are performed, and its requests go through the tags.
    fn access_at_once(
        &mut self,
        w: usize,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
    ) -> Result<(), SmError> {
        let index = self.prepare_access(tag, sources)?;
        let Self { kernel, warps, slab, lsu, memory, .. } = self;
        let origin = origin(kernel, warps, slab.get(tag));
        for number in 0.. {
            if lsu.put(index, number, origin, memory.request_mut()).is_none() {
                break;
            }
            memory.warm();
        }
        slab.await_nothing(tag);
        let lanes = lsu.send_at_once(index);
        if !lanes.is_empty() {
            return self.perform(tag, lanes, &mut ());
        }
        lsu.release_if_over(index);
        slab.access_over(tag);
        self.dependences.performed(w);
        Ok(())
    }
}
