//! The operand collectors, read one after the other.

use crate::front::{Collectors, NUM_COLLECTORS};
use heddle_port::{Issue, NUM_SOURCES};

use super::{ARRAYS_PER_BANK, NUM_BANKS, bank_of};

/// The instruction in one collector.
#[derive(Debug, Clone, Copy, Default)]
pub struct Collector {
    tag: u16,
    /// Warp slot.
    pub warp: u8,
    /// Sources whose read has not begun, one bit a source slot.
    pending: u8,
    /// Sources whose data are not there.
    missing: u8,
    /// Register number of each source.
    pub numbers: [u8; NUM_SOURCES],
    /// Array of each source in the warp's bank.
    arrays: [u8; NUM_SOURCES],
}

/// What stands in the way of the reads of one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct Obstacles {
    /// No read may begin.
    pub stop: bool,
    /// Sources with a result that is not yet written.
    pub pending: u8,
    /// Entry of the write buffer of each source that lies there.
    pub slots: [Option<u8>; NUM_SOURCES],
}

/// The reads of one cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reads {
    /// Sources that the instruction still waits for.
    pub wanted: u8,
    /// Sources whose read begins.
    pub granted: u8,
    /// Arrays that are read.
    pub arrays: u32,
    /// A source waits for a lower one.
    pub conflict: bool,
    /// A source waits for a result.
    pub behind_result: bool,
}

/// All collectors: a ring in the order of issue.
#[derive(Debug, Clone, Default)]
pub struct Reader {
    collectors: [Collector; NUM_COLLECTORS],
    valid: u32,
    /// Instructions whose reads have not all begun.
    unread: u32,
    /// Instructions whose operands are all there.
    there: u32,
    head: usize,
    tail: usize,
    /// By bank: collector and sources of the reads under way.
    notes: [(usize, u8); NUM_BANKS],
}

impl Reader {
    /// The instruction that is read, if there is one.
    #[inline]
    #[must_use]
    pub fn current(&self) -> Option<&Collector> {
        (self.unread >> self.head & 1 != 0).then(|| &self.collectors[self.head])
    }

    /// A cycle in which no read may begin.
    #[inline]
    #[must_use]
    pub fn stopped(&self) -> Reads {
        Reads { wanted: self.current().map_or(0, |current| current.pending), ..Reads::default() }
    }

    /// The reads that begin in this cycle.
    #[inline]
    #[must_use]
    pub fn choose(&self, obstacles: &Obstacles) -> Reads {
        let Some(current) = self.current() else { return Reads::default() };
        let eligible = current.pending & !obstacles.pending;
        let mut behind = 0_u8;
        let entry_array = |slot: Option<u8>| slot.map(|slot| usize::from(slot) % ARRAYS_PER_BANK);
        for s in 1..NUM_SOURCES {
            let entry = entry_array(obstacles.slots[s]);
            let waits = (0..s).any(|t| {
                eligible >> t & 1 != 0
                    && (current.arrays[s] == current.arrays[t]
                        || (entry.is_some() && entry == entry_array(obstacles.slots[t])))
            });
            behind |= u8::from(waits) << s;
        }
        let granted = if obstacles.stop { 0 } else { eligible & !behind };
        let mut arrays = 0;
        for (source, &array) in current.arrays.iter().enumerate() {
            arrays |= u32::from(granted >> source & 1) << array;
        }
        Reads {
            wanted: current.pending,
            granted,
            arrays,
            conflict: eligible & behind != 0,
            behind_result: current.pending & obstacles.pending != 0,
        }
    }

    /// Whether the instruction that is read, if there is one, waits for a source.
    #[inline]
    #[must_use]
    pub fn waits(&self) -> bool {
        self.current().is_none_or(|current| current.pending != 0)
    }

