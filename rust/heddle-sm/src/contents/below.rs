//! The contents of memory below a design that holds the L1: what L2 would answer.
//!
//! Requests take effect in the order in which L2 takes them, so a line comes back as it was then.

use std::collections::{HashMap, VecDeque};

use heddle_isa::{AtomicOp, DeviceMemory, Type, atomic, load_extend};
use heddle_mem::is_off_chip_shared;
use heddle_port::{LINE_BYTES, LINE_WORDS, LOWER_ID_BITS, LineData, LowerKind, MemLowerRequest};

use crate::lane_data::{get, put};

/// One lane of an atomic.
#[derive(Debug, Clone, Copy)]
pub struct AtomicLane {
    pub lane: usize,
    /// Byte address.
    pub address: u32,
    /// Operand, and the new value of a compare-and-swap.
    pub operands: [u64; 2],
}

/// The lanes of an atomic that one request takes to L2, lowest lane first.
#[derive(Debug, Clone)]
pub struct Atomic {
    pub tag: u16,
    pub op: AtomicOp,
    pub ty: Type,
    pub lanes: Vec<AtomicLane>,
}

/// What a lane of an atomic found: low and high word.
pub type OldValue = (usize, (u32, u32));

/// Memory below the L1 of one SM.
#[derive(Debug, Clone)]
pub struct Below {
    /// Global memory as the launch found it.
    initial: DeviceMemory,
    /// Lines written since, by byte address.
    written: HashMap<u32, LineData>,
    /// Lines as they were when the request with the id was taken.
    answers: Vec<LineData>,
    /// Atomics on their way, in the order in which they were performed.
    atomics: VecDeque<Atomic>,
    /// What those found that L2 has carried out and not yet answered, by tag.
    found: HashMap<u16, Vec<OldValue>>,
}

impl Below {
    /// With the global memory of the launch.
    pub fn new(initial: DeviceMemory) -> Self {
        Self {
            initial,
            written: HashMap::new(),
            answers: vec![[0; LINE_WORDS]; 1 << LOWER_ID_BITS],
            atomics: VecDeque::new(),
            found: HashMap::new(),
        }
    }

    /// Forgets what was written in a range of lines: it is zero again.
    pub fn clear(&mut self, range: std::ops::Range<u32>) {
        self.written.retain(|address, _| !range.contains(address));
    }

    /// A line; what lies outside of all buffers is zero.
    fn line(&self, address: u32) -> LineData {
        if let Some(line) = self.written.get(&address) {
            return *line;
        }
        if is_off_chip_shared(address) {
            return [0; LINE_WORDS];
        }
        if let Ok(bytes) = self.initial.read_bytes(address, LINE_BYTES as u32) {
            let mut words = bytes.chunks_exact(4);
            return std::array::from_fn(|_| match words.next() {
                Some(&[a, b, c, d]) => u32::from_le_bytes([a, b, c, d]),
                _ => 0,
            });
        }
        std::array::from_fn(|word| {
            (0..4).rev().fold(0, |value, i| {
                let at = u64::from(address) + 4 * word as u64 + i;
                value << 8 | self.initial.load(at, 1).map_or(0, |byte| byte as u32)
            })
        })
    }

    /// An atomic has been performed; L2 carries it out when its request arrives.
    pub fn atomic(&mut self, atomic: Atomic) {
        self.atomics.push_back(atomic);
    }

    /// What the lanes `mask` of the atomic `tag` found, once.
    pub fn found(&mut self, tag: u16, mask: u32) -> Vec<OldValue> {
        let Some(all) = self.found.remove(&tag) else { return Vec::new() };
        let (answered, rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|(lane, _)| mask >> lane & 1 != 0);
        if !rest.is_empty() {
            self.found.insert(tag, rest);
        }
        answered
    }

    /// Carries out the oldest atomic on its line at `start`.
    fn carry_out(&mut self, start: u32, line: &mut LineData) {
        let Some(Atomic { tag, op, ty, lanes }) = self.atomics.pop_front() else { return };
        let bytes = ty.bytes() as usize;
        for AtomicLane { lane, address, operands } in lanes {
            let at = address.wrapping_sub(start) as usize;
            let old = get(line, at, bytes);
            put(line, at, bytes, atomic(op, ty, old, operands[0], operands[1]));
            self.found.entry(tag).or_default().push((lane, load_extend(ty, old)));
        }
    }

