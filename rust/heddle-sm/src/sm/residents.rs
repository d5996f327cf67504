//! CTAs start, warps become active and leave, and the design is told.

use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, RegIn, RegOut, members};

use super::Sm;
use crate::error::SmError;
use crate::observer::{CtaEvent, Observer};
use crate::residency::{Answer, Resident};

impl<P: FirstLevelPort> Sm<P> {
    /// The design has carried out a command.
    pub(super) fn take_answer<O: Observer>(&mut self, out: &RegOut, observer: &mut O) -> Result<(), SmError> {
        if !out.done.valid {
            return Ok(());
        }
        let w = usize::from(out.done.warp);
        let result = observer.done(Cycle(self.cycle), &out.done);
        self.stop(result)?;
        self.hang.moves(self.cycle);
        match self.residency.answer(&out.done, self.cycle, &mut self.counters) {
            Answer::Taken => Ok(()),
            Answer::Left if self.preset.sm.stores_hold_slot => {
                self.residency.await_stores(w, self.memory.stores_performed());
                Ok(())
            }
            Answer::Left => self.free_warp(w, observer),
            Answer::Wrong(state) => {
                let what = format!("done of command {} for W{w}, whose state is {state:?}", out.done.op);
                Err(self.protocol_of_warp(w, self.warps[w].stands_at(), what))
            }
        }
    }

    /// Slots become free whose warps have left and whose stores L2 has.
    #[inline]
    pub(super) fn free_stored<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        while let Some(w) = self.residency.stored(self.memory.stores_at_l2()) {
            self.hang.moves(self.cycle);
            self.free_warp(w, observer)?;
        }
        Ok(())
    }

    /// A CTA starts, if one can.
    pub(super) fn start_cta<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let recorded = self.kernel.is_recorded();
        let Some(cta) = self.residency.start_cta(self.cycle, recorded) else { return Ok(()) };
        for (warp_in_cta, w) in (0..).zip(members(cta.warps)) {
            let record = cta.record.as_ref().and_then(|r| r.warps.get(warp_in_cta as usize));
            self.warps[w].start(&self.kernel, (cta.number, cta.slot), warp_in_cta, record);
            self.dependences.start(w);
            self.barriers.start_warp(w);
            self.fetch.begins(w);
            self.schedulers.started(w);
            self.contents.start_warp(w);
            self.counters.warp_starts(w);
        }
        self.barriers.start_cta(cta.slot, cta.warps.count_ones());
        self.contents.start_cta(cta.slot);
        self.progress.changed(self.residency.ctas());
        let shared_bytes = self.kernel.occupancy().shared_bytes;
        self.counters.cta_starts(cta.slot, cta.number, self.cycle, shared_bytes);
        self.hang.moves(self.cycle);
        self.watchdog.moved(self.cycle);
        let event = CtaEvent { cycle: Cycle(self.cycle), cta: cta.number, cta_slot: cta.slot as u8 };
        let result = observer.cta_started(&event);
        self.stop(result)
    }

    /// Warps become active and inactive.
    pub(super) fn activate(&mut self) {
        let resident = Resident {
            cycle: self.cycle,
            kernel: &self.kernel,
            warps: &self.warps,
            dependences: &mut self.dependences,
            at_barrier: self.barriers.waiting(),
        };
        self.residency.activate(resident, &mut self.counters);
    }

    /// Sends one command, if the design takes one.
    pub(super) fn command<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        if !out.command_ready || !self.residency.wants_any_command() {
            return Ok(());
        }
        let Self { residency, kernel, dependences, counters, cycle, .. } = self;
        let Some(command) = residency.command(*cycle, kernel, dependences, counters) else { return Ok(()) };
        input.command = command;
        self.hang.moves(self.cycle);
        let result = observer.command(Cycle(self.cycle), &input.command);
        self.stop(result)
    }

    /// Nothing of a warp is left.
    fn free_warp<O: Observer>(&mut self, w: usize, observer: &mut O) -> Result<(), SmError> {
        let slot = usize::from(self.warps[w].cta_slot());
        let off_chip = self.contents.held().shared && self.kernel.occupancy().shared_bytes > 0;
        self.counters.warp_ends(w);
        self.schedulers.ended(w);
        let Some(number) = self.residency.free_warp(w, slot, off_chip) else { return Ok(()) };
        if off_chip {
            self.releases.push(slot);
        }
        self.progress.changed(self.residency.ctas());
        self.counters.cta_ends(slot, self.cycle);
        let event = CtaEvent { cycle: Cycle(self.cycle), cta: number, cta_slot: slot as u8 };
        let result = observer.cta_finished(&event);
        self.stop(result)
    }
}
