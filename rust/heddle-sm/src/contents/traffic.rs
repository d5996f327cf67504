//! Global memory below a design that holds its L1, of one of many SMs: what the design is to ask of L2 and to bring it.
//!
//! Memory has what a store writes when the L1 looks it up, so what comes to L2 later changes nothing: it is held, byte for byte,
//! against what the SM stored. A line that the design asks for is answered as memory was when the request was looked up.
//! L2 takes the requests of a design in the order in which it looked them up.

use std::collections::VecDeque;

use heddle_port::{LINE_BYTES, LOWER_ID_BITS, LineBytes, LineData, LowerKind, MemLowerRequest};

/// Bytes of a line.
pub type Bytes = [u8; LINE_BYTES];

/// A request that the design has looked up and L2 has not taken.
#[derive(Debug, Clone)]
struct Due {
    kind: LowerKind,
    /// Number of the line.
    line: u32,
    /// Bytes that a write brings at least; of one that goes past, those alone.
    mask: LineBytes,
    /// What it reads or writes.
    bytes: Box<Bytes>,
}

/// What a request is that is not the one that is due.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WrongRequest {
    /// Another one.
    #[error("L2 is to take {expected}, and takes {found} with bytes {mask:#034x}")]
    Request {
        /// What is due.
        expected: String,
        /// The request.
        found: String,
        /// Its bytes.
        mask: LineBytes,
    },
    /// A byte with another value.
    #[error("{kind:?} brings {found:#04x} for the byte at {address:#010x}, where the SM has {expected:#04x}")]
    Byte {
        /// Kind of the request.
        kind: LowerKind,
        /// Address of the byte.
        address: u32,
        /// What the SM stored, or its L1 took.
        expected: u8,
        /// What comes.
        found: u8,
    },
    /// What was stored and never came.
    #[error("the launch is over, and L2 has not taken {0}")]
    Missing(String),
}

impl WrongRequest {
    /// The request of this kind and line never came.
    pub fn missing(kind: LowerKind, line: u32) -> Self {
        Self::Missing(named(kind, line))
    }
}

/// A request, for people.
fn named(kind: LowerKind, line: u32) -> String {
    format!("{kind:?} of the line at {:#010x}", u64::from(line) * LINE_BYTES as u64)
}

/// Requests of global memory of the design of one SM, and what L2 answers.
#[derive(Debug, Clone)]
pub struct Traffic {
    due: VecDeque<Due>,
    /// Lines for the requests under way, by id.
    answers: Vec<LineData>,
}

impl Default for Traffic {
    fn default() -> Self {
        Self { due: VecDeque::new(), answers: vec![[0; LINE_BYTES / 4]; 1 << LOWER_ID_BITS] }
    }
}

/// The bytes of a request's mask.
fn mask_of(request: &MemLowerRequest) -> LineBytes {
    request.byte_mask.iter().rev().fold(0, |all, bytes| all << 32 | LineBytes::from(*bytes))
}

impl Traffic {
    /// A request is looked up that reads a line, which is `bytes` now.
    pub fn reads(&mut self, kind: LowerKind, line: u32, bytes: Bytes) {
        self.due.push_back(Due { kind, line, mask: 0, bytes: Box::new(bytes) });
    }

    /// A store is looked up that goes past the L1, or through it.
    pub fn stores(&mut self, line: u32, mask: LineBytes, bytes: Bytes) {
        self.due.push_back(Due { kind: LowerKind::BypassWrite, line, mask, bytes: Box::new(bytes) });
    }

    /// A line leaves of which the SM stored the bytes of `mask`.
    pub fn leaves(&mut self, line: u32, mask: LineBytes, bytes: Bytes) {
        self.due.push_back(Due { kind: LowerKind::WriteBack, line, mask, bytes: Box::new(bytes) });
    }

