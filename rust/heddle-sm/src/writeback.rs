//! Completion and the result slots.

use heddle_mem::FirstLevelPort;
use std::collections::VecDeque;

use heddle_port::{Cycle, LaneMask, Reg, RegIn, RegOut, ResultWrite, Tag, WarpSlot};

use crate::decode::Kind;
use crate::error::SmError;
use crate::observer::{Observer, ResultEvent};
use crate::sm::Sm;

/// Results that may wait for a result slot before no instruction with a pipeline issues.
const RESULT_QUEUE: usize = 32;

/// Results on their way to the slots, a queue for each sub-core: instruction and number of its destination.
#[derive(Debug, Clone)]
pub struct ResultQueues {
    queues: Vec<VecDeque<(u16, u8)>>,
    waiting: usize,
}

impl ResultQueues {
    /// Empty queues for `sub_cores` sub-cores, at least one.
    pub fn new(sub_cores: usize) -> Self {
        Self { queues: vec![VecDeque::with_capacity(1024); sub_cores.max(1)], waiting: 0 }
    }

    /// No result waits.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.waiting == 0
    }

    /// The sub-core of the warp in slot `warp` takes another instruction: fewer results wait than its share.
    #[inline]
    pub fn has_room(&self, warp: usize) -> bool {
        let sub_cores = self.queues.len();
        self.queues[warp % sub_cores].len() < RESULT_QUEUE / sub_cores
    }

    /// A result of the warp in slot `warp` waits behind the others of its sub-core.
    #[inline]
    pub fn push(&mut self, warp: usize, tag: u16, destination: u8) {
        let sub_core = warp % self.queues.len();
        self.queues[sub_core].push_back((tag, destination));
        self.waiting += 1;
    }

    /// The oldest result that may leave in result slot `slot` of `width`; each sub-core has as many, one behind the
    /// other.
    #[inline]
    fn pop(&mut self, slot: usize, width: usize) -> Option<(u16, u8)> {
        let sub_core = slot * self.queues.len() / width;
        let result = self.queues[sub_core].pop_front()?;
        self.waiting -= 1;
        Some(result)
    }
}

impl<P: FirstLevelPort> Sm<P> {
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
        let d = self.kernel.issued(entry.pc);
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
        (0..destinations).for_each(|k| self.results.push(w, tag, k));
        Ok(())
    }

    /// Gives results to the design, oldest first, one in each slot that is ready. With sub-cores a result leaves in
    /// a slot of its warp's sub-core.
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
            let Some((tag, k)) = self.results.pop(slot, self.widths.result) else { continue };
            let entry = self.slab.get_mut(tag);
            entry.results_left -= 1;
            let last = entry.results_left == 0;
            let (w, pc, mask) = (usize::from(entry.warp), entry.pc, entry.exec);
            let register = self.kernel.issued(pc).destination[usize::from(k)];
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
