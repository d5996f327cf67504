//! The lines of the cache: which they are, which of their bytes are there, and which leaves next.

use std::collections::HashSet;

use super::additions::Additions;
use super::config::{CacheShape, OsmConfig};
use super::locks::{LockChange, Locks, PassWords};
use super::recency::Recency;
use super::sectors::bytes_of;
use super::{BLOCK_BITS, SHARED_SPACE, WAYS};
use heddle_port::{LINE_BYTES, members};

/// log2 of the bytes of a line.
pub const LINE_BITS: u32 = LINE_BYTES.ilog2();
/// Address off chip of a byte of a CTA's shared memory.
#[inline]
#[must_use]
pub fn shared_address(cta_slot: u8, offset: u32) -> u32 {
    SHARED_SPACE | (u32::from(cta_slot) << BLOCK_BITS) | (offset % (1 << BLOCK_BITS))
}

/// Number of the line of an address.
#[inline]
#[must_use]
pub fn line_number(address: u32) -> u32 {
    address >> LINE_BITS
}

/// The class of a line's index: lines on their way are told apart by it where requests wait for them. Neighbouring
/// lines, which lie in neighbouring sets and often in the same way, are in different classes.
#[inline]
#[must_use]
pub fn wake_class(index: usize) -> usize {
    (index % WAYS + 4 * (index / WAYS)) % WAYS
}

/// The words in which bytes of a line lie; bit n is word n.
#[must_use]
fn words_of(bytes: u128) -> u32 {
    (0..LINE_BYTES / 4).filter(|word| bytes >> (4 * word) & 0xF != 0).fold(0, |words, word| words | 1 << word)
}

/// Where a line can be put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A way of the set holds nothing.
    Free(usize),
    /// The line at this index leaves for it.
    Victim(usize),
    /// All ways of the set wait for a fill.
    None,
}

/// A line that left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Its number.
    pub number: u32,
    /// Its bytes that the off-chip memory does not have.
    pub dirty: u128,
    /// It was locked.
    pub locked: bool,
}

/// All lines; the line in way w of set s has index 64 s + w.
#[derive(Debug, Clone)]
pub struct Lines {
    sets: usize,
    ways: u64,
    number: Vec<u32>,
    present: Vec<u64>,
    /// Ways with sectors on their way, by set.
    on_the_way: Vec<u64>,
    /// Sectors on their way, by line.
    filling: Vec<u8>,
    byte_valid: Vec<u128>,
    dirty: Vec<u128>,
    recency: Vec<Recency>,
    locks: Locks,
    /// Lines that live, where lifetimes are known.
    live: Option<HashSet<u32>>,
}

impl Lines {
    /// An empty cache.
    #[must_use]
    pub fn new(shape: &CacheShape, config: &OsmConfig) -> Self {
        let lines = shape.sets * WAYS;
        Self {
            sets: config.sets(),
            ways: config.ways(),
            number: vec![0; lines],
            present: vec![0; shape.sets],
            on_the_way: vec![0; shape.sets],
            filling: vec![0; lines],
            byte_valid: vec![0; lines],
            dirty: vec![0; lines],
            recency: vec![Recency::default(); shape.sets],
            locks: Locks::new(shape, config),
            live: None,
        }
    }

    /// From now on a line is locked while it lives, as [`Lines::set_live`] says.
    pub fn know_lifetimes(&mut self) {
        self.live = Some(HashSet::new());
        self.locks.tell();
    }

    /// Whether a line lives.
    pub fn set_live(&mut self, number: u32, live: bool) {
        let Some(all) = &mut self.live else { return };
        if live {
            all.insert(number);
        } else {
            all.remove(&number);
        }
        if let Some(index) = self.find(number) {
            self.locks.set(index / WAYS, index % WAYS, live);
        }
    }

    /// Index of a line; `None` if it is not there.
    #[inline]
    #[must_use]
    pub fn find(&self, number: u32) -> Option<usize> {
        let set = self.set_of(number);
        let mut ways = 0;
        for (way, &other) in self.number[set * WAYS..(set + 1) * WAYS].iter().enumerate() {
            ways |= u64::from(other == number) << way;
        }
        ways &= self.present[set];
        (ways != 0).then(|| set * WAYS + ways.trailing_zeros() as usize)
    }

    #[inline]
    fn set_of(&self, number: u32) -> usize {
        number as usize & (self.sets - 1)
    }

    /// The sectors of the line that are on their way.
    #[inline]
    #[must_use]
    pub fn filling(&self, index: usize) -> u8 {
        self.filling[index]
    }

    /// Whether the line has all `bytes`.
    #[inline]
    #[must_use]
    pub fn has(&self, index: usize, bytes: u128) -> bool {
        bytes & !self.byte_valid[index] == 0
    }

    /// The locked ways of a set.
    #[must_use]
    pub fn locked(&self, set: usize) -> u64 {
        self.locks.of_set(set)
    }

