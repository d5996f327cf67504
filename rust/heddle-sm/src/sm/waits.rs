//! What resident warps wait for.

use heddle_isa::Pc;
use heddle_mem::FirstLevelPort;
use heddle_port::{Reg, WarpSlot};

use super::Sm;
use crate::error::{Wait, WarpWait};
use crate::residency::State;
use crate::scoreboard::Hazard;

/// Where a warp is in its program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stand {
    /// CTA number.
    pub cta: u64,
    /// Its next instruction; none where it has ended.
    pub pc: Option<Pc>,
}

impl<P: FirstLevelPort> Sm<P> {
    /// Where the warp in a slot stands, if one is resident there.
    #[inline]
    #[must_use]
    pub fn stand(&self, slot: WarpSlot) -> Option<Stand> {
        let w = slot.index();
        let warp = self.warps.get(w).filter(|_| self.residency.resident() >> w & 1 != 0)?;
        Some(Stand { cta: warp.cta(), pc: warp.stands_at() })
    }

    /// What every resident warp waits for.
    #[must_use]
    pub fn waits(&self) -> Vec<WarpWait> {
        let resident = self.residency.resident();
        (0..self.warps.len()).filter(|w| resident >> w & 1 != 0).map(|w| self.wait_of(w)).collect()
    }

    fn wait_of(&self, w: usize) -> WarpWait {
        let warp = &self.warps[w];
        let slot = WarpSlot(w as u8);
        let pc = self.stand(slot).and_then(|stand| stand.pc);
        let sent = !self.residency.wants_command(w);
        let collecting = self.dependences.is_collecting(w);
        let operands = || Wait::Operands(self.slab.collecting(w));
        let command = |name| if sent || !collecting { Wait::Command(name) } else { operands() };
        let wait = match self.residency.state(w) {
            State::Base => Wait::Command("warp base"),
            State::Activating => Wait::Command("activate"),
            State::Prefetching => command("prefetch"),
            State::Deactivating => command("deactivate"),
            State::Exiting if sent => Wait::Command("exit"),
            State::Exiting if collecting => operands(),
            State::Exiting => Wait::Drain,
            State::Storing => Wait::Stores,
            State::Empty | State::Inactive | State::Active => self.wait_of_next(w),
        };
        let place = pc.map(|pc| self.place(w, pc));
        let (location, source) = place.map(|p| (p.location, p.source)).unwrap_or_default();
        WarpWait { slot, cta: warp.cta(), warp_in_cta: warp.warp_in_cta(), pc, location, source, wait }
    }

    fn wait_of_next(&self, w: usize) -> Wait {
        let bit = 1u64 << w;
        if let Some(address) = self.watchdog.polled(w) {
            return Wait::Change(address);
        }
        if self.barriers.waiting() & bit != 0 {
            return match self.barriers.of(w) {
                Some(id) => Wait::Barrier(id),
                None => Wait::Operands(self.slab.collecting(w)),
            };
        }
        let Some(d) = self.kernel.next(self.warps[w].pc()) else { return Wait::Nothing };
        match self.dependences.hazard(w, &d.footprint) {
            Some(Hazard::Load(r)) => return Wait::Load(Reg(r as u32)),
            Some(Hazard::Register(_)) if self.dependences.is_collecting(w) => {
                return Wait::Operands(self.slab.collecting(w));
            }
            Some(Hazard::Register(r)) => return Wait::Register(Reg(r as u32)),
            Some(Hazard::Predicate(p)) => return Wait::Predicate(p as u16),
            None => {}
        }
        if self.dependences.blocked() & bit != 0 {
            Wait::Memory
        } else if self.residency.state(w) == State::Inactive {
            Wait::Activation
        } else if self.fetch.ready() & bit == 0 {
            Wait::Fetch
        } else if d.through_port {
            Wait::Port
        } else {
            Wait::Nothing
        }
    }
}
