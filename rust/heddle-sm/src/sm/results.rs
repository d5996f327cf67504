//! Completion and the result slots.

use heddle_mem::FirstLevelPort;
use heddle_port::{Cycle, Reg, RegIn, RegOut, ResultWrite, Tag, WarpSlot};

use super::Sm;
use crate::error::SmError;
use crate::observer::{Observer, ResultEvent};

impl<P: FirstLevelPort> Sm<P> {
    /// Instructions whose latency has passed.
    pub(super) fn complete_units<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        self.units.step(self.cycle);
        while let Some(tag) = self.units.completed(self.cycle) {
            self.complete(tag, observer)?;
        }
        Ok(())
    }

    /// An instruction has left its pipeline or memory: its predicates are there, its registers go to
    /// the result slots.
    pub(super) fn complete<O: Observer>(&mut self, tag: u16, observer: &mut O) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let w = entry.warp();
        let d = self.kernel.issued(entry.pc());
        self.dependences.completed(w, d);
        self.hang.moves(self.cycle);
        if d.destinations == 0 {
            return self.retire(tag, observer);
        }
        self.write_back.push(w, tag, d.destinations);
        Ok(())
    }

    /// Gives results to the design, oldest first, one in each slot that is ready. With sub-cores a result
    /// leaves in a slot of its warp's sub-core.
    #[inline]
    pub(super) fn write_back<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        if self.write_back.is_empty() { Ok(()) } else { self.give_results(out, input, observer) }
    }

    /// The same, where there is a result.
    #[inline(never)]
    fn give_results<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        for slot in 0..self.write_back.slots() {
            if !out.result_ready[slot] {
                continue;
            }
            let Some((tag, k)) = self.write_back.pop(slot) else { continue };
            let last = self.slab.give_result(tag);
            let entry = self.slab.get(tag);
            let (w, pc, mask) = (entry.warp(), entry.pc(), entry.exec());
            let register = self.kernel.issued(pc).destination[usize::from(k)];
            let data = &entry.out().values[usize::from(k)];
            let write = ResultWrite { valid: true, tag, warp: w as u8, register, mask: mask.0, last };
            input.result[slot] = write;
            input.result_data[slot] = *data;
            let event = ResultEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                slot: WarpSlot(w as u8),
                pc,
                register: Reg(u32::from(register)),
                destination: usize::from(k),
                mask,
                data,
                last,
            };
            let result = observer.results(&event);
            self.stop(result)?;
            self.dependences.written(w, register);
            self.counters.result(self.cycle, w, register);
            self.hang.moves(self.cycle);
            if last {
                self.retire(tag, observer)?;
            }
        }
        Ok(())
    }
}