    /// The lowest free way of the line's set, else the least recently used unlocked line, else the least
    /// recently used one. A line that waits for a fill, or for sums, stays.
    #[must_use]
    pub fn place_for(&self, number: u32, sums: &Additions) -> Place {
        let set = self.set_of(number);
        let free = self.ways & !self.present[set];
        if free != 0 {
            return Place::Free(set * WAYS + free.trailing_zeros() as usize);
        }
        let candidates = self.present[set] & !self.on_the_way[set] & !sums.closed(set);
        let unlocked = candidates & !self.locks.of_set(set);
        let order = &self.recency[set];
        match order.oldest(if unlocked == 0 { candidates } else { unlocked }) {
            Some(way) => Place::Victim(set * WAYS + way),
            None => Place::None,
        }
    }

    /// Those of `bytes` that the line does not have.
    #[inline]
    #[must_use]
    pub fn lacking(&self, index: usize, bytes: u128) -> u128 {
        bytes & !self.byte_valid[index]
    }

    /// Puts a line without any byte into the free way at `index`.
    pub fn allocate(&mut self, index: usize, number: u32) {
        let (set, way) = (index / WAYS, index % WAYS);
        self.number[index] = number;
        self.present[set] |= 1 << way;
        self.byte_valid[index] = 0;
        self.dirty[index] = 0;
        self.recency[set].touch(1 << way);
        if self.live.as_ref().is_some_and(|live| live.contains(&number)) {
            self.locks.set(set, way, true);
        }
    }

    /// Sectors of the line are fetched from now on.
    pub fn begin_fill(&mut self, index: usize, sectors: u8) {
        self.on_the_way[index / WAYS] |= 1 << (index % WAYS);
        self.filling[index] |= sectors;
    }

    /// Sectors of the line have come: the words of which they bring bytes; bit n is word n.
    pub fn end_fill(&mut self, index: usize, sectors: u8) -> u32 {
        let brought = bytes_of(sectors) & !self.byte_valid[index];
        self.byte_valid[index] |= brought;
        self.filling[index] &= !sectors;
        if self.filling[index] == 0 {
            self.on_the_way[index / WAYS] &= !(1 << (index % WAYS));
        }
        words_of(brought)
    }

    /// The number of the line at `index`.
    #[must_use]
    pub fn number(&self, index: usize) -> u32 {
        self.number[index]
    }

    /// Whether the line has bytes that must be written back.
    #[must_use]
    pub fn is_dirty(&self, index: usize) -> bool {
        self.dirty[index] != 0
    }

    /// Takes a line out.
    pub fn evict(&mut self, index: usize) -> Left {
        let (set, bit) = (index / WAYS, 1u64 << (index % WAYS));
        let number = self.number[index];
        let locked = self.locks.of_set(set) & bit != 0;
        self.present[set] &= !bit;
        self.locks.drop_ways(set, bit);
        Left { number, dirty: self.dirty[index], locked }
    }

    /// Takes out all lines of a CTA slot, whatever they hold; `None` if one of them waits for a fill.
    pub fn release(&mut self, cta_slot: u8) -> Option<()> {
        let block = shared_address(cta_slot, 0) >> BLOCK_BITS;
        if let Some(live) = &mut self.live {
            live.retain(|number| number >> (BLOCK_BITS - LINE_BITS) != block);
        }
        for set in 0..self.sets {
            let mut gone = 0;
            for way in members(self.present[set]) {
                gone |= u64::from(self.number[set * WAYS + way] >> (BLOCK_BITS - LINE_BITS) == block) << way;
            }
            if gone & self.on_the_way[set] != 0 {
                return None;
            }
            self.present[set] &= !gone;
            self.locks.drop_ways(set, gone);
        }
        Some(())
    }

    /// Takes out all lines, whatever they hold.
    pub fn flush(&mut self) {
        for set in 0..self.present.len() {
            self.present[set] = 0;
            self.locks.drop_ways(set, u64::MAX);
        }
    }

    /// Whether [`Lines::read`] and [`Lines::write`] need the words.
    #[must_use]
    pub fn locks_words(&self) -> bool {
        self.locks.by_word()
    }

    /// The ways `used` of a set are used without a change of their locks.
    pub fn touch(&mut self, set: usize, used: u64) {
        self.recency[set].touch(used);
    }

    /// The ways `used` of a set are read; `words` are the words, by lines of all sets.
    pub fn read(&mut self, set: usize, used: u64, words: &PassWords) -> LockChange {
        self.recency[set].touch(used);
        self.locks.read(set, used, words)
    }

    /// The ways `used` of a set are written; `words` are the words, by lines of all sets.
    pub fn write(&mut self, set: usize, used: u64, words: &PassWords) -> LockChange {
        self.recency[set].touch(used);
        self.locks.write(set, used, words)
    }

    /// Bytes of a line are written, and have to be written back if they do not go off chip at once.
    #[inline]
    pub fn put(&mut self, index: usize, bytes: u128, dirty: bool) {
        self.byte_valid[index] |= bytes;
        if dirty {
            self.dirty[index] |= bytes;
        }
    }
}