    /// L2 takes a request of global memory, with `data` of a write.
    ///
    /// # Errors
    /// It is not the one that is due, or brings other bytes.
    pub fn take(&mut self, request: &MemLowerRequest, data: &LineData) -> Result<(), WrongRequest> {
        let (kind, mask) = (LowerKind::from_code(request.kind), mask_of(request));
        let next = self.due.pop_front();
        let number = request.line / LINE_BYTES as u32;
        let fits = |due: &Due| {
            Some(due.kind) == kind
                && due.line == number
                && match due.kind {
                    LowerKind::BypassWrite => due.mask == mask,
                    _ => due.mask & !mask == 0,
                }
        };
        let Some(due) = next.as_ref().filter(|due| fits(due)) else {
            let expected =
                next.map_or_else(|| "nothing of global memory".to_owned(), |due| named(due.kind, due.line));
            let of_no_kind = || format!("a request of kind {}", request.kind);
            let found = kind.map_or_else(of_no_kind, |kind| named(kind, number));
            return Err(WrongRequest::Request { expected, found, mask });
        };
        if !matches!(due.kind, LowerKind::WriteBack | LowerKind::BypassWrite) {
            let word = |i: usize| [0, 1, 2, 3].map(|byte| due.bytes[4 * i + byte]);
            let line = std::array::from_fn(|i| u32::from_le_bytes(word(i)));
            self.answers[usize::from(request.id)] = request.answer(&line);
            return Ok(());
        }
        let brought = data.iter().flat_map(|word| word.to_le_bytes());
        let wrong = (due.bytes.iter().zip(brought).enumerate())
            .find(|(at, (expected, found))| mask >> at & 1 != 0 && *expected != found);
        match wrong {
            None => Ok(()),
            Some((at, (&expected, found))) => {
                let address = request.line + at as u32;
                Err(WrongRequest::Byte { kind: due.kind, address, expected, found })
            }
        }
    }

    /// The line that answers the request with the id.
    pub fn answer(&self, id: u16) -> LineData {
        self.answers[usize::from(id)]
    }

    /// After the flush: nothing is due.
    ///
    /// # Errors
    /// Something is.
    pub fn is_over(&self) -> Result<(), WrongRequest> {
        self.due.front().map_or(Ok(()), |due| Err(WrongRequest::missing(due.kind, due.line)))
    }
}

#[cfg(test)]
mod tests {
    use heddle_port::{LINE_BYTES, LINE_WORDS, LowerKind, MemLowerRequest};

    use super::{Traffic, WrongRequest};

    fn request(kind: LowerKind, line: u32, byte_mask: [u32; 4]) -> MemLowerRequest {
        MemLowerRequest { valid: true, kind: kind as u8, id: 3, line: line * LINE_BYTES as u32, byte_mask }
    }

    const ALL: [u32; 4] = [u32::MAX; 4];

    #[test]
    fn a_line_is_answered_as_it_was_when_it_was_looked_up() {
        let mut traffic = Traffic::default();
        traffic.reads(LowerKind::Fill, 9, [7; LINE_BYTES]);
        traffic.take(&request(LowerKind::Fill, 9, [0xF0, 0, 0, 0]), &[0; LINE_WORDS]).expect("it is due");
        let word = 0x0707_0707;
        assert_eq!(traffic.answer(3)[..3], [!word, word, !word], "what was not asked for is inverted");
        traffic.is_over().expect("nothing is due");
    }

    #[test]
    fn what_comes_to_l2_is_what_the_sm_stored() {
        let mut bytes = [0; LINE_BYTES];
        bytes[4..8].copy_from_slice(&[1, 2, 3, 4]);
        let mut data = [0; LINE_WORDS];
        data[1] = 0x0403_0201;
        let through = request(LowerKind::BypassWrite, 9, [0xF0, 0, 0, 0]);
        let back = request(LowerKind::WriteBack, 9, ALL);
        let due = || {
            let mut traffic = Traffic::default();
            traffic.stores(9, 0xF0, bytes);
            traffic.leaves(9, 0xF0, bytes);
            traffic
        };
        let mut traffic = due();
        traffic.take(&through, &data).expect("the store");
        assert!(matches!(traffic.is_over(), Err(WrongRequest::Missing(_))));
        traffic.take(&back, &data).expect("the line");
        assert!(traffic.take(&back, &data).is_err(), "nothing is due");
        let wrong = [(through, 0x0403_02FF), (request(LowerKind::BypassWrite, 9, [0xFF, 0, 0, 0]), data[1])];
        for (request, word) in wrong {
            data[1] = word;
            due().take(&request, &data).expect_err("another value, and a byte that was not stored");
        }
        for other in [back, request(LowerKind::BypassWrite, 8, [0xF0, 0, 0, 0])] {
            let error = due().take(&other, &data).expect_err("the store is before it");
            assert!(
                error.to_string().contains("L2 is to take BypassWrite of the line at 0x00000480"),
                "{error}"
            );
        }
        let mut traffic = due();
        data[1] = 0x0403_0201;
        traffic.take(&through, &data).expect("the store");
        let part = request(LowerKind::WriteBack, 9, [0x70, 0, 0, 0]);
        assert!(traffic.take(&part, &data).is_err(), "a byte that was stored stays behind");
    }
}
