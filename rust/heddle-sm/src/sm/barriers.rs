//! Warps arrive at barriers and end, and barriers open.

use heddle_isa::exec::NUM_BARRIERS;
use heddle_isa::{ExecError, Pc};
use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, LaneData, NUM_SOURCES, members};

use super::Sm;
use crate::error::SmError;
use crate::observer::{BarrierEvent, Observer};

impl<P: FirstLevelPort> Sm<P> {
    /// The barrier instruction `tag` is carried out: its warp arrives, and the instruction retires.
    pub(super) fn arrive<O: Observer>(
        &mut self,
        tag: u16,
        sources: &[LaneData; NUM_SOURCES],
        observer: &mut O,
    ) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let (w, pc, exec) = (entry.warp(), entry.pc(), entry.exec());
        self.barriers.release(w);
        self.retire(tag, observer)?;
        if exec.is_empty() {
            return Ok(());
        }
        let refused = |sm: &Self, error: ExecError, pc: Pc| sm.execution(w, pc, error.to_string());
        let warp = &self.warps[w];
        let slot = usize::from(warp.cta_slot());
        let request = warp
            .barrier_request(self.kernel.instr(pc), sources, exec)
            .map_err(|error| refused(self, error, pc))?;
        let event = BarrierEvent {
            cycle: Cycle(self.cycle),
            cta: warp.cta(),
            id: request.id,
            arrived: Some(warp.warp_in_cta()),
        };
        if let Err(fault) = self.barriers.arrive(w, slot, &request, exec) {
            return Err(refused(self, fault.into(), pc));
        }
        let result = observer.barrier(&event);
        self.stop(result)?;
        self.open_if_complete(slot, request.id, observer)
    }

    fn open_if_complete<O: Observer>(
        &mut self,
        slot: usize,
        id: u8,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let cta = &self.residency.ctas()[slot];
        let Some(opened) = self.barriers.open(slot, id, cta.live()) else { return Ok(()) };
        let event = BarrierEvent { cycle: Cycle(self.cycle), cta: cta.number(), id, arrived: None };
        for w in members(opened.warps) {
            self.warps[w].passes_barrier(opened.tally);
        }
        self.counters.barrier_opens();
        self.hang.moves(self.cycle);
        self.watchdog.moved(self.cycle);
        let result = observer.barrier(&event);
        self.stop(result)
    }

    /// If all lanes of the warp in slot `w` have ended, it is to leave, and barriers of its CTA may open.
    pub(super) fn end_warp_if_done<O: Observer>(
        &mut self,
        w: usize,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let warp = &self.warps[w];
        if !warp.flow().is_done() {
            return Ok(());
        }
        let slot = usize::from(warp.cta_slot());
        self.residency.end_warp(w, slot);
        self.fetch.ends(w);
        self.watchdog.moved(self.cycle);
        for id in 0..NUM_BARRIERS as u8 {
            self.open_if_complete(slot, id, observer)?;
        }
        Ok(())
    }
}
