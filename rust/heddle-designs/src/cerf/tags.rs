//! Tags, states and LRU order of the entries of one tag bank.
//!
//! [`TagBank::look_up`] is the tagging stage's combinational look-up, [`TagBank::commit`] the clock edge.

use super::ENTRIES_PER_BANK;
use super::entry::{Op, State, next_state};

/// Bits of a line number that choose the tag bank.
const TAG_BANK_BITS: u32 = 2;

/// Where a register is that has no entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Away {
    /// Nowhere: it was never written or is dead.
    #[default]
    No,
    /// In memory, at its reg-mem address.
    Spilled,
    /// On its way back.
    Returning,
}

/// What a look-up found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Lookup {
    /// The register or line is there.
    pub hit: bool,
    /// The operation has an entry: found, or taken from another.
    pub placed: bool,
    /// A dirty line or a register is in the way; the operation only writes it back.
    pub evict: bool,
    /// The old value of the operation's register, which it needs, is not here.
    pub away: Away,
    /// State of the entry; inactive without one.
    pub before: State,
    /// The entry, {set, way}: its row in the data banks.
    pub row: u8,
    /// Line number that the entry holds.
    pub holds: u32,
}

/// One tag bank.
#[derive(Debug, Clone)]
pub struct TagBank {
    ways: usize,
    /// Registers give way too.
    fair: bool,
    set_bits: u32,
    tag: [u32; ENTRIES_PER_BANK],
    state: [State; ENTRIES_PER_BANK],
    /// 0 is the most recently used way of the set.
    age: [u8; ENTRIES_PER_BANK],
    /// By register of the bank.
    away: [Away; ENTRIES_PER_BANK],
    registers: u16,
    lines: u16,
}

impl TagBank {
    /// An empty bank of sets with `ways` (2, 4 or 8) ways; `fair` if registers give way as lines do.
    #[must_use]
    pub fn new(ways: usize, fair: bool) -> Self {
        let sets = ENTRIES_PER_BANK / ways;
        Self {
            ways,
            fair,
            set_bits: sets.ilog2(),
            tag: [0; ENTRIES_PER_BANK],
            state: [State::Inactive; ENTRIES_PER_BANK],
            age: std::array::from_fn(|row| (row % ways) as u8),
            away: [Away::No; ENTRIES_PER_BANK],
            registers: 0,
            lines: 0,
        }
    }

    /// Entries that hold a register.
    #[inline]
    #[must_use]
    pub fn registers(&self) -> u16 {
        self.registers
    }

    /// Entries that hold a line.
    #[inline]
    #[must_use]
    pub fn lines(&self) -> u16 {
        self.lines
    }

    /// State of an entry.
    #[inline]
    #[must_use]
    pub fn state(&self, row: u8) -> State {
        self.state[usize::from(row)]
    }

    /// Age of an entry in its set, 0 for the most recently used.
    #[inline]
    #[must_use]
    pub fn age(&self, row: u8) -> u8 {
        self.age[usize::from(row)]
    }

    /// Whether the register of a line is on its way back.
    #[inline]
    #[must_use]
    pub fn returning(&self, line: u32) -> bool {
        self.away[Self::register_of(line)] == Away::Returning
    }

    /// Number in the bank of the register that has a line.
    #[inline]
    fn register_of(line: u32) -> usize {
        (line >> TAG_BANK_BITS) as usize % ENTRIES_PER_BANK
    }

    #[inline]
    fn first_row(&self, line: u32) -> usize {
        (line >> TAG_BANK_BITS) as usize % (ENTRIES_PER_BANK / self.ways) * self.ways
    }

    #[inline]
    fn tag_of(&self, line: u32) -> u32 {
        line >> (TAG_BANK_BITS + self.set_bits)
    }

    /// The entry that a new register or line takes: the lowest inactive way, else the least recently used
    /// line, or, of a fair bank, the least recently used way.
    #[inline]
    fn victim(&self, first: usize) -> Option<usize> {
        let rows = first..first + self.ways;
        if let Some(row) = rows.clone().find(|&row| self.state[row] == State::Inactive) {
            return Some(row);
        }
        rows.filter(|&row| self.fair || self.state[row].is_line()).max_by_key(|&row| self.age[row])
    }

    /// Looks up `line` for `op`; changes nothing.
    #[inline]
    #[must_use]
    pub fn look_up(&self, op: Op, line: u32) -> Lookup {
        let (first, tag) = (self.first_row(line), self.tag_of(line));
        let found = if op == Op::Flush {
            Some(first + tag as usize % self.ways).filter(|&row| self.state[row].is_line())
        } else {
            (first..first + self.ways).find(|&row| self.tag[row] == tag && self.state[row] != State::Inactive)
        };
        let away = if found.is_none() { self.needs(op, line) } else { Away::No };
        let allocates = found.is_none() && op.allocates() && away == Away::No;
        let place = if allocates { self.victim(first) } else { found };
        let Some(row) = place else {
            return Lookup { row: first as u8, away, ..Lookup::default() };
        };
        let before = self.state[row];
        Lookup {
            hit: found.is_some(),
            placed: true,
            evict: match before {
                State::Dirty => matches!(op, Op::Bypass | Op::Flush) || found.is_none(),
                State::Reg => found.is_none(),
                State::Inactive | State::Cache => false,
            },
            away,
            before,
            row: row as u8,
            holds: self.tag[row] << (TAG_BANK_BITS + self.set_bits)
                | line & ((1 << (TAG_BANK_BITS + self.set_bits)) - 1),
        }
    }

