//! Lanes take their place in the memory order.

use heddle_isa::{Op, Pc};
use heddle_mem::{FirstLevelPort, LaneOffsets};
use heddle_port::{Cycle, LaneMask, Tag, WarpSlot};

use super::Sm;
use crate::contents::{Owner, Refused, Where, place_of};
use crate::error::SmError;
use crate::lsu::{Wrong, kind_of};
use crate::observer::{Observer, PerformedEvent};

impl<P: FirstLevelPort> Sm<P> {
    /// Lanes that are performed in this cycle. Here alone an SM uses global memory.
    #[inline]
    pub(crate) fn access<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        self.follow_lines(observer)?;
        let performed = self.memory.out().performed;
        if !performed.valid {
            return Ok(());
        }
        self.perform(performed.tag, LaneMask(performed.mask), observer)
    }

    /// What the last clock edge did to the lines that the L1 holds.
    #[inline]
    pub(super) fn follow_lines<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        if self.contents.has_view() { self.follow_view(observer) } else { Ok(()) }
    }

    /// The same, where what the L1 holds is followed.
    #[inline(never)]
    fn follow_view<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let Some(events) = self.memory.line_events().filter(|events| !events.is_empty()) else {
            return Ok(());
        };
        self.contents.follow(events);
        let result = observer.lines(Cycle(self.cycle), events);
        self.stop(result)
    }

    /// Lanes `mask` of instruction `tag` take their place in the memory order.
    #[inline(never)]
    pub(super) fn perform<O: Observer>(
        &mut self,
        tag: u16,
        mask: LaneMask,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let Some(index) = self.slab.get(tag).access() else {
            return Err(self.protocol(tag, format!("memory performed T{tag}, which has no access under way")));
        };
        let lanes = match self.lsu.perform(index, mask) {
            Ok(lanes) => lanes,
            Err(Wrong::Twice(LaneMask(again))) => {
                return Err(
                    self.protocol(tag, format!("memory performed lanes {again:#010x} of T{tag} twice"))
                );
            }
            Err(Wrong::TooOften) => {
                return Err(self.protocol(tag, format!("memory performed T{tag} once too often")));
            }
        };
        if !lanes.is_empty() {
            self.read_and_write(tag, index, lanes, observer)?;
        }
        if self.lsu.release_if_over(index) {
            self.slab.access_over(tag);
        }
        self.hang.moves(self.cycle);
        Ok(())
    }

    /// The lanes read and write memory.
    fn read_and_write<O: Observer>(
        &mut self,
        tag: u16,
        index: u8,
        lanes: LaneMask,
        observer: &mut O,
    ) -> Result<(), SmError> {
        let entry = self.slab.get_mut(tag);
        let (w, pc) = (entry.warp(), entry.pc());
        let op = &self.kernel.instr(pc).op;
        let warp = &self.warps[w];
        let access = self.lsu.lanes(index);
        let owner = Owner { cta_slot: usize::from(warp.cta_slot()), w };
        let (watched, values) = (self.watchdog.is_watching(), &mut entry.out_mut().values);
        let changed = match self.contents.perform((tag, op), access, lanes, owner, values, watched) {
            Ok(changed) => changed,
            Err(refused) => return Err(self.refused((tag, index), w, pc, refused)),
        };
        if changed {
            self.watchdog.changed(self.cycle);
        } else if let Some(lane) = (lanes & !access.spaces.local).lanes().next()
            && !matches!(op, Op::St { .. })
        {
            self.watchdog.reads(w, access.addresses[lane]);
        }
        let (kind, bytes) = (kind_of(op), 1 << access.size_log2(op));
        let shared = lanes & access.spaces.shared;
        if !shared.is_empty() {
            let offsets = LaneOffsets { lanes: shared, offsets: &access.addresses, bytes };
            self.counters.shared_performed(warp.cta_slot(), self.cycle, kind, offsets);
        }
        let event = PerformedEvent {
            cycle: Cycle(self.cycle),
            tag: Tag(tag),
            cta: warp.cta(),
            warp_in_cta: warp.warp_in_cta(),
            slot: WarpSlot(w as u8),
            pc,
            lanes,
            shared,
            local: lanes & access.spaces.local,
            kind,
            bytes,
            addresses: &access.addresses,
            texels: access.texels.as_deref(),
            stored_elements: if matches!(op, Op::St { .. }) { access.elements } else { 0 },
            stored: &access.stored,
            loaded: &entry.out().values,
        };
        let result = observer.performed(&event);
        self.stop(result)?;
        if self.contents.has_traffic() {
            let kept = self.memory.line_events().is_some_and(|events| events.kept);
            self.contents.expect_traffic(op, access, lanes, kept);
        }
        if self.lsu.is_performed(index) {
            self.dependences.performed(w);
        }
        Ok(())
    }

    #[cold]
    fn refused(&self, (tag, index): (u16, u8), w: usize, pc: Pc, refused: Refused) -> SmError {
        let (lane, error) = match refused {
            Refused::NotHeld(address) => {
                let what = format!(
                    "T{tag} is answered {address:#x} by Heddle's L1, which does not hold it: not the kernel's fault"
                );
                return self.protocol(tag, what);
            }
            Refused::Access(lane, error) => (lane, error),
        };
        let space = match place_of(self.lsu.lanes(index), lane) {
            Where::Global => "global",
            Where::Shared => "shared",
            Where::Local => "local",
        };
        let tid = &self.warps[w].context().tid;
        let thread = [tid[0][lane], tid[1][lane], tid[2][lane]];
        SmError::Access { cycle: self.cycle, place: self.place(w, pc), thread, space, error }
    }
}
