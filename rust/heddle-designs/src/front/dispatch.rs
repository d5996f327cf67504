//! The operand output registers.

use super::collectors::{Collectors, NUM_COLLECTORS};
use super::sub_cores::SubCores;
use crate::common::Rotating;
use heddle_port::{MAX_PORT_WIDTH, Operands};

/// Takes complete instructions from their collectors, rotating over the collectors of a sub-core.
#[derive(Debug, Clone, Default)]
pub struct Dispatch {
    slots: [Operands; MAX_PORT_WIDTH],
    arbiters: [Rotating; MAX_PORT_WIDTH],
    /// An instruction is in one of the registers.
    occupied: bool,
}

/// What dispatch did in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct DispatchCycle {
    /// Collectors emptied.
    pub dispatched: u32,
    /// Slots that held an instruction which was not taken.
    pub stalled: u32,
}

impl DispatchCycle {
    /// Whether an instruction was taken out of a collector, or one stood in a slot.
    #[inline]
    #[must_use]
    pub fn moves(self) -> bool {
        self.dispatched | self.stalled != 0
    }
}

impl Dispatch {
    /// The output registers.
    #[inline]
    #[must_use]
    pub fn slots(&self) -> &[Operands; MAX_PORT_WIDTH] {
        &self.slots
    }

    /// One cycle: every slot below `width` that is empty or taken gets the next complete collector of its sub-core.
    #[inline]
    pub fn step(
        &mut self,
        collectors: &impl Collectors,
        ready: &[bool; MAX_PORT_WIDTH],
        width: usize,
        sub_cores: SubCores,
    ) -> DispatchCycle {
        let complete = collectors.complete();
        let mut cycle = DispatchCycle::default();
        if complete == 0 && !self.occupied {
            return cycle;
        }
        for (slot, &ready) in ready.iter().enumerate().take(width) {
            if self.slots[slot].valid && !ready {
                cycle.stalled |= 1 << slot;
                continue;
            }
            let sub_core = sub_cores.owner(slot, width);
            let rest = complete & !cycle.dispatched & sub_cores.set(sub_core, NUM_COLLECTORS);
            self.slots[slot] = match self.arbiters[sub_core].grant(rest) {
                Some(collector) => {
                    cycle.dispatched |= 1 << collector;
                    Operands { valid: true, tag: collectors.tag(collector as usize) }
                }
                None => Operands::default(),
            };
        }
        self.occupied = cycle.moves();
        cycle
    }
}
