//! Lock bits of the lines, and their read counters or the lock bits of their words.

use super::WAYS;
use super::config::{CacheShape, OsmConfig};
use heddle_port::{LINE_BYTES, members};

/// The words that a pass accesses: index of the line, and its words; a line may stand there several times.
#[derive(Debug, Clone, Default)]
pub struct PassWords(Vec<(u16, u32)>);

impl PassWords {
    /// A lane accesses 2^`size_log2` bytes at `address`, in the line at `index`.
    pub fn add(&mut self, index: u16, address: u32, size_log2: u8) {
        let words = (1u32 << (1u32 << size_log2).div_ceil(4)) - 1;
        self.0.push((index, words << (address as usize % LINE_BYTES / 4)));
    }

    /// Forgets them.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    fn of_line(&self, index: usize) -> u32 {
        self.0.iter().filter(|(line, _)| usize::from(*line) == index).fold(0, |all, (_, words)| all | words)
    }
}

/// A write locks a line; the `reads_to_unlock`-th read after it unlocks it (OSM, section 3). With a lock bit a word, a
/// line is locked until each word that was written was read.
#[derive(Debug, Clone)]
pub struct Locks {
    enabled: bool,
    reads_to_unlock: u8,
    /// Reads unlock nothing: who knows the lifetimes does.
    told: bool,
    /// By set, one bit a way.
    locked: Vec<u64>,
    /// Reads since the lock, by line.
    reads: Vec<u8>,
    /// Words that were written and not read since, by line; empty with a lock bit a line.
    unread: Vec<u32>,
}

/// What a pass did to the locks.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LockChange {
    /// A line got locked that was not.
    pub locked: bool,
    /// A line got unlocked.
    pub unlocked: bool,
}

impl Locks {
    /// No line is locked.
    #[must_use]
    pub fn new(shape: &CacheShape, config: &OsmConfig) -> Self {
        let lines = shape.sets * WAYS;
        Self {
            enabled: config.lock,
            reads_to_unlock: config.reads_to_unlock,
            told: false,
            locked: vec![0; shape.sets],
            reads: vec![0; lines],
            unread: vec![0; if shape.word_lock { lines } else { 0 }],
        }
    }

    /// Whether words have lock bits, so that [`Locks::read`] and [`Locks::write`] need them.
    #[must_use]
    pub fn by_word(&self) -> bool {
        !self.unread.is_empty()
    }

    /// From now on only [`Locks::set`] unlocks lines.
    pub fn tell(&mut self) {
        self.told = true;
    }

    /// Locks or unlocks a way of a set.
    pub fn set(&mut self, set: usize, way: usize, locked: bool) {
        if locked {
            self.locked[set] |= 1 << way;
        } else {
            self.locked[set] &= !(1 << way);
        }
    }

    /// The locked ways of a set.
    #[inline]
    #[must_use]
    pub fn of_set(&self, set: usize) -> u64 {
        self.locked[set]
    }

    /// The ways `used` of a set are written, `words` with a lock bit a word.
    pub fn write(&mut self, set: usize, used: u64, words: &PassWords) -> LockChange {
        if !self.enabled {
            return LockChange::default();
        }
        let new = used & !self.locked[set];
        self.locked[set] |= used;
        for way in members(used) {
            let line = set * WAYS + way;
            self.reads[line] = 0;
            if let Some(unread) = self.unread.get_mut(line) {
                *unread |= words.of_line(line);
            }
        }
        LockChange { locked: new != 0, unlocked: false }
    }

    /// The ways `used` of a set are read, `words` with a lock bit a word.
    pub fn read(&mut self, set: usize, used: u64, words: &PassWords) -> LockChange {
        let mut change = LockChange::default();
        if self.told {
            return change;
        }
        for way in members(used & self.locked[set]) {
            let line = set * WAYS + way;
            let reads = &mut self.reads[line];
            *reads = reads.saturating_add(1);
            let unlocks = match self.unread.get_mut(line) {
                Some(unread) => {
                    *unread &= !words.of_line(line);
                    *unread == 0
                }
                None => *reads == self.reads_to_unlock,
            };
            if unlocks {
                self.locked[set] &= !(1 << way);
                change.unlocked = true;
            }
        }
        change
    }