    /// L2 takes a request; `data` are what a write brings.
    pub fn take(&mut self, request: &MemLowerRequest, data: &LineData) {
        let mut line = self.line(request.line);
        match LowerKind::from_code(request.kind) {
            Some(LowerKind::WriteBack | LowerKind::BypassWrite) => {
                for (i, word) in line.iter_mut().enumerate() {
                    let mask = request.word_mask(i);
                    *word = *word & !mask | data[i] & mask;
                }
                self.written.insert(request.line, line);
            }
            Some(LowerKind::Atomic) => {
                self.answers[usize::from(request.id)] = request.answer(&line);
                self.carry_out(request.line, &mut line);
                self.written.insert(request.line, line);
            }
            Some(LowerKind::Fill | LowerKind::BypassRead) | None => {
                self.answers[usize::from(request.id)] = request.answer(&line);
            }
        }
    }

    /// The line that answers the request with the id.
    pub fn answer(&self, id: u16) -> LineData {
        self.answers[usize::from(id)]
    }

    /// Puts what L2 holds into the buffers of `memory`.
    pub fn leave(&self, memory: &mut DeviceMemory) {
        for (index, before) in self.initial.regions().iter().enumerate() {
            let Some(region) = memory.region_mut(index) else { return };
            region.data.copy_from_slice(&before.data);
        }
        for (&start, line) in &self.written {
            let bytes = line.iter().flat_map(|word| word.to_le_bytes());
            let Some(region) = memory.region_at(start.into()).and_then(|index| memory.region_mut(index))
            else {
                continue;
            };
            let first = (start - region.start) as usize;
            for (to, byte) in region.data.iter_mut().skip(first).zip(bytes) {
                *to = byte;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Atomic, AtomicLane, Below};
    use heddle_isa::{AtomicOp, DeviceMemory, Type};
    use heddle_port::{LINE_WORDS, LowerKind, MemLowerRequest};

    fn request(kind: LowerKind, line: u32, byte_mask: [u32; 4]) -> MemLowerRequest {
        MemLowerRequest { valid: true, kind: kind as u8, id: 3, line, byte_mask }
    }

    #[test]
    fn requests_take_effect_in_the_order_in_which_they_are_taken() {
        let mut memory = DeviceMemory::new();
        let line = memory.allocate("a", 256).expect("there is room");
        memory.store(u64::from(line) + 4, 4, 7).expect("inside");
        let mut below = Below::new(memory);
        below.take(&request(LowerKind::Fill, line, [u32::MAX; 4]), &[0; LINE_WORDS]);
        below.take(&request(LowerKind::BypassWrite, line, [0x00F0, 0, 0, 0]), &[9; LINE_WORDS]);
        assert_eq!(below.answer(3)[..3], [0, 7, 0], "the line as it was");
        let add = |lane| AtomicLane { lane, address: line + 8, operands: [5, 0] };
        below.atomic(Atomic { tag: 7, op: AtomicOp::Add, ty: Type::U32, lanes: vec![add(2), add(9)] });
        below.take(&request(LowerKind::Atomic, line, [u32::MAX; 4]), &[0; LINE_WORDS]);
        assert_eq!(below.answer(3)[..3], [0, 9, 0]);
        assert_eq!(below.found(7, 1 << 9), [(9, (5, 0))], "the second lane finds what the first has left");
        assert_eq!((below.found(7, u32::MAX), below.found(7, u32::MAX)), (vec![(2, (0, 0))], Vec::new()));
        below.take(&request(LowerKind::Fill, line, [u32::MAX; 4]), &[0; LINE_WORDS]);
        assert_eq!(below.answer(3)[..3], [0, 9, 10]);
    }

    #[test]
    fn what_l2_holds_is_left_in_the_buffers() {
        let mut memory = DeviceMemory::new();
        let start = memory.allocate("a", 300).expect("there is room");
        memory.store(u64::from(start) + 128, 4, 1).expect("inside");
        let mut below = Below::new(memory.clone());
        for line in [start, start + 256, 0xF000_0000] {
            below.take(&request(LowerKind::WriteBack, line, [u32::MAX; 4]), &[3; LINE_WORDS]);
        }
        memory.store(u64::from(start) + 132, 4, 2).expect("inside");
        below.leave(&mut memory);
        let left: Vec<u64> = [0, 128, 132, 256, 296]
            .iter()
            .map(|at| memory.load(u64::from(start) + at, 4).expect("inside"))
            .collect();
        assert_eq!(left, [3, 1, 0, 3, 3], "the SM's own value at 132 never came to L2");
    }

    #[test]
    fn a_line_outside_of_all_buffers_is_zero() {
        let mut below = Below::new(DeviceMemory::new());
        below.take(&request(LowerKind::Fill, 0xF000_0080, [u32::MAX; 4]), &[0; LINE_WORDS]);
        assert_eq!(below.answer(3), [0; LINE_WORDS]);
    }
}
