//! The CTA in a CTA slot.

/// A CTA, from its start until nothing holds anything of it.
#[derive(Debug, Clone, Default)]
pub struct Cta {
    number: u64,
    /// The slot is in use.
    resident: bool,
    /// Warp slots whose warps have not ended.
    live: u64,
    /// Warps that have not left the design.
    warps_left: u32,
}

impl Cta {
    /// CTA `number` with `warps` warps in the slots `live`.
    pub fn new(number: u64, live: u64, warps: u32) -> Self {
        Self { number, resident: true, live, warps_left: warps }
    }

    /// Its number in the grid.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// The slot is in use.
    pub fn is_resident(&self) -> bool {
        self.resident
    }

    /// Warp slots whose warps have not ended; none where the slot is free.
    pub fn live(&self) -> u64 {
        self.live
    }

    /// The warp in slot `w` has ended.
    pub(super) fn end_warp(&mut self, w: usize) {
        self.live &= !(1 << w);
    }

    /// A warp has left the design. The CTA's number, if it was the last one; the slot stays in use if it is
    /// to be kept.
    pub(super) fn free_warp(&mut self, keep: bool) -> Option<u64> {
        self.warps_left -= 1;
        if self.warps_left > 0 {
            return None;
        }
        self.resident = keep;
        Some(self.number)
    }

    /// The slot is free.
    pub(super) fn free(&mut self) {
        self.resident = false;
    }
}
