//! The operand collectors and the operand output registers.

use super::NUM_TAG_BANKS;
use crate::front::{CollectorArray, Collectors, NUM_COLLECTORS, SourceRef};
use heddle_port::{Issue, NUM_SOURCES, members};

/// Collectors that also know which sources die, and which wait for a spilled register.
#[derive(Debug, Clone, Default)]
pub struct CerfCollectors {
    /// With the warp register of each source.
    array: CollectorArray<u16>,
    /// By collector: sources whose value dies.
    dead: [u8; NUM_COLLECTORS],
    /// By collector: sources that wait for a spilled register; and the collectors that have one.
    parked: [u8; NUM_COLLECTORS],
    any_parked: u32,
}

/// A read that a tag bank may take.
#[derive(Debug, Clone, Copy)]
pub struct Read {
    /// For which source.
    pub target: SourceRef,
    /// Which warp register.
    pub register: u16,
}

impl CerfCollectors {
    /// Collectors that hold an instruction.
    #[inline]
    #[must_use]
    pub fn in_use(&self) -> u32 {
        self.array.in_use()
    }

    /// Collectors that request a read in each tag bank.
    #[inline]
    #[must_use]
    pub fn requests(&self) -> [u32; NUM_TAG_BANKS] {
        std::array::from_fn(|bank| self.array.requests(bank))
    }

    /// Puts an instruction into a free collector, which it returns; source s is warp register `registers[s]`.
    /// The sources of the set `dead` die.
    #[inline]
    pub fn allocate(&mut self, issue: &Issue, dead: u8, registers: [u16; NUM_SOURCES]) -> usize {
        let bank = |register: u16| (usize::from(register) % NUM_TAG_BANKS) as u8;
        let collector = self.array.allocate(issue, registers.map(|register| (bank(register), register)));
        self.dead[collector] = dead & issue.source_valid;
        self.parked[collector] = 0;
        collector
    }

    /// The lowest pending source of `collector` in `bank`, which has one.
    #[inline]
    #[must_use]
    pub fn lowest(&self, collector: usize, bank: usize) -> Read {
        let target = self.array.lowest(collector, bank);
        Read { target, register: self.array.register(target) }
    }

    /// Takes a read; whether its register dies with it. A dead one hands its bit on to the other pending
    /// reads of the register, where there are any.
    #[inline]
    pub fn take(&mut self, read: &Read) -> bool {
        self.array.settle(read.target);
        let SourceRef { collector, source } = read.target;
        let dead = self.dead[usize::from(collector)] >> source & 1 != 0;
        dead && !self.inherit(read.register)
    }

    /// A read waits until its register has come back.
    #[inline]
    pub fn park(&mut self, read: &Read) {
        self.array.settle(read.target);
        self.parked[usize::from(read.target.collector)] |= 1 << read.target.source;
        self.any_parked |= 1 << read.target.collector;
    }

    /// A register has come back: the reads that wait for it are pending again.
    #[inline]
    pub fn wake(&mut self, register: u16) {
        for collector in members(self.any_parked) {
            for source in members(self.parked[collector]) {
                let at = SourceRef { collector: collector as u8, source: source as u8 };
                if self.array.register(at) == register {
                    self.parked[collector] &= !(1 << source);
                    self.array.pend(at);
                }
            }
            if self.parked[collector] == 0 {
                self.any_parked &= !(1 << collector);
            }
        }
    }

    /// Marks the pending reads of `register` as dead; whether there are any.
    #[inline]
    fn inherit(&mut self, register: u16) -> bool {
        let mut any = false;
        for collector in members(self.array.requests(usize::from(register) % NUM_TAG_BANKS)) {
            let (registers, pending) = self.array.sources(collector);
            for (source, _) in registers.iter().enumerate().filter(|(_, other)| **other == register) {
                if pending >> source & 1 != 0 {
                    self.dead[collector] |= 1 << source;
                    any = true;
                }
            }
        }
        any
    }

    /// The data of a source have arrived.
    #[inline]
    pub fn deliver(&mut self, target: SourceRef) {
        self.array.deliver(target);
    }
}

impl Collectors for CerfCollectors {
    #[inline]
    fn free(&self) -> usize {
        self.array.free()
    }

    #[inline]
    fn complete(&self) -> u32 {
        self.array.complete()
    }

    #[inline]
    fn tag(&self, collector: usize) -> u16 {
        self.array.tag(collector)
    }

    #[inline]
    fn release(&mut self, collectors: u32) {
        self.array.release(collectors);
    }
}

#[cfg(test)]
mod tests {
    use super::CerfCollectors;
    use heddle_port::Issue;

    fn issue(tag: u16) -> Issue {
        Issue { valid: true, tag, source_valid: 0b11, ..Issue::default() }
    }

    /// Takes the next read of a collector; its register, and whether that dies.
    fn take(collectors: &mut CerfCollectors, collector: usize, bank: usize) -> (u16, bool) {
        let read = collectors.lowest(collector, bank);
        (read.register, collectors.take(&read))
    }

    #[test]
    fn the_last_of_all_reads_of_a_register_is_the_dead_one() {
        let mut collectors = CerfCollectors::default();
        let registers = [8, 12, 0, 0, 0, 0];
        collectors.allocate(&issue(1), 0b00, registers);
        collectors.allocate(&issue(2), 0b11, registers);
        // The younger instruction, whose value dies, is served first.
        assert_eq!(take(&mut collectors, 1, 0), (8, false));
        assert_eq!(take(&mut collectors, 0, 0), (8, true));
        assert_eq!(take(&mut collectors, 0, 0), (12, false));
        assert_eq!(take(&mut collectors, 1, 0), (12, true));
        assert_eq!(collectors.requests()[0], 0);
    }

    #[test]
    fn a_register_named_twice_dies_with_its_second_read() {
        let mut collectors = CerfCollectors::default();
        collectors.allocate(&issue(1), 0b11, [5, 5, 0, 0, 0, 0]);
        assert_eq!(take(&mut collectors, 0, 1), (5, false));
        assert_eq!(take(&mut collectors, 0, 1), (5, true));
    }

    #[test]
    fn a_parked_read_waits_for_its_own_register() {
        let mut collectors = CerfCollectors::default();
        collectors.allocate(&issue(1), 0, [5, 9, 0, 0, 0, 0]);
        let read = collectors.lowest(0, 1);
        collectors.park(&read);
        assert_eq!((read.register, collectors.lowest(0, 1).register), (5, 9));
        let second = collectors.lowest(0, 1);
        collectors.park(&second);
        assert_eq!(collectors.requests()[1], 0);
        collectors.wake(9);
        assert_eq!(collectors.requests()[1], 1);
        assert_eq!(take(&mut collectors, 0, 1), (9, false));
        assert_eq!(collectors.requests()[1], 0);
        collectors.wake(5);
        assert_eq!(take(&mut collectors, 0, 1), (5, false));
    }
}
