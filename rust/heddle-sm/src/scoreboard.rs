//! Hazards of one warp: registers and predicates with an outstanding write, and sources that are
//! reserved until their operands are out.

use heddle_port::members;

/// A set of up to 256 registers or predicates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Set256(pub [u64; 4]);

impl Set256 {
    #[inline]
    pub fn insert(&mut self, index: usize) {
        self.0[index / 64] |= 1 << (index % 64);
    }

    #[inline]
    pub fn remove(&mut self, index: usize) {
        self.0[index / 64] &= !(1 << (index % 64));
    }

    #[inline]
    pub fn contains(&self, index: usize) -> bool {
        self.0[index / 64] >> (index % 64) & 1 != 0
    }

    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|i| self.0[i] | other.0[i]))
    }

    /// Calls `each` with the elements, lowest first.
    #[inline]
    fn each(&self, mut each: impl FnMut(usize)) {
        for (word, &bits) in self.0.iter().enumerate() {
            members(bits).for_each(|bit| each(word * 64 + bit));
        }
    }

    /// The lowest element of both sets.
    pub fn first_common(&self, other: &Self) -> Option<usize> {
        (0..4).find_map(|i| {
            let both = self.0[i] & other.0[i];
            (both != 0).then(|| i * 64 + both.trailing_zeros() as usize)
        })
    }

    #[cfg(test)]
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 4]
    }
}

/// What an instruction reads and writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Footprint {
    pub reads: Set256,
    pub writes: Set256,
    /// Guard and source predicates.
    pub pred_reads: Set256,
    /// Of these, the ones that are read only when the operands are out (the guard is read at issue).
    pub pred_held: Set256,
    pub pred_writes: Set256,
}

/// A set whose elements are reserved once or more often.
#[derive(Debug, Clone)]
struct Counted {
    set: Set256,
    count: [u8; 256],
}

impl Counted {
    fn new() -> Self {
        Self { set: Set256::default(), count: [0; 256] }
    }

    #[inline]
    fn reserve(&mut self, which: &Set256) {
        which.each(|index| {
            self.count[index] += 1;
            self.set.insert(index);
        });
    }

    #[inline]
    fn release(&mut self, which: &Set256) {
        which.each(|index| {
            self.count[index] -= 1;
            if self.count[index] == 0 {
                self.set.remove(index);
            }
        });
    }
}

/// Why an instruction cannot issue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hazard {
    /// A register, by number.
    Register(usize),
    /// A register that an outstanding load or atomic writes.
    Load(usize),
    /// A predicate, by number.
    Predicate(usize),
}

/// The scoreboard of one warp.
#[derive(Debug, Clone)]
pub struct Scoreboard {
    pending: Set256,
    /// Of these, written by loads and atomics of global or local memory.
    long: Set256,
    pred_pending: Set256,
    readers: Counted,
    pred_readers: Counted,
}

impl Scoreboard {
    pub fn new() -> Self {
        Self {
            pending: Set256::default(),
            long: Set256::default(),
            pred_pending: Set256::default(),
            readers: Counted::new(),
            pred_readers: Counted::new(),
        }
    }

    /// Nothing is outstanding.
    #[cfg(test)]
    pub fn is_clear(&self) -> bool {
        self.pending.is_empty()
            && self.pred_pending.is_empty()
            && self.readers.set.is_empty()
            && self.pred_readers.set.is_empty()
    }

    /// Whether an instruction with this footprint must wait.
    #[inline]
    pub fn blocks(&self, f: &Footprint) -> bool {
        let mut any = 0;
        for i in 0..4 {
            any |= self.pending.0[i] & (f.reads.0[i] | f.writes.0[i]);
            any |= self.readers.set.0[i] & f.writes.0[i];
            any |= self.pred_pending.0[i] & (f.pred_reads.0[i] | f.pred_writes.0[i]);
            any |= self.pred_readers.set.0[i] & f.pred_writes.0[i];
        }
        any != 0
    }

