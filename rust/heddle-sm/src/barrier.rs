//! Barriers of a CTA: they open when all its live warps have arrived.
//!
//! A warp arrives as a whole, whatever lanes are active. It issues the barrier only when all its
//! earlier memory accesses are performed, so that the accesses of the phases are ordered.

use heddle_isa::BarrierKind;
use heddle_port::{Cycle, MemoryPort};

use crate::error::SmError;
use crate::observer::{BarrierEvent, Observer};
use crate::sm::Sm;
use crate::warp::State;

/// Barriers of a CTA.
const BARRIERS: usize = 16;

/// The CTA in a CTA slot.
#[derive(Debug, Clone, Default)]
pub struct Cta {
    pub number: u64,
    /// The slot is in use.
    pub resident: bool,
    /// Warp slots whose warps have not ended.
    pub live: u64,
    /// Warps that have not left the design.
    pub warps_left: u32,
    /// By barrier: warp slots that have arrived.
    arrived: [u64; BARRIERS],
}

impl Cta {
    /// CTA `number` with `warps` warps in the slots `live`.
    pub fn new(number: u64, live: u64, warps: u32) -> Self {
        Self { number, resident: true, live, warps_left: warps, arrived: [0; BARRIERS] }
    }
}

impl<P: MemoryPort> Sm<P> {
    /// The warp in slot `w` arrives at barrier `id`.
    pub(crate) fn arrive<O: Observer>(
        &mut self,
        w: usize,
        kind: BarrierKind,
        id: u8,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let slot = usize::from(self.warps[w].cta_slot);
        let id = id % BARRIERS as u8;
        self.ctas[slot].arrived[usize::from(id)] |= 1 << w;
        if kind == BarrierKind::Sync {
            self.at_barrier |= 1 << w;
            self.warps[w].barrier = id;
        }
        let event = BarrierEvent {
            cycle: Cycle(self.cycle),
            cta: self.warps[w].cta,
            id,
            arrived: Some(self.warps[w].warp_in_cta),
        };
        let result = observer.barrier(&event);
        self.stop(result)?;
        self.open_if_complete(slot, id, observer)
    }

    fn open_if_complete<O: Observer>(
        &mut self,
        slot: usize,
        id: u8,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let cta = &mut self.ctas[slot];
        let arrived = cta.arrived[usize::from(id)];
        if arrived == 0 || arrived & cta.live != cta.live {
            return Ok(());
        }
        cta.arrived[usize::from(id)] = 0;
        let mut waiting = arrived & self.at_barrier;
        while waiting != 0 {
            let w = waiting.trailing_zeros() as usize;
            waiting &= waiting - 1;
            if self.warps[w].barrier == id {
                self.at_barrier &= !(1 << w);
            }
        }
        self.statistics.barriers += 1;
        self.progress();
        let event = BarrierEvent { cycle: Cycle(self.cycle), cta: self.ctas[slot].number, id, arrived: None };
        let result = observer.barrier(&event);
        self.stop(result)
    }

    /// All lanes of the warp in slot `w` have ended.
    pub(crate) fn end_warp<O: Observer>(&mut self, w: usize, observer: &mut O) -> Result<(), SmError> {
        self.states.set(w, State::Exiting);
        self.residency.want_command(w);
        self.fetch_ends(w);
        let slot = usize::from(self.warps[w].cta_slot);
        self.ctas[slot].live &= !(1 << w);
        for id in 0..BARRIERS as u8 {
            self.open_if_complete(slot, id, observer)?;
        }
        Ok(())
    }
}
