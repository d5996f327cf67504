//! Miss-status holding registers, and the requests that wait in them.

use heddle_port::{MemOutcome, MemRequest, MemResponse, members};

/// Registers.
pub const NUM_MSHRS: usize = 32;
/// Requests that one takes.
pub const NUM_MERGES: usize = 8;

/// The registers; sets of them are bit masks.
#[derive(Debug, Clone)]
pub struct Mshrs {
    valid: u32,
    /// For loads, which others may join.
    fetches: u32,
    /// The line has come back.
    closed: u32,
    line: [u32; NUM_MSHRS],
    last: [u8; NUM_MSHRS],
    waiting: [[MemResponse; NUM_MERGES]; NUM_MSHRS],
}

impl Mshrs {
    /// All free.
    #[must_use]
    pub fn new() -> Self {
        Self {
            valid: 0,
            fetches: 0,
            closed: 0,
            line: [0; NUM_MSHRS],
            last: [0; NUM_MSHRS],
            waiting: [[MemResponse::default(); NUM_MERGES]; NUM_MSHRS],
        }
    }

    /// Registers in use.
    #[inline]
    #[must_use]
    pub fn used(&self) -> u32 {
        self.valid.count_ones()
    }

    /// The first free register.
    #[inline]
    #[must_use]
    pub fn first_free(&self) -> Option<u8> {
        let free = !self.valid;
        (free != 0).then_some(free.trailing_zeros() as u8)
    }

    /// The register of a line that is on its way.
    #[inline]
    #[must_use]
    pub fn pending(&self, line: u32) -> Option<u8> {
        members(self.valid).find(|id| self.line[*id] == line).map(|id| id as u8)
    }

    /// Whether another load can join the register.
    #[inline]
    #[must_use]
    pub fn joinable(&self, id: u8) -> bool {
        let bit = 1 << id;
        self.fetches & bit != 0
            && self.closed & bit == 0
            && usize::from(self.last[usize::from(id)]) < NUM_MERGES - 1
    }

    /// The register of a line that is on its way and has not come back.
    #[inline]
    #[must_use]
    pub fn open(&self, line: u32) -> Option<u8> {
        self.pending(line).filter(|&id| self.closed >> id & 1 == 0)
    }

    /// Takes register `id`, which is free.
    #[inline]
    pub fn allocate(&mut self, id: u8, line: u32, fetches: bool, response: MemResponse) {
        let (bit, id) = (1 << id, usize::from(id));
        self.valid |= bit;
        self.closed &= !bit;
        self.fetches = if fetches { self.fetches | bit } else { self.fetches & !bit };
        self.line[id] = line;
        self.last[id] = 0;
        self.waiting[id][0] = response;
    }

    /// A load joins register `id`.
    #[inline]
    pub fn join(&mut self, id: u8, response: MemResponse) {
        let id = usize::from(id);
        self.last[id] += 1;
        self.waiting[id][usize::from(self.last[id])] = response;
    }

    /// The line of a register has come back; whether it is for loads.
    #[inline]
    pub fn close(&mut self, id: u8) -> bool {
        self.closed |= 1 << id;
        self.fetches >> id & 1 != 0
    }

    /// Line of a register.
    #[inline]
    #[must_use]
    pub fn line(&self, id: u8) -> u32 {
        self.line[usize::from(id)]
    }

    /// The request that waits at `slot` of register `id`, and whether it is the last one.
    #[inline]
    #[must_use]
    pub fn waiting(&self, id: u8, slot: u8) -> (MemResponse, bool) {
        let id = usize::from(id);
        (self.waiting[id][usize::from(slot)], self.last[id] == slot)
    }

    /// All requests of a register have been answered.
    #[inline]
    pub fn release(&mut self, id: u8) {
        self.valid &= !(1 << id);
    }
}

impl Default for Mshrs {
    fn default() -> Self {
        Self::new()
    }
}

/// The response to a request.
#[inline]
#[must_use]
pub fn response(request: &MemRequest, outcome: MemOutcome, store: bool) -> MemResponse {
    let outcome = outcome as u8;
    MemResponse { valid: true, tag: request.tag, mask: request.mask, part: request.part, outcome, store }
}

#[cfg(test)]
mod tests {
    use super::{MemResponse, Mshrs, NUM_MERGES};

    fn waits(tag: u16) -> MemResponse {
        MemResponse { valid: true, tag, ..MemResponse::default() }
    }

    #[test]
    fn loads_of_a_line_share_a_register_and_are_answered_in_order() {
        let mut mshrs = Mshrs::new();
        mshrs.allocate(0, 7, true, waits(1));
        assert_eq!((mshrs.pending(7), mshrs.pending(8)), (Some(0), None));
        for tag in 2..=NUM_MERGES as u16 {
            assert!(mshrs.joinable(0));
            mshrs.join(0, waits(tag));
        }
        assert!(!mshrs.joinable(0), "the register is full");
        assert_eq!(mshrs.open(7), Some(0));
        assert!(mshrs.close(0));
        assert_eq!((mshrs.open(7), mshrs.pending(7)), (None, Some(0)));
        assert_eq!(mshrs.waiting(0, 1), (waits(2), false));
        assert_eq!(mshrs.waiting(0, 7), (waits(8), true));
        mshrs.release(0);
        assert_eq!((mshrs.used(), mshrs.first_free()), (0, Some(0)));
    }

    #[test]
    fn nothing_joins_what_has_come_back_or_goes_past() {
        let mut mshrs = Mshrs::new();
        mshrs.allocate(0, 7, true, waits(1));
        mshrs.close(0);
        assert!(!mshrs.joinable(0));
        mshrs.allocate(1, 9, false, waits(2));
        assert!(!mshrs.joinable(1));
        assert!(!mshrs.close(1));
    }
}
