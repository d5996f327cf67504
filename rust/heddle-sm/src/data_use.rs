//! How registers and lines of global and local memory are used: vacant and dead registers, reads of a value,
//! and cycles between two uses (CERF, MICRO 2016, figures 1, 2 and 5).
//!
//! Seen at the ports, so it means the same for every design. A value of a warp register begins with a result,
//! of whatever lanes, and ends with the next one, with its last read (dead bit) or with its warp. A read counts
//! at issue, once an instruction. A line is used by each request of the coalescer that is about it.

use std::collections::HashMap;

use heddle_port::{Issue, NUM_REGS, NUM_SOURCES, NUM_WARPS};
use serde::Serialize;

/// Values or lines by how often they were used again, and uses by the cycles since the use before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Reuse {
    /// Never.
    pub never: u64,
    /// Once.
    pub once: u64,
    /// Twice.
    pub twice: u64,
    /// Three times.
    pub thrice: u64,
    /// More often.
    pub more: u64,
    /// Uses that found a use before.
    pub reuses: u64,
    /// Of these, at most 100 cycles after it.
    pub within_100: u64,
    /// At most 1,000 cycles after it.
    pub within_1000: u64,
}

impl Reuse {
    /// A value or line was used `times` after its first use.
    fn ended(&mut self, times: u32) {
        *match times {
            0 => &mut self.never,
            1 => &mut self.once,
            2 => &mut self.twice,
            3 => &mut self.thrice,
            _ => &mut self.more,
        } += 1;
    }

    /// A use `distance` cycles after the one before.
    fn again(&mut self, distance: u64) {
        self.reuses += 1;
        self.within_100 += u64::from(distance <= 100);
        self.within_1000 += u64::from(distance <= 1000);
    }
}

/// Sums of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DataUseStatistics {
    /// Warp registers of no resident warp, summed over the cycles (static holes).
    pub static_hole_cycles: u64,
    /// Warp registers of resident warps without a live value (dynamic holes).
    pub dynamic_hole_cycles: u64,
    /// Warp registers with a live value.
    pub live_register_cycles: u64,
    /// Values of warp registers.
    pub registers: Reuse,
    /// Lines.
    pub lines: Reuse,
}

/// A warp register, or a line.
#[derive(Debug, Clone, Copy, Default)]
struct Datum {
    /// Cycle of its last use.
    last: u64,
    /// Uses since its first one.
    times: u32,
    /// A register has a value that is read again.
    live: bool,
    /// A register has a value whose uses are counted.
    open: bool,
}

/// The state that the sums are taken of.
#[derive(Debug, Clone)]
pub struct DataUse {
    /// Warp registers of the file.
    capacity: u64,
    per_warp: u64,
    resident: u64,
    live: u64,
    registers: Vec<Datum>,
    lines: HashMap<u32, Datum>,
    sums: DataUseStatistics,
}

impl DataUse {
    /// A file of `capacity` warp registers, of which each warp of the launch has `per_warp`.
    pub fn new(capacity: u32, per_warp: u32) -> Self {
        Self {
            capacity: capacity.into(),
            per_warp: per_warp.into(),
            resident: 0,
            live: 0,
            registers: vec![Datum::default(); NUM_WARPS * NUM_REGS],
            lines: HashMap::new(),
            sums: DataUseStatistics::default(),
        }
    }

    /// The sums up to now; values and lines that are still in use count as used so far.
    pub fn statistics(&self) -> DataUseStatistics {
        let mut sums = self.sums;
        self.registers.iter().filter(|r| r.open).for_each(|r| sums.registers.ended(r.times));
        self.lines.values().for_each(|l| sums.lines.ended(l.times));
        sums
    }

    /// The end of a cycle.
    #[inline]
    pub fn count_cycle(&mut self) {
        let allocated = self.resident * self.per_warp;
        self.sums.static_hole_cycles += self.capacity.saturating_sub(allocated);
        self.sums.dynamic_hole_cycles += allocated.saturating_sub(self.live);
        self.sums.live_register_cycles += self.live;
    }

    /// A warp gets its registers.
    pub fn warp_starts(&mut self) {
        self.resident += 1;
    }

    /// The warp in slot `warp` gives its registers back.
    pub fn warp_ends(&mut self, warp: usize) {
        self.resident -= 1;
        for register in &mut self.registers[warp * NUM_REGS..(warp + 1) * NUM_REGS] {
            self.live -= u64::from(register.live);
            if register.open {
                self.sums.registers.ended(register.times);
            }
            *register = Datum::default();
        }
    }

    #[inline]
    fn at(warp: u8, register: u8) -> usize {
        usize::from(warp) % NUM_WARPS * NUM_REGS + usize::from(register)
    }

