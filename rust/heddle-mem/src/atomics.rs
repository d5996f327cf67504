//! Atomics on their way to L2, where they are carried out.
//!
//! L2 carries out one operation on a word after the other, and those on different words of a 32-byte sector together. How many
//! lanes of a request have the same word is known at the memory port and not in what a first level asks of L2, so it travels
//! beside the request.

use std::collections::VecDeque;

use heddle_port::memory::{MemLowerRequest, MemRequest};
use heddle_port::{LINE_BYTES, LowerKind, members};

use crate::sectors::SECTOR_BYTES;
use crate::{kind, space};

/// Bytes of a word.
const WORD_BYTES: u32 = 4;
/// Words of a line, and of a sector.
const LINE_WORDS: usize = LINE_BYTES / WORD_BYTES as usize;
const SECTOR_WORDS: usize = (SECTOR_BYTES / WORD_BYTES) as usize;

/// What an SM offers to L2 in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Offer {
    /// The request.
    pub request: MemLowerRequest,
    /// Of an atomic: operations that wait for one before them on the same word, the longest chain of each sector.
    pub serial: u32,
}

impl From<MemLowerRequest> for Offer {
    fn from(request: MemLowerRequest) -> Self {
        Self { request, serial: 0 }
    }
}

/// Operations of an atomic request that wait for one before them: of each sector as many as the word with the most lanes has
/// beyond its first.
#[must_use]
pub fn serial_operations(request: &MemRequest) -> u32 {
    let mut lanes = [0u32; LINE_WORDS];
    for lane in members(request.mask) {
        lanes[(request.address[lane] % LINE_BYTES as u32 / WORD_BYTES) as usize] += 1;
    }
    lanes
        .chunks(SECTOR_WORDS)
        .filter_map(|sector| sector.iter().max())
        .map(|most| most.saturating_sub(1))
        .sum()
}

/// Atomics that the port has taken and L2 has not.
#[derive(Debug, Clone, Default)]
pub struct Atomics {
    /// Line and serial operations, in the order of the port.
    under_way: VecDeque<(u32, u32)>,
}

impl Atomics {
    /// The port takes a request.
    #[inline]
    pub fn asked(&mut self, request: &MemRequest) {
        if request.kind == kind::ATOMIC && request.space != space::SHARED && request.mask != 0 {
            let line = request.address[request.mask.trailing_zeros() as usize] / LINE_BYTES as u32;
            self.under_way.push_back((line, serial_operations(request)));
        }
    }

    /// What is offered to L2, which takes it or not.
    #[inline]
    pub fn offer(&mut self, request: MemLowerRequest, taken: bool) -> Offer {
        let mut offer = Offer::from(request);
        if request.valid && request.kind == LowerKind::Atomic as u8 {
            let of_line = |asked: &(u32, u32)| asked.0 == request.line / LINE_BYTES as u32;
            if let Some(at) = self.under_way.iter().position(of_line) {
                offer.serial = self.under_way[at].1;
                if taken {
                    self.under_way.remove(at);
                }
            }
        }
        offer
    }

    /// The port says that nothing is under way.
    pub fn at_rest(&mut self) {
        self.under_way.clear();
    }
}

#[cfg(test)]
mod tests {
    use heddle_port::LowerKind;
    use heddle_port::memory::{MemLowerRequest, MemRequest};

    use super::{Atomics, serial_operations};
    use crate::kind;

    fn atomic(mask: u32, address: impl Fn(u32) -> u32) -> MemRequest {
        let address = std::array::from_fn(|lane| address(lane as u32));
        MemRequest { valid: true, kind: kind::ATOMIC, mask, size_log2: 2, address, ..MemRequest::default() }
    }

    fn lower(line: u32) -> MemLowerRequest {
        let kind = LowerKind::Atomic as u8;
        MemLowerRequest { valid: true, kind, line: line * 128, ..MemLowerRequest::default() }
    }

    #[test]
    fn lanes_of_one_word_wait_for_each_other_and_sectors_add_up() {
        let serial = |mask, address: &dyn Fn(u32) -> u32| serial_operations(&atomic(mask, address));
        assert_eq!(serial(u32::MAX, &|_| 0x1000), 31, "32 lanes on a word");
        assert_eq!(serial(u32::MAX, &|lane| 4 * lane), 0, "each has its own");
        assert_eq!(serial(0xFF, &|_| 8), 7, "only lanes that take part");
        // Sector 0: 3 lanes on word 0, 2 on word 1. Sector 3: 4 lanes on its last word. 3 - 1 and 4 - 1.
        let two = [0, 0, 0, 4, 4, 124, 124, 124, 124];
        assert_eq!(serial(0x1FF, &|lane| two.get(lane as usize).copied().unwrap_or(0)), 5);
        assert_eq!(serial(0, &|_| 0), 0);
    }

    #[test]
    fn what_is_known_of_a_request_goes_with_it_once() {
        let mut atomics = Atomics::default();
        atomics.asked(&atomic(u32::MAX, |_| 5 * 128));
        atomics.asked(&atomic(3, |_| 6 * 128));
        atomics.asked(&MemRequest { kind: kind::READ, ..atomic(7, |_| 6 * 128) });
        let mut serial = |line, taken| atomics.offer(lower(line), taken).serial;
        assert_eq!([serial(6, false), serial(6, true), serial(6, true)], [1, 1, 0]);
        assert_eq!(serial(5, true), 31);
        let read = MemLowerRequest { kind: LowerKind::BypassRead as u8, ..lower(5) };
        atomics.asked(&atomic(u32::MAX, |_| 5 * 128));
        assert_eq!(atomics.offer(read, true).serial, 0, "no atomic");
        atomics.at_rest();
        assert_eq!(atomics.offer(lower(5), true).serial, 0);
    }
}
