//! An SM among others that share L2, DRAM and global memory.

use heddle_config::Preset;
use heddle_isa::{DeviceMemory, KernelLaunch};
use heddle_mem::{FirstLevel, Lower, Offer};
use heddle_port::LineEvents;

use super::Sm;

impl Sm<FirstLevel> {
    /// L2 and DRAM are outside, and so are who says which CTAs run here, and global memory, which is
    /// returned.
    pub(crate) fn become_one_of_many(&mut self) -> DeviceMemory {
        let mut global = DeviceMemory::default();
        self.contents.swap_global(&mut global);
        self.memory.detach();
        self.residency.wait_for_ctas();
        self.alone = false;
        self.contents.become_one_of_many(self.kernel.is_recorded());
        global
    }

    pub(crate) fn preset(&self) -> &Preset {
        &self.preset
    }

    pub(crate) fn launch(&self) -> &KernelLaunch {
        self.kernel.launch()
    }

    /// The design behind the memory port is a cycle model, which answers without data; before the first cycle.
    pub fn hold_no_data(&mut self) {
        self.contents.hold_no_data();
    }

    /// What the clock edge did to the lines of global memory that the design holds, as its cycle model tells.
    #[inline]
    pub fn design_lines(&mut self, events: &LineEvents) {
        if self.contents.has_view() {
            self.memory.design_lines(events);
        }
    }

    /// What the SM offers to L2.
    pub(crate) fn offered(&self) -> &Offer {
        self.memory.offered()
    }

    /// What the networks bring SM `number` in this cycle.
    pub(crate) fn share(&mut self, lower: &Lower, number: usize) {
        self.memory.share(lower, number);
    }

    /// Another SM moves in this one's place: it does not hang.
    pub(crate) fn wait_its_turn(&mut self) {
        self.hang.moves(self.cycle);
    }

    /// Global memory comes, or goes where it stands while others use it.
    pub(crate) fn swap_global(&mut self, global: &mut DeviceMemory) {
        self.contents.swap_global(global);
    }

    /// Whether a CTA could start in this cycle, as far as slots and registers go.
    pub(crate) fn has_room(&self) -> bool {
        self.residency.has_room()
    }

    /// Takes a CTA that is to run here, for which there is room.
    pub(crate) fn take_cta(&mut self, cta: u64) {
        self.residency.give(cta);
    }

    /// Whether lanes are performed in global memory in this cycle, or the L1 takes a line of it.
    pub(crate) fn accesses_global(&self) -> bool {
        let performed = self.memory.out().performed;
        let global = |index| performed.mask & self.lsu.lanes(index).spaces.global.0 != 0;
        // What the L1 takes is read from global memory, with an access that is performed or not.
        let takes = self.memory.line_events().is_some_and(|events| events.taken.is_some());
        takes || performed.valid && self.slab.get(performed.tag).access().is_some_and(global)
    }

    /// No CTA will be given any more.
    pub(crate) fn give_no_more(&mut self) {
        self.residency.give_no_more();
    }
}
