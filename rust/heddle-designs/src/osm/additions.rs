//! Floating-point additions on their way from the banks through the adders back to the banks.
//!
//! A pass of additions has its words in the cycle after the decision, and its sums are written five cycles later, one
//! pass in a cycle. Its lines are closed until then. A fill has the banks' write port first: sums that would be
//! written beside it stay, and so do all behind them.

use heddle_port::MemKind;
use heddle_port::memory::MemRequest;

use super::MOST_SETS;

/// Codes of atomic operations from here on add floating-point numbers.
const FLOAT_CODES: u8 = 12;
/// Stages between decision and banks.
const STAGES: usize = 6;

/// Whether a request that the cache itself carries out adds floating-point numbers.
#[must_use]
pub fn adds_floats(request: &MemRequest) -> bool {
    request.kind == MemKind::Atomic as u8 && request.atomic >= FLOAT_CODES
}

/// The additions on their way.
#[derive(Debug, Clone, Default)]
pub struct Additions {
    /// By stage: the lines of a pass, as ways of each set; the last stage writes.
    stages: [Option<[u64; MOST_SETS]>; STAGES],
    /// The pass of this cycle.
    started: Option<[u64; MOST_SETS]>,
    /// The lines of all stages that are not written in this cycle.
    closed: [u64; MOST_SETS],
    /// A fill came in the last cycle, and is written in this one.
    filled: bool,
}

impl Additions {
    /// The last stage cannot write in this cycle.
    fn holds(&self) -> bool {
        self.filled && self.stages[STAGES - 1].is_some()
    }

    /// Sums of the line at `index` are on their way.
    #[must_use]
    pub fn closes(&self, index: usize) -> bool {
        self.closed[index / super::WAYS] >> (index % super::WAYS) & 1 != 0
    }

    /// The ways of a set whose lines wait for sums.
    #[must_use]
    pub fn closed(&self, set: usize) -> u64 {
        self.closed[set]
    }

    /// A line waits for sums.
    #[must_use]
    pub fn is_closing(&self) -> bool {
        self.holds() || self.stages[..STAGES - 1].iter().any(Option::is_some)
    }

    /// Sums may be written in the next cycle.
    #[must_use]
    pub fn may_write_next(&self) -> bool {
        self.holds() || self.stages[STAGES - 2].is_some()
    }

    /// A pass of additions to lines, by set.
    pub fn start(&mut self, lines: [u64; MOST_SETS]) {
        self.started = Some(lines);
    }

    /// The clock edge; `fill` if a fill has come in this cycle.
    pub fn end_cycle(&mut self, fill: bool) {
        if self.stages.iter().all(Option::is_none) && self.started.is_none() {
            self.filled = fill;
            return;
        }
        if !self.holds() {
            self.stages.rotate_right(1);
        }
        // Behind a stage that holds the first one is empty: no addition is decided on beside a fill.
        self.stages[0] = self.started.take();
        self.filled = fill;
        self.closed = [0; MOST_SETS];
        let waiting = if self.holds() { STAGES } else { STAGES - 1 };
        for lines in self.stages[..waiting].iter().flatten() {
            self.closed.iter_mut().zip(lines).for_each(|(all, ways)| *all |= ways);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::bench::{Bench, access, config, read, write};
    use super::super::layout;
    use super::{Additions, FLOAT_CODES, MOST_SETS};
    use heddle_port::memory::MemRequest;

    fn add(tag: u16, mask: u32, offset: impl Fn(u32) -> u32) -> MemRequest {
        MemRequest { atomic: FLOAT_CODES, ..access(2, tag, 0, mask, offset) }
    }

    #[test]
    fn sums_of_one_line_follow_in_six_cycles_and_those_of_others_at_once() {
        let mut bench = Bench::new(config(0));
        for line in 0..4 {
            bench.run(&write(line as u16, line));
        }
        bench.run(&add(4, 0xF, |_| 0));
        assert_eq!((bench.count(layout::ATOMIC_PASS), bench.count(layout::STALL_ADDITION)), (4, 3 * 5));
        bench.run(&add(5, 0xF, |lane| 128 * lane));
        assert_eq!((bench.count(layout::ATOMIC_PASS), bench.count(layout::STALL_ADDITION)), (8, 3 * 5));
    }

    #[test]
    fn a_read_of_the_line_waits_for_its_sums() {
        let mut bench = Bench::new(config(0));
        bench.run(&write(0, 0));
        bench.send(&add(1, 1, |_| 0));
        bench.send(&read(2, 0));
        bench.drain();
        assert_eq!(bench.count(layout::STALL_ADDITION), 5);
    }

    #[test]
    fn sums_give_way_to_fills_and_hold_those_behind_them() {
        let mut sums = Additions::default();
        let lines = |way: usize| std::array::from_fn::<u64, MOST_SETS, _>(|set| u64::from(set == 0) << way);
        for way in 0..2 {
            sums.start(lines(way));
            sums.end_cycle(false);
        }
        // The first one is in the last stage in the cycle after these, with a fill beside it.
        (0..3).for_each(|_| sums.end_cycle(false));
        assert!(sums.may_write_next());
        sums.end_cycle(true);
        assert_eq!((sums.closed(0), sums.may_write_next()), (3, true), "both wait");
        sums.end_cycle(false);
        assert_eq!((sums.closed(0), sums.may_write_next()), (2, true), "the first is written");
        sums.end_cycle(false);
        assert!(!sums.is_closing(), "the second is written");
    }
}
