//! Requests without time.

use heddle_port::memory::{MemLowerRequest, MemRequest};

use super::L1;
use crate::{lower, space};

impl L1 {
    /// Does to the tags what `request` does when it is looked up and answered at once; the L1 is idle before and after.
    /// `below` gets what goes to L2, in order. Shared memory has no tags.
    pub(crate) fn warm(&mut self, request: &MemRequest, mut below: impl FnMut(&MemLowerRequest)) {
        if request.space == space::SHARED {
            return;
        }
        self.lines.begin();
        if self.invalidates {
            self.drop_global_lines();
        }
        self.input = *request;
        self.look_up_cached();
        self.input.valid = false;
        while let Some(request) = self.lower.pop_front() {
            below(&request);
            if lower::is_answered(&request) {
                self.answered(request.id);
            }
        }
        self.fills.clear();
        self.hits.clear();
        self.stores.clear();
    }
}
