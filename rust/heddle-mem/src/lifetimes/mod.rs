//! How long the addresses of shared memory live (OSM, section 1 and figures 1, 2, 3, 6 and 16).
//!
//! An address is a 4-byte word of one CTA's shared memory. Its lifetime begins with a write and ends with the last
//! read before the next write; writes without a read between them begin no new lifetime. Reads of a
//! word that was never written belong to none. Cycles are those in which accesses are performed. A word is read once in
//! a cycle, by however many lanes: so counts the lock of its line, whose threshold figure 6 is there for.

#[cfg(test)]
mod tests;

use serde::Serialize;

use heddle_port::{LINE_BYTES, LaneMask, NUM_LANES};

use crate::kind;

/// Reads of a lifetime that are counted one by one; the last place of the distribution counts all above.
pub const MOST_READS: usize = 10;
/// Words of a line.
const LINE_WORDS: u32 = LINE_BYTES as u32 / 4;

/// In place of a cycle.
const NEVER: u64 = u64::MAX;

/// A word of a CTA under way.
#[derive(Debug, Clone, Copy)]
struct Word {
    /// It was written.
    written: bool,
    /// Cycles in which it was read since the first write of its lifetime.
    reads: u32,
    /// Cycle of that write.
    born: u64,
    /// Cycle of its last read, or of the write that began its lifetime, whichever is later; [`NEVER`] of a word that was
    /// neither read nor written.
    last_read: u64,
}

impl Word {
    const UNTOUCHED: Self = Self { written: false, reads: 0, born: 0, last_read: NEVER };
}

/// The words of a CTA under way.
#[derive(Debug, Clone, Default)]
struct Block {
    started: u64,
    words: Vec<Word>,
    /// Cycle in which the line of a word left the cache first in the word's lifetime.
    left: Vec<Option<u64>>,
}

/// What all CTAs that have ended tell together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct LifetimeStatistics {
    /// CTAs that have ended.
    pub ctas: u64,
    /// Cycles from start to end, summed over the CTAs.
    pub cta_cycles: u64,
    /// Bytes that a CTA has for its shared memory, summed over the CTAs.
    pub allocated_bytes: u64,
    /// Bytes of the words that were read or written, summed over the CTAs.
    pub touched_bytes: u64,
    /// `allocated_bytes` times the cycles of the CTA, summed.
    pub allocated_byte_cycles: u64,
    /// `touched_bytes` times the cycles of the CTA, summed.
    pub touched_byte_cycles: u64,
    /// Lifetimes with at least one read.
    pub lifetimes: u64,
    /// Words that were written, once or more often, and not read before the end of their CTA.
    pub unread: u64,
    /// Lengths of the lifetimes with a read, summed, in cycles.
    pub lifetime_cycles: u64,
    /// The longest lifetime.
    pub longest: u64,
    /// By number of reads: place 0 holds what [`Self::unread`] does, place n the lifetimes with n reads, the last place those
    /// with [`MOST_READS`] or more (figure 6).
    pub reads: [u64; MOST_READS + 1],
    /// Of the lifetimes with a read, those whose line left the cache before the last read.
    pub left_early: u64,
    /// Those whose line left the cache after it, and before the next lifetime or the end of the CTA.
    pub left_late: u64,
    /// Cycles from the first write until the line left the cache for the first time, summed over the two.
    pub resident_cycles: u64,
    /// Lengths of the lifetimes of the two, summed.
    pub left_lifetime_cycles: u64,
}

impl LifetimeStatistics {
    /// Touched part of the allocated shared memory, 0 to 1; 0 without any (figure 1, of what is allocated).
    #[must_use]
    pub fn utilisation(&self) -> f64 {
        ratio(self.touched_bytes, self.allocated_bytes)
    }

    /// Average length of a lifetime by the average time of a CTA (figure 3); 0 without any.
    #[must_use]
    pub fn average_share(&self) -> f64 {
        ratio(self.lifetime_cycles, self.lifetimes) * ratio(self.ctas, self.cta_cycles)
    }