    /// Where the old value of the operation's register is, if it needs it and has no entry.
    #[inline]
    fn needs(&self, op: Op, line: u32) -> Away {
        match (op, self.away[Self::register_of(line)]) {
            (Op::WriteReg { full: true }, Away::Spilled) => Away::No,
            (Op::ReadReg { .. } | Op::WriteReg { .. }, away) => away,
            _ => Away::No,
        }
    }

    /// What becomes of a register that has no entry.
    #[inline]
    fn move_register(&mut self, op: Op, line: u32, found: &Lookup) {
        if found.evict {
            if found.before == State::Reg {
                self.away[Self::register_of(found.holds)] = Away::Spilled;
            }
            return;
        }
        let register = &mut self.away[Self::register_of(line)];
        match (op, found.away) {
            (_, Away::Spilled) => *register = Away::Returning,
            (Op::WriteReg { .. } | Op::Refill | Op::Kill, Away::No) => *register = Away::No,
            _ => {}
        }
    }

    /// Carries out what was looked up.
    #[inline]
    pub fn commit(&mut self, op: Op, line: u32, found: &Lookup) {
        if self.fair {
            self.move_register(op, line, found);
        }
        if !found.placed {
            return;
        }
        let row = usize::from(found.row);
        let after = next_state(op, found.evict, found.before);
        self.state[row] = after;
        self.registers =
            self.registers - u16::from(found.before == State::Reg) + u16::from(after == State::Reg);
        self.lines = self.lines - u16::from(found.before.is_line()) + u16::from(after.is_line());
        if after == State::Inactive {
            return;
        }
        if !found.hit {
            self.tag[row] = self.tag_of(line);
        }
        let first = self.first_row(line);
        let used = self.age[row];
        for age in &mut self.age[first..first + self.ways] {
            *age += u8::from(*age < used);
        }
        self.age[row] = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Op, State};
    use super::super::register_line;
    use super::{Away, TagBank};

    const WRITE: Op = Op::WriteReg { full: true };
    const MASKED: Op = Op::WriteReg { full: false };
    const READ: Op = Op::ReadReg { dead: false };

    /// Carries out `op` once and returns the state before and whether it had a place.
    fn run(bank: &mut TagBank, op: Op, line: u32) -> (bool, bool, bool) {
        let found = bank.look_up(op, line);
        bank.commit(op, line, &found);
        (found.hit, found.placed, found.evict)
    }

    /// Line `n` of tag bank 0 and set 0, for four ways.
    fn line(n: u32) -> u32 {
        n << 8
    }

    #[test]
    fn the_least_recently_used_line_leaves() {
        let mut bank = TagBank::new(4, false);
        for n in 0..4 {
            assert_eq!(run(&mut bank, Op::Fill, line(n)), (false, true, false));
        }
        assert_eq!(run(&mut bank, Op::Load, line(0)), (true, true, false));
        assert_eq!(bank.look_up(Op::Fill, line(9)).holds, line(1));
        run(&mut bank, Op::Fill, line(9));
        assert!(!bank.look_up(Op::Load, line(1)).hit);
        assert_eq!(bank.lines(), 4);
    }

    #[test]
    fn a_register_takes_a_line_and_no_line_takes_a_register() {
        for ways in [2, 4, 8] {
            let mut bank = TagBank::new(ways, false);
            let sets = (256 / ways) as u16;
            for n in 0..ways as u32 {
                run(&mut bank, Op::Fill, (n * u32::from(sets)) << 2);
            }
            for n in 0..ways as u16 {
                let register = register_line(4 * n * sets);
                assert_eq!(run(&mut bank, WRITE, register), (false, true, false));
            }
            assert_eq!((bank.registers(), bank.lines()), (ways as u16, 0));
            assert_eq!(run(&mut bank, Op::Fill, 0), (false, false, false), "all ways hold registers");
            assert_eq!(bank.registers(), ways as u16);
        }
    }

    #[test]
    fn a_dirty_line_is_written_back_before_its_place_is_taken() {
        let mut bank = TagBank::new(2, false);
        let step = 128 << 2;
        run(&mut bank, Op::Fill, 0);
        run(&mut bank, Op::Store, 0);
        run(&mut bank, Op::Fill, step);
        run(&mut bank, Op::Store, step);
        assert_eq!(run(&mut bank, Op::Fill, 2 * step), (false, true, true), "the first time it evicts");
        assert_eq!(bank.lines(), 1);
        assert_eq!(run(&mut bank, Op::Fill, 2 * step), (false, true, false));
        assert!(bank.look_up(Op::Load, step).hit && !bank.look_up(Op::Load, 0).hit);
    }

