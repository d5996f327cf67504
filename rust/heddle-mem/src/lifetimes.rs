//! How long the addresses of shared memory live (OSM, section 1 and figures 2, 3, 6 and 16).
//!
//! An address is a 4-byte word of one CTA's shared memory. Its lifetime begins with a write and ends with the last
//! read before the next write; writes without a read between them begin no new lifetime. Reads of a
//! word that was never written belong to none. Cycles are those in which accesses are performed.

use std::collections::{BTreeMap, HashMap, HashSet};

/// Reads of a lifetime that are counted one by one; the last place of the distribution counts all above.
pub const MOST_READS: usize = 10;

/// A lifetime that has not ended.
#[derive(Debug, Clone, Copy)]
struct Life {
    /// Cycle of its first write.
    born: u64,
    /// Cycle of its last read so far.
    last_read: u64,
    reads: u32,
}

/// The words of a CTA under way.
#[derive(Debug, Clone, Default)]
struct Block {
    started: u64,
    lives: BTreeMap<u32, Life>,
    touched: u32,
    /// Words read and never written.
    unwritten: HashSet<u32>,
    ended: Vec<Life>,
}

/// What all CTAs that have ended tell together.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LifetimeStatistics {
    /// CTAs that have ended.
    pub ctas: u64,
    /// Cycles from start to end, summed over the CTAs.
    pub cta_cycles: u64,
    /// Bytes that a CTA has for its shared memory, summed over the CTAs.
    pub allocated_bytes: u64,
    /// Bytes of the words that were read or written, summed over the CTAs.
    pub touched_bytes: u64,
    /// Lifetimes with at least one read.
    pub lifetimes: u64,
    /// Words that were written and not read before the next write or the end of their CTA.
    pub unread: u64,
    /// Lengths of the lifetimes with a read, summed, in cycles.
    pub lifetime_cycles: u64,
    /// The longest lifetime.
    pub longest: u64,
    /// Lengths of the lifetimes as parts of their CTA's time, summed.
    pub lifetime_share: f64,
    /// Lifetimes by number of reads: place n is n reads, the last place [`MOST_READS`] or more.
    pub reads: [u64; MOST_READS + 1],
}

impl LifetimeStatistics {
    /// Touched part of the allocated shared memory, 0 to 1; 0 without any.
    #[must_use]
    pub fn utilisation(&self) -> f64 {
        ratio(self.touched_bytes as f64, self.allocated_bytes)
    }

    /// Average length of a lifetime as a part of its CTA's time (figure 3); 0 without any.
    #[must_use]
    pub fn average_share(&self) -> f64 {
        ratio(self.lifetime_share, self.lifetimes)
    }
}

fn ratio(sum: f64, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum / count as f64 }
}

/// Follows the words of all CTAs.
#[derive(Debug, Clone, Default)]
pub struct Lifetimes {
    blocks: HashMap<u64, Block>,
    statistics: LifetimeStatistics,
}

/// The 4-byte words that `bytes` bytes from `offset` on lie in.
fn words(offset: u32, bytes: u32) -> impl Iterator<Item = u32> {
    let last = offset.saturating_add(bytes.max(1) - 1) / 4;
    offset / 4..=last
}

impl Lifetimes {
    /// CTA number `cta` starts.
    pub fn start(&mut self, cta: u64, cycle: u64) {
        self.blocks.insert(cta, Block { started: cycle, ..Block::default() });
    }

    /// A lane writes `bytes` bytes.
    pub fn write(&mut self, cta: u64, cycle: u64, offset: u32, bytes: u32) {
        let Some(block) = self.blocks.get_mut(&cta) else { return };
        for word in words(offset, bytes) {
            let new = Life { born: cycle, last_read: cycle, reads: 0 };
            match block.lives.get_mut(&word) {
                Some(life) if life.reads == 0 => {}
                Some(life) => block.ended.push(std::mem::replace(life, new)),
                None => {
                    block.lives.insert(word, new);
                    block.touched += u32::from(!block.unwritten.remove(&word));
                }
            }
        }
    }