    /// What it waits for, loads first.
    pub fn hazard(&self, f: &Footprint) -> Option<Hazard> {
        let both = f.reads.union(&f.writes);
        let preds = f.pred_reads.union(&f.pred_writes);
        (self.long.first_common(&both).map(Hazard::Load))
            .or_else(|| self.pending.first_common(&both).map(Hazard::Register))
            .or_else(|| self.readers.set.first_common(&f.writes).map(Hazard::Register))
            .or_else(|| self.pred_pending.first_common(&preds).map(Hazard::Predicate))
            .or_else(|| self.pred_readers.set.first_common(&f.pred_writes).map(Hazard::Predicate))
    }

    /// Whether a register has an outstanding write.
    #[inline]
    pub fn is_pending(&self, register: usize) -> bool {
        self.pending.contains(register)
    }

    /// The instruction issues; its sources stay reserved until [`Scoreboard::collected`].
    #[inline]
    pub fn issue(&mut self, f: &Footprint, long: bool) {
        self.pending = self.pending.union(&f.writes);
        if long {
            self.long = self.long.union(&f.writes);
        }
        self.pred_pending = self.pred_pending.union(&f.pred_writes);
        self.readers.reserve(&f.reads);
        self.pred_readers.reserve(&f.pred_held);
    }

    /// Its operands are out.
    #[inline]
    pub fn collected(&mut self, f: &Footprint) {
        self.readers.release(&f.reads);
        self.pred_readers.release(&f.pred_held);
    }

    /// Register `register` has been written.
    #[inline]
    pub fn written(&mut self, register: usize) {
        self.pending.remove(register);
        self.long.remove(register);
    }

    /// Its predicates have been written.
    #[inline]
    pub fn predicates_written(&mut self, f: &Footprint) {
        for i in 0..4 {
            self.pred_pending.0[i] &= !f.pred_writes.0[i];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Footprint, Hazard, Scoreboard, Set256};

    fn set(registers: &[usize]) -> Set256 {
        let mut s = Set256::default();
        registers.iter().for_each(|&r| s.insert(r));
        s
    }

    fn footprint(reads: &[usize], writes: &[usize]) -> Footprint {
        Footprint { reads: set(reads), writes: set(writes), ..Footprint::default() }
    }

    #[test]
    fn read_after_write_waits_for_the_result() {
        let mut board = Scoreboard::new();
        let load = footprint(&[1], &[200, 201]);
        board.issue(&load, true);
        let user = footprint(&[201], &[3]);
        assert_eq!(board.hazard(&user), Some(Hazard::Load(201)));
        board.written(200);
        assert!(board.blocks(&user));
        board.written(201);
        assert!(!board.blocks(&user));
        assert_eq!(board.hazard(&user), None);
    }

    #[test]
    fn write_after_write_waits() {
        let mut board = Scoreboard::new();
        board.issue(&footprint(&[], &[7]), false);
        assert_eq!(board.hazard(&footprint(&[], &[7])), Some(Hazard::Register(7)));
        assert!(!board.blocks(&footprint(&[], &[8])));
    }

    #[test]
    fn write_after_read_waits_for_the_last_reader() {
        let mut board = Scoreboard::new();
        let reader = footprint(&[5], &[]);
        board.issue(&reader, false);
        board.issue(&reader, false);
        let writer = footprint(&[], &[5]);
        assert!(board.blocks(&writer));
        board.collected(&reader);
        assert!(board.blocks(&writer));
        board.collected(&reader);
        assert!(!board.blocks(&writer));
        assert!(board.is_clear());
    }

    #[test]
    fn predicates_have_the_same_hazards() {
        let mut board = Scoreboard::new();
        let setp = Footprint { pred_writes: set(&[2]), ..Footprint::default() };
        let selp = Footprint { pred_reads: set(&[2]), pred_held: set(&[2]), ..Footprint::default() };
        board.issue(&setp, false);
        assert_eq!(board.hazard(&selp), Some(Hazard::Predicate(2)));
        board.predicates_written(&setp);
        assert!(!board.blocks(&selp));
        board.issue(&selp, false);
        assert!(board.blocks(&setp));
        board.collected(&selp);
        assert!(!board.blocks(&setp));
    }
}