    #[test]
    fn a_flush_writes_dirty_lines_back_and_leaves_registers_alone() {
        for ways in [2, 4, 8] {
            let mut bank = TagBank::new(ways, false);
            let sets = 256 / ways as u32;
            run(&mut bank, WRITE, register_line(0));
            run(&mut bank, Op::Fill, sets << 2);
            run(&mut bank, Op::Fill, 5 << 2);
            run(&mut bank, Op::Store, 5 << 2);
            let mut written = Vec::new();
            for entry in 0..256 {
                let found = bank.look_up(Op::Flush, entry << 2);
                bank.commit(Op::Flush, entry << 2, &found);
                if found.evict {
                    written.push(found.holds);
                    assert!(!bank.look_up(Op::Flush, entry << 2).placed, "it is gone");
                }
            }
            assert_eq!((written, bank.registers(), bank.lines()), (vec![5 << 2], 1, 0));
        }
    }

    #[test]
    fn a_dead_register_leaves_its_entry_to_the_next_one() {
        let mut bank = TagBank::new(4, false);
        let line = register_line(4);
        run(&mut bank, WRITE, line);
        assert_eq!(bank.state(bank.look_up(Op::Kill, line).row), State::Reg);
        run(&mut bank, Op::ReadReg { dead: true }, line);
        assert_eq!(bank.registers(), 0);
        assert!(!bank.look_up(Op::ReadReg { dead: false }, line).placed);
        assert_eq!(run(&mut bank, Op::Kill, line), (false, false, false), "nothing is left to free");
    }

    /// Register `n` of tag bank 0 and set 0, for two ways.
    fn register(n: u16) -> u32 {
        register_line(512 * n)
    }

    /// A fair bank of two ways whose register 0 was spilled for line 0, and which holds lines 0 and 512.
    fn spilled() -> TagBank {
        let mut bank = TagBank::new(2, true);
        run(&mut bank, WRITE, register(0));
        run(&mut bank, Op::Fill, 0);
        run(&mut bank, Op::Load, 0);
        assert_eq!(run(&mut bank, Op::Fill, 512), (false, true, true), "the register goes first");
        assert_eq!((bank.registers(), bank.lines()), (0, 1));
        assert_eq!(run(&mut bank, Op::Fill, 512), (false, true, false));
        bank
    }

    #[test]
    fn a_fair_bank_spills_the_least_recently_used_register() {
        let mut bank = spilled();
        let read = bank.look_up(READ, register(0));
        assert_eq!((read.hit, read.placed, read.away), (false, false, Away::Spilled));
        assert_eq!(bank.look_up(READ, register(1)).away, Away::No, "never written");
        bank.commit(READ, register(0), &read);
        assert!(bank.returning(register(0)));
        assert_eq!(bank.look_up(MASKED, register(0)).away, Away::Returning);
        assert_eq!(run(&mut bank, Op::Refill, register(0)), (false, true, false), "it takes a clean line");
        assert!(bank.look_up(READ, register(0)).hit && !bank.returning(register(0)));
        assert_eq!((bank.registers(), bank.lines()), (1, 1));
    }

    #[test]
    fn only_a_write_of_all_lanes_does_without_the_spilled_value() {
        let mut bank = spilled();
        let masked = bank.look_up(MASKED, register(0));
        assert_eq!((masked.placed, masked.away), (false, Away::Spilled));
        assert_eq!(run(&mut bank, WRITE, register(0)), (false, true, false));
        assert_eq!(bank.look_up(MASKED, register(0)).away, Away::No);
    }

    #[test]
    fn a_spilled_register_of_a_warp_that_ends_is_forgotten() {
        let mut bank = spilled();
        assert_eq!(run(&mut bank, Op::Kill, register(0)), (false, false, false));
        assert_eq!(bank.look_up(READ, register(0)).away, Away::No);
    }

    #[test]
    fn the_ages_of_a_set_stay_a_permutation() {
        for ways in [2_usize, 4, 8] {
            let mut bank = TagBank::new(ways, false);
            let mut word = 1_u32;
            for _ in 0..20_000 {
                word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let line = (word >> 8 & 15) << 8;
                let op = [Op::Fill, Op::Load, Op::Store, Op::Bypass][(word >> 30) as usize];
                run(&mut bank, op, line);
                let mut ages: Vec<u8> = (0..ways as u8).map(|way| bank.age(way)).collect();
                ages.sort_unstable();
                assert!(ages.iter().enumerate().all(|(i, &age)| i == usize::from(age)), "{ages:?}");
            }
        }
    }
}