    /// The clock edge: data that arrive from the banks of `arriving`, then the reads that begin.
    #[inline]
    pub fn tick(&mut self, arriving: [bool; NUM_BANKS], granted: u8) {
        for (&(collector, sources), _) in self.notes.iter().zip(arriving).filter(|(_, there)| *there) {
            let entry = &mut self.collectors[collector];
            entry.missing &= !sources;
            self.there |= u32::from(entry.missing == 0) << collector;
        }
        if self.unread >> self.head & 1 == 0 {
            return;
        }
        let current = &mut self.collectors[self.head];
        current.pending &= !granted;
        if granted != 0 {
            self.notes[bank_of(current.warp)] = (self.head, granted);
        }
        if current.pending == 0 {
            self.unread &= !(1 << self.head);
            self.head = (self.head + 1) % NUM_COLLECTORS;
        }
    }

    /// Puts an instruction into the next collector, whose number it returns; `arrays` says where its
    /// sources lie.
    #[inline]
    pub fn allocate(&mut self, issue: &Issue, arrays: [u8; NUM_SOURCES]) -> usize {
        let place = self.tail;
        self.tail = (place + 1) % NUM_COLLECTORS;
        self.valid |= 1 << place;
        self.unread |= 1 << place;
        self.there |= u32::from(issue.source_valid == 0) << place;
        self.collectors[place] = Collector {
            tag: issue.tag,
            warp: issue.warp,
            pending: issue.source_valid,
            missing: issue.source_valid,
            numbers: issue.source,
            arrays,
        };
        place
    }
}

impl Collectors for Reader {
    /// Free collectors from the next place of the ring on, up to the first one in use.
    #[inline]
    fn free(&self) -> usize {
        let ring = self.valid | self.valid << NUM_COLLECTORS;
        ((ring >> self.tail).trailing_zeros() as usize).min(NUM_COLLECTORS)
    }

    #[inline]
    fn complete(&self) -> u32 {
        self.there & (!self.unread | 1 << self.head)
    }

    #[inline]
    fn tag(&self, collector: usize) -> u16 {
        self.collectors[collector].tag
    }

    #[inline]
    fn release(&mut self, collectors: u32) {
        self.valid &= !collectors;
        self.there &= !collectors;
    }
}

#[cfg(test)]
mod tests {
    use super::{Obstacles, Reader};
    use heddle_port::Issue;

    fn reading(arrays: [u8; 6]) -> Reader {
        let mut reader = Reader::default();
        reader.allocate(&Issue { source_valid: 0b111, ..Issue::default() }, arrays);
        reader
    }

    #[test]
    fn sources_of_different_arrays_are_read_at_once() {
        let reads = reading([1, 2, 3, 0, 0, 0]).choose(&Obstacles::default());
        assert_eq!((reads.granted, reads.arrays, reads.conflict), (0b111, 0b1110, false));
    }

    #[test]
    fn the_higher_source_of_an_array_waits() {
        let mut reader = reading([1, 1, 2, 0, 0, 0]);
        let reads = reader.choose(&Obstacles::default());
        assert_eq!((reads.granted, reads.conflict), (0b101, true));
        reader.tick([false; 2], reads.granted);
        let reads = reader.choose(&Obstacles::default());
        assert_eq!((reads.wanted, reads.granted, reads.conflict), (0b010, 0b010, false));
    }

    #[test]
    fn entries_of_one_buffer_array_conflict_too() {
        let mut obstacles = Obstacles::default();
        obstacles.slots[0] = Some(3);
        obstacles.slots[2] = Some(11);
        assert_eq!(reading([1, 2, 3, 0, 0, 0]).choose(&obstacles).granted, 0b011);
        obstacles.slots[2] = Some(12);
        assert_eq!(reading([1, 2, 3, 0, 0, 0]).choose(&obstacles).granted, 0b111);
    }

    #[test]
    fn a_source_waits_for_its_result_and_holds_nothing_else_up() {
        let obstacles = Obstacles { pending: 0b001, ..Obstacles::default() };
        let reads = reading([1, 1, 2, 0, 0, 0]).choose(&obstacles);
        assert_eq!((reads.granted, reads.behind_result), (0b110, true));
    }
}
