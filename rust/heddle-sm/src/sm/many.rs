//! An SM among others that share L2, DRAM and global memory.

use heddle_mem::FirstLevel;

use super::Sm;

impl Sm<FirstLevel> {
    /// L2 and DRAM are outside, and so is who says which CTAs run here.
    pub(crate) fn become_one_of_many(&mut self) {
        self.memory.detach();
        self.residency.wait_for_ctas();
        self.alone = false;
    }

    /// The design behind the memory port is a cycle model, which answers without data; before the first cycle.
    pub fn hold_no_data(&mut self) {
        self.below = None;
    }

    /// Takes a CTA that is to run here, if it can start in this cycle, as far as slots and registers go.
    pub(crate) fn take_cta(&mut self, cta: u64) -> bool {
        let has_room = self.residency.takes_cta() && self.free_slots().is_some();
        if has_room {
            self.residency.give(cta);
        }
        has_room
    }

    /// No CTA will be given any more.
    pub(crate) fn give_no_more(&mut self) {
        self.residency.give_no_more();
    }
}
