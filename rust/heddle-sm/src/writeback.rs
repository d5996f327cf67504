//! Completion and the result slots.

use heddle_port::{Cycle, LaneMask, MemoryPort, Reg, RegIn, RegOut, ResultWrite, Tag, WarpSlot};

use crate::decode::Kind;
use crate::error::SmError;
use crate::observer::{Observer, ResultEvent};
use crate::sm::Sm;

impl<P: MemoryPort> Sm<P> {
    /// Instructions whose latency has passed.
    pub(crate) fn completion_stage<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        let mut completing = std::mem::take(&mut self.completing);
        self.wheel.take(self.cycle, &mut completing);
        for &tag in &completing {
            self.complete(tag, observer)?;
        }
        completing.clear();
        self.completing = completing;
        Ok(())
    }

    /// An instruction has left its pipeline or memory: its predicates are there, its registers go to
    /// the result slots.
    pub(crate) fn complete<O: Observer>(&mut self, tag: u16, observer: &mut O) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let w = usize::from(entry.warp);
        let d = &self.decoded[entry.pc.index()];
        let destinations = d.destinations;
        if d.kind == Kind::Memory {
            self.warps[w].memory_outstanding -= 1;
        } else {
            self.warps[w].board.predicates_written(&d.footprint);
        }
        self.wake(w);
        self.progress();
        if destinations == 0 {
            return self.retire(tag, observer);
        }
        self.results.extend((0..destinations).map(|k| (tag, k)));
        Ok(())
    }

    /// Gives results to the design, oldest first, one in each slot that is ready.
    pub(crate) fn result_stage<O: Observer>(
        &mut self,
        out: &RegOut,
        input: &mut RegIn,
        observer: &mut O,
    ) -> Result<(), SmError> {
        if self.results.is_empty() {
            return Ok(());
        }
        for slot in 0..self.widths.result {
            if !out.result_ready[slot] {
                continue;
            }
            let Some((tag, k)) = self.results.pop_front() else { break };
            let entry = self.slab.get_mut(tag);
            entry.results_left -= 1;
            let last = entry.results_left == 0;
            let (w, pc, mask) = (usize::from(entry.warp), entry.pc, entry.exec);
            let register = self.decoded[pc.index()].destination[usize::from(k)];
            let data = &entry.out.values[usize::from(k)];
            input.result[slot] = ResultWrite { valid: true, tag, warp: w as u8, register, mask, last };
            input.result_data[slot] = *data;
            let event = ResultEvent {
                cycle: Cycle(self.cycle),
                tag: Tag(tag),
                slot: WarpSlot(w as u8),
                pc,
                register: Reg(u32::from(register)),
                destination: usize::from(k),
                mask: LaneMask(mask),
                data,
                last,
            };
            let result = observer.results(&event);
            self.stop(result)?;
            self.warps[w].board.written(usize::from(register));
            self.statistics.results_written += 1;
            self.data_use.result(self.cycle, w as u8, register);
            self.wake(w);
            self.progress();
            if last {
                self.retire(tag, observer)?;
            }
        }
        Ok(())
    }
}
