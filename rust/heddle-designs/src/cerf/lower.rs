//! Requests on their way to L2, in order.

use std::collections::VecDeque;

use heddle_port::{LINE_BYTES, LowerKind, MemLowerRequest};

/// Requests that wait.
pub const LOWER_ENTRIES: usize = 8;
/// Cycles from the tagging stage to the end of the cycle in which the line of a write-back is read.
const READ_CYCLES: u64 = 3;

/// The queue.
#[derive(Debug, Clone, Default)]
pub struct LowerQueue {
    /// Each with the cycle from which it can be offered.
    queue: VecDeque<(u64, MemLowerRequest)>,
}

impl LowerQueue {
    /// Nothing waits.
    #[must_use]
    pub fn new() -> Self {
        Self { queue: VecDeque::with_capacity(LOWER_ENTRIES) }
    }

    /// Requests in it.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.queue.len()
    }

    /// Whether nothing waits.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Another one can be put in.
    #[inline]
    #[must_use]
    pub fn has_room(&self) -> bool {
        self.queue.len() < LOWER_ENTRIES
    }

    /// Puts a request of cycle `cycle` in.
    #[inline]
    pub fn push(
        &mut self,
        cycle: u64,
        kind: LowerKind,
        id: u8,
        line: u32,
        byte_mask: [u32; LINE_BYTES / 32],
    ) {
        let ready = cycle + if kind == LowerKind::WriteBack { READ_CYCLES } else { 1 };
        let line = line.wrapping_mul(LINE_BYTES as u32);
        let id = id.into();
        self.queue.push_back((ready, MemLowerRequest { valid: true, kind: kind as u8, id, line, byte_mask }));
    }

    /// The request that is offered in `cycle`.
    #[inline]
    #[must_use]
    pub fn offered(&self, cycle: u64) -> MemLowerRequest {
        match self.queue.front() {
            Some((ready, request)) if *ready <= cycle => *request,
            _ => MemLowerRequest::default(),
        }
    }

    /// L2 has taken the request that was offered.
    #[inline]
    pub fn pop(&mut self) {
        self.queue.pop_front();
    }
}

#[cfg(test)]
mod tests {
    use super::{LowerKind, LowerQueue};

    #[test]
    fn a_write_back_waits_for_its_line_and_keeps_its_place() {
        let mut queue = LowerQueue::new();
        queue.push(10, LowerKind::WriteBack, 0, 1, [u32::MAX; 4]);
        queue.push(11, LowerKind::Fill, 3, 2, [u32::MAX; 4]);
        assert!(!queue.offered(12).valid);
        let first = queue.offered(13);
        assert_eq!((first.valid, first.line, first.kind), (true, 128, LowerKind::WriteBack as u8));
        queue.pop();
        assert_eq!(queue.offered(13).id, 3);
    }
}