    /// A lane reads `bytes` bytes.
    pub fn read(&mut self, cta: u64, cycle: u64, offset: u32, bytes: u32) {
        let Some(block) = self.blocks.get_mut(&cta) else { return };
        for word in words(offset, bytes) {
            if let Some(life) = block.lives.get_mut(&word) {
                life.last_read = cycle;
                life.reads += 1;
            } else if block.unwritten.insert(word) {
                block.touched += 1;
            }
        }
    }

    /// CTA number `cta`, to which `allocated` bytes belong, ends: so do its lifetimes.
    pub fn end(&mut self, cta: u64, cycle: u64, allocated: u32) {
        let Some(block) = self.blocks.remove(&cta) else { return };
        let time = cycle.saturating_sub(block.started);
        let s = &mut self.statistics;
        s.ctas += 1;
        s.cta_cycles += time;
        s.allocated_bytes += u64::from(allocated);
        s.touched_bytes += 4 * u64::from(block.touched);
        for life in block.ended.iter().chain(block.lives.values()) {
            if life.reads == 0 {
                s.unread += 1;
                continue;
            }
            let length = life.last_read.saturating_sub(life.born);
            s.lifetimes += 1;
            s.lifetime_cycles += length;
            s.longest = s.longest.max(length);
            s.lifetime_share += ratio(length as f64, time);
            s.reads[(life.reads as usize).min(MOST_READS)] += 1;
        }
    }

    /// What the CTAs that have ended tell.
    #[must_use]
    pub fn statistics(&self) -> &LifetimeStatistics {
        &self.statistics
    }
}

#[cfg(test)]
mod tests {
    use super::Lifetimes;

    #[test]
    fn a_lifetime_goes_from_the_first_write_to_the_last_read_before_the_next_write() {
        let mut l = Lifetimes::default();
        l.start(7, 100);
        l.write(7, 110, 0, 4);
        l.write(7, 120, 0, 4);
        l.read(7, 130, 0, 4);
        l.read(7, 150, 2, 1);
        l.write(7, 160, 0, 4);
        l.read(7, 170, 0, 4);
        l.write(7, 190, 0, 4);
        l.end(7, 300, 16);
        let s = l.statistics();
        assert_eq!((s.lifetimes, s.unread), (2, 1));
        assert_eq!((s.lifetime_cycles, s.longest), (40 + 10, 40));
        assert_eq!((s.reads[1], s.reads[2]), (1, 1));
        assert!((s.average_share() - 25.0 / 200.0).abs() < 1e-12);
        assert!((s.utilisation() - 0.25).abs() < 1e-12);
    }

    #[test]
    fn wide_accesses_are_several_words_and_ctas_are_apart() {
        let mut l = Lifetimes::default();
        l.start(0, 0);
        l.start(1, 0);
        l.write(0, 5, 8, 16);
        l.read(0, 9, 12, 8);
        l.read(1, 9, 12, 8);
        l.end(0, 10, 64);
        assert_eq!((l.statistics().lifetimes, l.statistics().unread), (2, 2));
        assert_eq!(l.statistics().touched_bytes, 16);
        l.end(1, 10, 64);
        let s = l.statistics();
        assert_eq!((s.ctas, s.lifetimes, s.touched_bytes), (2, 2, 24));
    }

    #[test]
    fn a_word_read_before_it_is_written_is_touched_once_and_many_reads_are_counted_together() {
        let mut l = Lifetimes::default();
        l.start(0, 0);
        l.read(0, 1, 0, 4);
        l.write(0, 2, 0, 4);
        for cycle in 3..30 {
            l.read(0, cycle, 0, 4);
        }
        l.end(0, 30, 4);
        let s = l.statistics();
        assert_eq!((s.touched_bytes, s.reads[super::MOST_READS], s.longest), (4, 1, 27));
        assert_eq!(s.ctas, 1);
    }

    #[test]
    fn what_belongs_to_no_cta_and_nothing_at_all_count_nothing() {
        let mut l = Lifetimes::default();
        l.write(3, 1, 0, 4);
        l.read(3, 2, 0, 4);
        l.end(3, 3, 4);
        assert_eq!(*l.statistics(), super::LifetimeStatistics::default());
        assert!(l.statistics().utilisation() == 0.0 && l.statistics().average_share() == 0.0);
    }
}
