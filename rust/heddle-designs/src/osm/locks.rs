//! Lock bits of the lines, and their read counters.

use super::WAYS;

/// A write locks a line; the `reads_to_unlock`-th read after it unlocks it (OSM, section 3).
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
    /// No line of `sets` sets is locked.
    #[must_use]
    pub fn new(sets: usize, enabled: bool, reads_to_unlock: u8) -> Self {
        Self { enabled, reads_to_unlock, told: false, locked: vec![0; sets], reads: vec![0; sets * WAYS] }
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

    /// The ways `used` of a set are written.
    pub fn write(&mut self, set: usize, used: u64) -> LockChange {
        if !self.enabled {
            return LockChange::default();
        }
        let new = used & !self.locked[set];
        self.locked[set] |= used;
        let mut rest = used;
        while rest != 0 {
            let way = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            self.reads[set * WAYS + way] = 0;
        }
        LockChange { locked: new != 0, unlocked: false }
    }

    /// The ways `used` of a set are read.
    pub fn read(&mut self, set: usize, used: u64) -> LockChange {
        let mut change = LockChange::default();
        if self.told {
            return change;
        }
        let mut rest = used & self.locked[set];
        while rest != 0 {
            let way = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let reads = &mut self.reads[set * WAYS + way];
            *reads += 1;
            if *reads == self.reads_to_unlock {
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
    }
}

#[cfg(test)]
mod tests {
    use super::{LockChange, Locks};

    const LOCKED: LockChange = LockChange { locked: true, unlocked: false };
    const UNLOCKED: LockChange = LockChange { locked: false, unlocked: true };

    #[test]
    fn the_nth_read_unlocks_and_a_write_begins_anew() {
        let mut locks = Locks::new(2, true, 2);
        assert_eq!(locks.write(1, 0b101), LOCKED);
        assert_eq!(locks.read(1, 0b001), LockChange::default());
        assert_eq!(locks.write(1, 0b001), LockChange::default(), "locked already");
        assert_eq!(locks.read(1, 0b001), LockChange::default(), "first read since the write");
        assert_eq!(locks.read(1, 0b011), UNLOCKED);
        assert_eq!((locks.of_set(0), locks.of_set(1)), (0, 0b100));
        locks.drop_ways(1, 0b100);
        assert_eq!(locks.of_set(1), 0);
    }

    #[test]
    fn without_locking_nothing_is_locked() {
        let mut locks = Locks::new(1, false, 1);
        assert_eq!(locks.write(0, u64::MAX), LockChange::default());
        assert_eq!(locks.of_set(0), 0);
    }
}