    /// The longest lifetime by the average time of a CTA (figure 3); 0 without any.
    #[must_use]
    pub fn longest_share(&self) -> f64 {
        self.longest as f64 * ratio(self.ctas, self.cta_cycles)
    }

    /// Time in the cache by lifetime, of the lifetimes whose line left it (figure 16); `None` if none left.
    #[must_use]
    pub fn residency(&self) -> Option<f64> {
        (self.left_lifetime_cycles > 0).then(|| ratio(self.resident_cycles, self.left_lifetime_cycles))
    }

    /// Adds what other CTAs tell.
    pub fn add(&mut self, other: &Self) {
        for (to, from) in [
            (&mut self.ctas, other.ctas),
            (&mut self.cta_cycles, other.cta_cycles),
            (&mut self.allocated_bytes, other.allocated_bytes),
            (&mut self.touched_bytes, other.touched_bytes),
            (&mut self.allocated_byte_cycles, other.allocated_byte_cycles),
            (&mut self.touched_byte_cycles, other.touched_byte_cycles),
            (&mut self.lifetimes, other.lifetimes),
            (&mut self.unread, other.unread),
            (&mut self.lifetime_cycles, other.lifetime_cycles),
            (&mut self.left_early, other.left_early),
            (&mut self.left_late, other.left_late),
            (&mut self.resident_cycles, other.resident_cycles),
            (&mut self.left_lifetime_cycles, other.left_lifetime_cycles),
        ] {
            *to += from;
        }
        for (to, from) in self.reads.iter_mut().zip(other.reads) {
            *to += from;
        }
        self.longest = self.longest.max(other.longest);
    }

    /// Adds what lines that left the cache tell, of the lifetimes of CTAs that are counted already.
    pub fn add_lines(&mut self, other: &Self) {
        self.left_early += other.left_early;
        self.left_late += other.left_late;
        self.resident_cycles += other.resident_cycles;
        self.left_lifetime_cycles += other.left_lifetime_cycles;
    }

    /// A lifetime is over: its place is taken or given back.
    fn end(&mut self, word: &Word, left: Option<u64>) {
        if !word.written {
            return;
        }
        if word.reads == 0 {
            self.unread += 1;
            self.reads[0] += 1;
            return;
        }
        let length = word.last_read.saturating_sub(word.born);
        self.lifetimes += 1;
        self.lifetime_cycles += length;
        self.longest = self.longest.max(length);
        self.reads[(word.reads as usize).min(MOST_READS)] += 1;
        let Some(left) = left else { return };
        *if left < word.last_read { &mut self.left_early } else { &mut self.left_late } += 1;
        self.resident_cycles += left.saturating_sub(word.born);
        self.left_lifetime_cycles += length;
    }
}

fn ratio(sum: u64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 }
}

/// Follows the words of the CTAs in the CTA slots of an SM.
#[derive(Debug, Clone, Default)]
pub struct Lifetimes {
    blocks: Vec<Option<Block>>,
    statistics: LifetimeStatistics,
}

/// Lanes of one access to the shared memory of a CTA.
#[derive(Debug, Clone, Copy)]
pub struct LaneOffsets<'a> {
    /// The lanes.
    pub lanes: LaneMask,
    /// The lowest byte of each lane, from the start of the CTA's shared memory; a multiple of `bytes`.
    pub offsets: &'a [u64; NUM_LANES],
    /// Bytes of a lane.
    pub bytes: u32,
}

impl LaneOffsets<'_> {
    /// The first word that each lane accesses; a lane that does what the one before it does is passed over.
    #[inline]
    fn first_words(self) -> impl Iterator<Item = usize> {
        let mut before = None;
        self.lanes.lanes().filter_map(move |lane| {
            let first = (self.offsets[lane] / 4) as usize;
            (before.replace(first) != Some(first)).then_some(first)
        })
    }

    /// Words of a lane.
    fn count(self) -> usize {
        self.bytes.div_ceil(4) as usize
    }
}

