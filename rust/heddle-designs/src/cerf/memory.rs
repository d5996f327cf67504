//! Loads and stores: which operation the oldest request is, and when it is looked up.

use std::collections::VecDeque;

use heddle_port::{LINE_BYTES, LowerKind, MemKind, MemRequest, MemSpace, members};

use super::FIRST_REGISTER_LINE;
use super::entry::Op;

/// Requests that the queue takes.
const PLACES: usize = 2;
/// Cache operators that go past the L1: `.cg`, `.cv`, volatile.
const PAST: [u8; 3] = [1, 4, 6];

/// The request that is looked up next.
#[derive(Debug, Clone, Copy)]
pub struct Access {
    /// Its operation.
    pub op: Op,
    /// Its line number.
    pub line: u32,
    /// It is a store.
    pub write: bool,
    /// What it asks L2 for if it does not find its line.
    pub lower: LowerKind,
}

/// The request queue, and what its head waits for.
#[derive(Debug, Clone, Default)]
pub struct MemoryUnit {
    queue: VecDeque<(MemRequest, Access)>,
    /// The head lacked an MSHR or room in the queue to L2.
    parked: bool,
}

impl MemoryUnit {
    /// Nothing waits.
    #[must_use]
    pub fn new() -> Self {
        Self { queue: VecDeque::with_capacity(PLACES), parked: false }
    }

    /// No request waits.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// A request can be taken.
    #[inline]
    #[must_use]
    pub fn ready(&self) -> bool {
        self.queue.len() < PLACES
    }

    /// The oldest request and its operation.
    #[inline]
    #[must_use]
    pub fn head(&self) -> Option<&(MemRequest, Access)> {
        self.queue.front()
    }

    /// Whether the head is not to be looked up before an MSHR or a place to L2 is free.
    #[inline]
    #[must_use]
    pub fn parked(&self) -> bool {
        self.parked
    }

    /// The clock edge: whether the head was looked up and lacked something, and whether something was freed.
    #[inline]
    pub fn park(&mut self, lacks: bool, freed: bool) {
        self.parked = !freed && (self.parked || lacks);
    }

    /// The head has been carried out.
    #[inline]
    pub fn take(&mut self) {
        self.queue.pop_front();
    }

    /// Takes a request.
    ///
    /// # Errors
    /// What of it does not belong here.
    #[inline]
    pub fn push(&mut self, request: &MemRequest) -> Result<(), String> {
        let access = classify(request);
        let other = request.space == MemSpace::Shared as u8 || request.kind == MemKind::Fence as u8;
        if other || request.mask == 0 {
            return Err(format!(
                "a request of space {} and kind {} with lanes {:#x}: loads, stores and atomics of global \
                 and local memory with at least one lane are expected",
                request.space, request.kind, request.mask
            ));
        }
        if access.line >= FIRST_REGISTER_LINE {
            return Err(format!(
                "a request at {:#010x}: addresses from {:#010x} on are those of the registers",
                access.line.wrapping_mul(LINE_BYTES as u32),
                FIRST_REGISTER_LINE.wrapping_mul(LINE_BYTES as u32)
            ));
        }
        self.queue.push_back((*request, access));
        Ok(())
    }
}

#[inline]
fn classify(request: &MemRequest) -> Access {
    let lane = (request.mask.trailing_zeros() as usize).min(31);
    let line = request.address[lane] / LINE_BYTES as u32;
    let write = request.kind == MemKind::Write as u8;
    let (op, lower) = if request.kind == MemKind::Atomic as u8 {
        (Op::Bypass, LowerKind::Atomic)
    } else {
        match (PAST.contains(&request.cache_operator), write) {
            (true, true) => (Op::Bypass, LowerKind::BypassWrite),
            (true, false) => (Op::Bypass, LowerKind::BypassRead),
            (false, true) => (Op::Store, LowerKind::BypassWrite),
            (false, false) => (Op::Load, LowerKind::Fill),
        }
    };
    Access { op, line, write, lower }
}

/// Bytes of the line that the request's lanes access.
#[inline]
#[must_use]
pub fn byte_mask(request: &MemRequest) -> [u32; LINE_BYTES / 32] {
    let mut bytes = [0u32; LINE_BYTES / 32];
    let size = 1u32 << request.size_log2.min(4);
    for lane in members(request.mask) {
        let first = (request.address[lane] % LINE_BYTES as u32) & !(size - 1);
        bytes[(first / 32) as usize] |= (((1u64 << size) - 1) << (first % 32)) as u32;
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::{Access, LowerKind, MemRequest, MemoryUnit, Op, byte_mask};

    fn request(kind: u8, cache_operator: u8) -> MemRequest {
        let address = std::array::from_fn(|lane| 0x1000_0000 + 4 * lane as u32);
        MemRequest {
            valid: true,
            kind,
            cache_operator,
            size_log2: 2,
            mask: 0xF0,
            address,
            ..MemRequest::default()
        }
    }

    fn classified(kind: u8, cache_operator: u8) -> Access {
        let mut unit = MemoryUnit::new();
        unit.push(&request(kind, cache_operator)).expect("it belongs here");
        unit.head().expect("it waits").1
    }

    #[test]
    fn volatile_accesses_and_atomics_go_past() {
        let kinds = [(0, 0), (1, 0), (0, 6), (1, 4), (2, 0)].map(|(kind, operator)| {
            let access = classified(kind, operator);
            assert_eq!(access.line, 0x20_0000);
            (access.op, access.lower)
        });
        assert_eq!(
            kinds,
            [
                (Op::Load, LowerKind::Fill),
                (Op::Store, LowerKind::BypassWrite),
                (Op::Bypass, LowerKind::BypassRead),
                (Op::Bypass, LowerKind::BypassWrite),
                (Op::Bypass, LowerKind::Atomic),
            ]
        );
    }

    #[test]
    fn a_store_names_the_bytes_of_its_lanes() {
        assert_eq!(byte_mask(&request(1, 0)), [0xFFFF_0000, 0, 0, 0]);
        let bytes = MemRequest { size_log2: 0, mask: 0b11, ..request(1, 0) };
        assert_eq!(byte_mask(&bytes), [0b1_0001, 0, 0, 0]);
    }

    #[test]
    fn shared_memory_and_register_addresses_are_refused() {
        let mut unit = MemoryUnit::new();
        assert!(unit.push(&MemRequest { space: 2, ..request(0, 0) }).is_err());
        assert!(unit.push(&MemRequest { address: [0xFFFE_0000; 32], ..request(0, 0) }).is_err());
        assert!(unit.push(&MemRequest { mask: 0, ..request(0, 0) }).is_err());
        assert!(unit.is_empty());
    }
}
