//! Fetch: ideal instruction memory, one warp a cycle, into a small buffer for each warp.
//!
//! A control instruction keeps its warp from issuing for the control latency; one that changes the flow
//! of instructions (also a reconvergence) empties the buffer.

use heddle_port::MemoryPort;

use crate::scheduler::rotating_pick;
use crate::sm::Sm;

impl<P: MemoryPort> Sm<P> {
    /// Refills the buffer of one warp and ends control instructions.
    pub(crate) fn fetch_stage(&mut self) {
        let mut rest = self.resuming;
        while rest != 0 {
            let w = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            if self.warps[w].resume <= self.cycle {
                self.resuming &= !(1 << w);
                if self.warps[w].buffered > 0 {
                    self.fetched |= 1 << w;
                }
            }
        }
        if let Some(w) = rotating_pick(self.refill & !self.resuming, self.fetch_pointer) {
            self.fetch_pointer = w as u32 + 1;
            let warp = &mut self.warps[w];
            let capacity = self.preset.sm.instruction_buffer;
            warp.buffered = (warp.buffered + self.preset.sm.fetch_width).min(capacity);
            self.fetched |= 1 << w;
            if warp.buffered == capacity {
                self.refill &= !(1 << w);
            }
        }
    }

    /// The warp issued an instruction; `redirected`: the next one does not follow it in program order.
    #[inline]
    pub(crate) fn consume(&mut self, w: usize, control: bool, redirected: bool) {
        let warp = &mut self.warps[w];
        warp.buffered -= 1;
        if redirected {
            warp.buffered = 0;
        }
        self.refill |= 1 << w;
        if control {
            warp.resume = self.cycle + u64::from(self.preset.pipeline.control_latency);
            self.resuming |= 1 << w;
        }
        if control || warp.buffered == 0 {
            self.fetched &= !(1 << w);
        }
    }

    /// A warp begins with an empty buffer.
    pub(crate) fn fetch_begins(&mut self, w: usize) {
        self.warps[w].buffered = 0;
        self.refill |= 1 << w;
        self.fetched &= !(1 << w);
        self.resuming &= !(1 << w);
    }

    /// A warp has no instructions left.
    pub(crate) fn fetch_ends(&mut self, w: usize) {
        self.refill &= !(1 << w);
        self.fetched &= !(1 << w);
        self.resuming &= !(1 << w);
    }
}
