//! An SM among others that share L2, DRAM and global memory.

use heddle_isa::DeviceMemory;
use heddle_mem::FirstLevel;
use heddle_port::LineEvents;

use super::Sm;
use crate::below::Below;

impl Sm<FirstLevel> {
    /// L2 and DRAM are outside, and so is who says which CTAs run here.
    pub(crate) fn become_one_of_many(&mut self) {
        self.memory.detach();
        self.residency.wait_for_ctas();
        self.alone = false;
        self.l1_view = (!self.kernel.is_recorded()).then(Box::default);
        if self.held.cached && self.below.is_some() {
            self.below = Some(Box::new(Below::new(DeviceMemory::new())));
            self.traffic = Some(Box::default());
        }
    }

    /// The design behind the memory port is a cycle model, which answers without data; before the first cycle.
    pub fn hold_no_data(&mut self) {
        self.below = None;
        self.traffic = None;
    }

    /// What the clock edge did to the lines of global memory that the design holds, as its cycle model tells.
    #[inline]
    pub fn design_lines(&mut self, events: &LineEvents) {
        if self.l1_view.is_some() {
            self.memory.design_lines(events);
        }
    }

    /// Whether a CTA could start in this cycle, as far as slots and registers go.
    pub(crate) fn has_room(&self) -> bool {
        self.residency.takes_cta() && self.free_slots().is_some()
    }

    /// Takes a CTA that is to run here, for which there is room.
    pub(crate) fn take_cta(&mut self, cta: u64) {
        self.residency.give(cta);
    }

    /// Whether lanes are performed in global memory in this cycle, or the L1 takes a line of it.
    pub(crate) fn accesses_global(&self) -> bool {
        let performed = self.memory.out().performed;
        let accesses = |index: u8| &self.lsu.accesses[usize::from(index)];
        let global = |index| performed.mask & accesses(index).spaces.global.0 != 0;
        // What the L1 takes is read from global memory, with an access that is performed or not.
        let takes = self.memory.line_events().is_some_and(|events| events.taken.is_some());
        takes || performed.valid && self.slab.get(performed.tag).access.is_some_and(global)
    }

    /// No CTA will be given any more.
    pub(crate) fn give_no_more(&mut self) {
        self.residency.give_no_more();
    }
}