impl Lifetimes {
    /// A CTA with `bytes` bytes of shared memory starts in a slot.
    pub fn start(&mut self, slot: u8, cycle: u64, bytes: u32) {
        let slot = usize::from(slot);
        if self.blocks.len() <= slot {
            self.blocks.resize(slot + 1, None);
        }
        let words = vec![Word::UNTOUCHED; bytes.div_ceil(4) as usize];
        let left = vec![None; words.len()];
        self.blocks[slot] = Some(Block { started: cycle, words, left });
    }

    /// Lanes of the CTA in `slot` are performed; `kind` as requests have it.
    #[inline]
    pub fn performed(&mut self, slot: u8, cycle: u64, kind: u8, access: LaneOffsets<'_>) {
        if kind != kind::WRITE {
            self.read(slot, cycle, access);
        }
        if kind != kind::READ {
            self.write(slot, cycle, access);
        }
    }

    /// Lanes of the CTA in `slot` write. What lies beyond its shared memory has no lifetime.
    pub fn write(&mut self, slot: u8, cycle: u64, access: LaneOffsets<'_>) {
        let Self { blocks, statistics } = self;
        let Some(Some(block)) = blocks.get_mut(usize::from(slot)) else { return };
        let count = access.count();
        for first in access.first_words() {
            let words = first..first + count;
            let Some(left) = block.left.get_mut(words.clone()) else { continue };
            for (word, left) in block.words[words].iter_mut().zip(left) {
                if word.written && word.reads == 0 {
                    continue;
                }
                statistics.end(word, left.take());
                *word = Word { written: true, reads: 0, born: cycle, last_read: cycle };
            }
        }
    }

    /// Lanes of the CTA in `slot` read. An atomic is a read and then a write of each of its lanes.
    #[inline]
    pub fn read(&mut self, slot: u8, cycle: u64, access: LaneOffsets<'_>) {
        let Some(Some(block)) = self.blocks.get_mut(usize::from(slot)) else { return };
        let words = &mut block.words;
        let read = |word: &mut Word| {
            word.reads += u32::from(word.written & (word.last_read != cycle));
            word.last_read = cycle;
        };
        let count = access.count();
        for first in access.first_words() {
            // Nearly all accesses are of one word.
            if count == 1 {
                if let Some(word) = words.get_mut(first) {
                    read(word);
                }
            } else {
                words.get_mut(first..first + count).into_iter().flatten().for_each(read);
            }
        }
    }

    /// The line at `offset` of the CTA in `slot` leaves the cache in front of shared memory.
    pub fn line_left(&mut self, slot: u8, cycle: u64, offset: u32) {
        let Some(Some(block)) = self.blocks.get_mut(usize::from(slot)) else { return };
        let first = (offset / LINE_BYTES as u32 * LINE_WORDS) as usize;
        let words = block.words.iter().zip(&mut block.left);
        for (word, left) in words.skip(first).take(LINE_WORDS as usize) {
            if word.written && left.is_none() {
                *left = Some(cycle);
            }
        }
    }

    /// The CTA in `slot` ends: so do its lifetimes.
    pub fn end(&mut self, slot: u8, cycle: u64) {
        let Some(block) = self.blocks.get_mut(usize::from(slot)).and_then(Option::take) else { return };
        let time = cycle.saturating_sub(block.started);
        let s = &mut self.statistics;
        let touched = block.words.iter().filter(|word| word.last_read != NEVER).count();
        let [allocated, touched] = [block.words.len(), touched].map(|words| 4 * words as u64);
        s.ctas += 1;
        s.cta_cycles += time;
        s.allocated_bytes += allocated;
        s.touched_bytes += touched;
        s.allocated_byte_cycles += allocated * time;
        s.touched_byte_cycles += touched * time;
        for (word, left) in block.words.iter().zip(block.left) {
            s.end(word, left);
        }
    }

    /// What the CTAs that have ended tell.
    #[must_use]
    pub fn statistics(&self) -> &LifetimeStatistics {
        &self.statistics
    }
}
