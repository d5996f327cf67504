//! Completion and the result slots.

use heddle_mem::FirstLevelPort;
use std::collections::VecDeque;

use heddle_port::{Cycle, LaneMask, Reg, RegIn, RegOut, ResultWrite, Tag, WarpSlot};

use crate::error::SmError;
use crate::observer::{Observer, ResultEvent};
use crate::sm::Sm;

/// Results that may wait for a result slot before no instruction with a pipeline issues.
const RESULT_QUEUE: usize = 32;

/// Results on their way to the slots, a queue for each sub-core: instruction and number of its destination.
#[derive(Debug, Clone)]
pub struct WriteBack {
    queues: Vec<VecDeque<(u16, u8)>>,
    waiting: usize,
    /// Result slots of the design.
    slots: usize,
}

impl WriteBack {
    /// Empty queues for `sub_cores` sub-cores, at least one, and the result slots of the design.
    pub fn new(sub_cores: usize, slots: usize) -> Self {
        Self { queues: vec![VecDeque::with_capacity(1024); sub_cores.max(1)], waiting: 0, slots }
    }

    /// Result slots of the design.
    #[inline]
    pub fn slots(&self) -> usize {
        self.slots
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

    /// The results of an instruction of the warp in slot `warp`, for as many destinations, wait behind the
    /// others of their sub-core.
    #[inline]
    pub fn push(&mut self, warp: usize, tag: u16, destinations: u8) {
        let sub_core = warp % self.queues.len();
        self.queues[sub_core].extend((0..destinations).map(|destination| (tag, destination)));
        self.waiting += usize::from(destinations);
    }

    /// The oldest result that may leave in result slot `slot`, a slot of its warp's sub-core; each sub-core
    /// has as many, one behind the other.
    #[inline]
    pub fn pop(&mut self, slot: usize) -> Option<(u16, u8)> {
        let sub_core = slot * self.queues.len() / self.slots;
        let result = self.queues[sub_core].pop_front()?;
        self.waiting -= 1;
        Some(result)
    }
}

impl<P: FirstLevelPort> Sm<P> {
    /// Instructions whose latency has passed.
    pub(crate) fn completion_stage<O: Observer>(&mut self, observer: &mut O) -> Result<(), SmError> {
        while let Some(tag) = self.units.completed(self.cycle) {
            self.complete(tag, observer)?;
        }
        Ok(())
    }

    /// An instruction has left its pipeline or memory: its predicates are there, its registers go to
    /// the result slots.
    pub(crate) fn complete<O: Observer>(&mut self, tag: u16, observer: &mut O) -> Result<(), SmError> {
        let entry = self.slab.get(tag);
        let w = usize::from(entry.warp);
        let d = self.kernel.issued(entry.pc);
        let destinations = d.destinations;
        self.dependences.completed(w, d);
        self.progress();
        if destinations == 0 {
            return self.retire(tag, observer);
        }
        self.write_back.push(w, tag, destinations);
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
        if self.write_back.is_empty() {
            return Ok(());
        }
        for slot in 0..self.write_back.slots() {
            if !out.result_ready[slot] {
                continue;
            }
            let Some((tag, k)) = self.write_back.pop(slot) else { continue };
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
            self.dependences.written(w, register);
            self.counters.result(self.cycle, w, register);
            self.progress();
            if last {
                self.retire(tag, observer)?;
            }
        }
        Ok(())
    }
}