    /// The lines `ways` of a set are gone.
    #[inline]
    pub fn drop_ways(&mut self, set: usize, ways: u64) {
        self.locked[set] &= !ways;
        if let Some(unread) = self.unread.get_mut(set * WAYS..(set + 1) * WAYS) {
            let gone = unread.iter_mut().enumerate().filter(|(way, _)| ways >> way & 1 != 0);
            gone.for_each(|(_, words)| *words = 0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{CacheShape, LockChange, Locks, OsmConfig, PassWords};

    const LOCKED: LockChange = LockChange { locked: true, unlocked: false };
    const UNLOCKED: LockChange = LockChange { locked: false, unlocked: true };

    fn locks(word_lock: bool, reads_to_unlock: u8, lock: bool) -> Locks {
        let shape = CacheShape { sets: 2, word_lock, ..CacheShape::default() };
        Locks::new(&shape, &OsmConfig { reads_to_unlock, lock, ..OsmConfig::default() })
    }

    fn words(of: &[(u16, u32)]) -> PassWords {
        let mut words = PassWords::default();
        of.iter().for_each(|&(line, word)| words.add(line, 4 * word, 2));
        words
    }

    #[test]
    fn the_nth_read_unlocks_and_a_write_begins_anew() {
        let (mut locks, none) = (locks(false, 2, true), PassWords::default());
        assert!(!locks.by_word());
        assert_eq!(locks.write(1, 0b101, &none), LOCKED);
        assert_eq!(locks.read(1, 0b001, &none), LockChange::default());
        assert_eq!(locks.write(1, 0b001, &none), LockChange::default(), "locked already");
        assert_eq!(locks.read(1, 0b001, &none), LockChange::default(), "first read since the write");
        assert_eq!(locks.read(1, 0b011, &none), UNLOCKED);
        assert_eq!((locks.of_set(0), locks.of_set(1)), (0, 0b100));
        locks.drop_ways(1, 0b100);
        assert_eq!(locks.of_set(1), 0);
    }

    #[test]
    fn without_locking_nothing_is_locked() {
        let mut locks = locks(false, 1, false);
        assert_eq!(locks.write(0, u64::MAX, &PassWords::default()), LockChange::default());
        assert_eq!(locks.of_set(0), 0);
    }

    #[test]
    fn with_a_bit_a_word_the_last_unread_word_unlocks() {
        let mut locks = locks(true, 1, true);
        assert!(locks.by_word());
        // Line 66 is way 2 of set 1.
        assert_eq!(locks.write(1, 0b100, &words(&[(66, 0), (66, 1), (66, 31)])), LOCKED);
        assert_eq!(locks.read(1, 0b100, &words(&[(66, 0), (66, 5)])), LockChange::default());
        assert_eq!(locks.read(1, 0b100, &words(&[(66, 31)])), LockChange::default());
        assert_eq!(locks.write(1, 0b100, &words(&[(66, 0)])), LockChange::default(), "word 0 again");
        assert_eq!(locks.read(1, 0b100, &words(&[(66, 1)])), LockChange::default());
        assert_eq!(locks.read(1, 0b100, &words(&[(66, 0), (65, 7)])), UNLOCKED);
        assert_eq!(locks.of_set(1), 0);
        locks.write(1, 0b100, &words(&[(66, 9)]));
        locks.drop_ways(1, 0b100);
        locks.write(1, 0b100, &words(&[(66, 1)]));
        assert_eq!(locks.read(1, 0b100, &words(&[(66, 1)])), UNLOCKED, "word 9 went with its line");
    }
}
