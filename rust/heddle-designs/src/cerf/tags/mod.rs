//! Tags, states and LRU order of the entries of one tag bank.
//!
//! [`TagBank::look_up`] is the tagging stage's combinational look-up, [`TagBank::commit`] the clock edge.

#[cfg(test)]
mod tests;

use super::entry::{Op, State, next_state};
use super::exits::EXIT_ROWS;
use super::{ENTRIES_PER_BANK, register_line};

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
            (Op::WriteReg { .. } | Op::Refill, Away::No) => *register = Away::No,
            _ => {}
        }
    }

    /// Frees the `rows` of a group of 16 registers of the bank, whose warp has ended; those that had an entry.
    /// None while one of them is on its way back, and nothing is freed.
    #[inline]
    #[must_use]
    pub fn free(&mut self, group: u8, rows: u16) -> Option<u16> {
        let first = usize::from(group) * EXIT_ROWS;
        let members = (0..EXIT_ROWS).filter(|row| rows >> row & 1 == 1);
        if members.clone().any(|row| self.away[first + row] == Away::Returning) {
            return None;
        }
        let mut ended = 0;
        for row in members {
            self.away[first + row] = Away::No;
            let line = register_line(((first + row) << TAG_BANK_BITS) as u16);
            let (set, tag) = (self.first_row(line), self.tag_of(line));
            let mut ways = set..set + self.ways;
            if let Some(entry) = ways.find(|&e| self.state[e] == State::Reg && self.tag[e] == tag) {
                self.state[entry] = State::Inactive;
                self.registers -= 1;
                ended |= 1 << row;
            }
        }
        Some(ended)
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