    /// The design accepts an instruction.
    #[inline]
    pub fn issue(&mut self, cycle: u64, issue: &Issue) {
        for slot in 0..NUM_SOURCES {
            let register = issue.source[slot];
            let same = |other: usize| issue.source_valid >> other & 1 != 0 && issue.source[other] == register;
            if issue.source_valid >> slot & 1 != 0 && !(0..slot).any(same) {
                let dead = (slot..NUM_SOURCES).any(|other| same(other) && issue.dead >> other & 1 != 0);
                self.read(cycle, Self::at(issue.warp, register), dead);
            }
        }
    }

    #[inline]
    fn read(&mut self, cycle: u64, at: usize, dead: bool) {
        let datum = &mut self.registers[at];
        if datum.open {
            datum.times += 1;
            self.sums.registers.again(cycle - datum.last);
            datum.last = cycle;
        }
        if dead {
            self.live -= u64::from(datum.live);
            if datum.open {
                self.sums.registers.ended(datum.times);
            }
            *datum = Datum::default();
        }
    }

    /// The design accepts a result.
    #[inline]
    pub fn result(&mut self, cycle: u64, warp: u8, register: u8) {
        let datum = &mut self.registers[Self::at(warp, register)];
        if datum.open {
            self.sums.registers.ended(datum.times);
        }
        self.live += u64::from(!datum.live);
        *datum = Datum { last: cycle, times: 0, live: true, open: true };
    }

    /// A request of global or local memory that is about the line of byte address / 128.
    pub fn line(&mut self, cycle: u64, line: u32) {
        match self.lines.get_mut(&line) {
            Some(datum) => {
                datum.times += 1;
                self.sums.lines.again(cycle - datum.last);
                datum.last = cycle;
            }
            None => {
                self.lines.insert(line, Datum { last: cycle, ..Datum::default() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DataUse, Reuse};
    use heddle_port::Issue;

    fn read(sources: &[u8], dead: u8) -> Issue {
        let mut issue = Issue { valid: true, warp: 2, dead, ..Issue::default() };
        for (slot, &source) in sources.iter().enumerate() {
            issue.source[slot] = source;
            issue.source_valid |= 1 << slot;
        }
        issue
    }

    #[test]
    fn holes_are_registers_of_no_warp_and_registers_without_a_live_value() {
        let mut data = DataUse::new(100, 8);
        data.count_cycle();
        data.warp_starts();
        data.warp_starts();
        data.count_cycle();
        data.result(2, 2, 0);
        data.result(2, 2, 1);
        data.result(2, 2, 1);
        data.count_cycle();
        data.issue(3, &read(&[0, 1], 0b10));
        data.count_cycle();
        data.warp_ends(2);
        data.count_cycle();
        let sums = data.statistics();
        assert_eq!(sums.static_hole_cycles, 100 + 84 + 84 + 84 + 92);
        assert_eq!(sums.dynamic_hole_cycles, 16 + 14 + 15 + 8);
        assert_eq!(sums.live_register_cycles, 2 + 1);
    }

    #[test]
    fn reads_of_each_value_and_their_distances_are_counted() {
        let mut data = DataUse::new(100, 8);
        data.warp_starts();
        data.result(0, 2, 5);
        data.issue(100, &read(&[5, 5], 0));
        data.issue(201, &read(&[5], 0));
        data.result(202, 2, 5);
        data.issue(1202, &read(&[5, 3, 5], 0b100));
        data.result(1300, 2, 5);
        data.result(1301, 2, 6);
        data.issue(2302, &read(&[6], 0));
        data.warp_ends(2);
        let expected = Reuse {
            never: 1,
            once: 2,
            twice: 1,
            reuses: 4,
            within_100: 1,
            within_1000: 3,
            ..Reuse::default()
        };
        assert_eq!(data.statistics().registers, expected);
    }

    #[test]
    fn a_value_in_use_counts_as_used_so_far_and_a_dead_one_is_over() {
        let mut data = DataUse::new(100, 8);
        data.result(0, 2, 5);
        data.issue(1, &read(&[5], 1));
        data.issue(2, &read(&[5], 0));
        data.result(3, 2, 7);
        let registers = data.statistics().registers;
        assert_eq!((registers.once, registers.never, registers.reuses), (1, 1, 1));
        assert_eq!(data.statistics(), data.statistics(), "asking changes nothing");
    }

    #[test]
    fn lines_are_counted_by_their_requests() {
        let mut data = DataUse::new(100, 8);
        for (cycle, line) in [(0, 7), (100, 7), (201, 7), (1201, 7), (2202, 7), (2203, 9)] {
            data.line(cycle, line);
        }
        let expected =
            Reuse { never: 1, more: 1, reuses: 4, within_100: 1, within_1000: 3, ..Reuse::default() };
        assert_eq!(data.statistics().lines, expected);
    }
}
