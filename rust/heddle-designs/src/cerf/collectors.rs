//! The operand collectors and the operand output registers.

use heddle_port::{Issue, MAX_PORT_WIDTH, NUM_SOURCES, Operands};

use super::{NUM_COLLECTORS, NUM_TAG_BANKS};
use crate::common::Rotating;

/// One source of the instruction in one collector.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct SourceRef {
    /// Collector number.
    pub collector: u8,
    /// Source slot.
    pub source: u8,
}

/// One collector's instruction.
#[derive(Debug, Clone, Copy, Default)]
struct Collector {
    tag: u16,
    /// Sources whose read no tag bank has taken yet, one bit a source slot.
    pending: u8,
    /// Sources that wait for a spilled register.
    parked: u8,
    /// Sources whose data are not there yet.
    missing: u8,
    /// Sources whose value dies.
    dead: u8,
    /// Warp register of each source.
    register: [u16; NUM_SOURCES],
}

/// All collectors; sets of collectors are bit masks.
#[derive(Debug, Clone, Default)]
pub struct Collectors {
    collectors: [Collector; NUM_COLLECTORS],
    in_use: u32,
    complete: u32,
    /// Collectors with a source that waits for a spilled register.
    parked: u32,
    /// By tag bank: collectors with a pending source in it.
    requests: [u32; NUM_TAG_BANKS],
}

/// All collectors as a set.
const ALL: u32 = (1 << NUM_COLLECTORS) - 1;

/// A read that a tag bank may take.
#[derive(Debug, Clone, Copy)]
pub struct Read {
    /// For which source.
    pub target: SourceRef,
    /// Which warp register.
    pub register: u16,
    /// The collector has another pending read in the bank.
    more: bool,
}

impl Collectors {
    /// Collectors that hold an instruction.
    #[inline]
    #[must_use]
    pub fn in_use(&self) -> u32 {
        self.in_use
    }

    /// Collectors that hold none.
    #[inline]
    #[must_use]
    pub fn free(&self) -> u32 {
        ALL & !self.in_use
    }

    /// Collectors that request a read in each tag bank.
    #[inline]
    #[must_use]
    pub fn requests(&self) -> [u32; NUM_TAG_BANKS] {
        self.requests
    }

    /// Puts an instruction into a free collector; source s is warp register `registers[s]`. The sources of the
    /// set `dead` die.
    #[inline]
    pub fn allocate(&mut self, collector: usize, issue: &Issue, dead: u8, registers: [u16; NUM_SOURCES]) {
        let bit = 1 << collector;
        self.in_use |= bit;
        if issue.source_valid == 0 {
            self.complete |= bit;
        }
        for (source, &register) in registers.iter().enumerate() {
            if issue.source_valid >> source & 1 != 0 {
                self.requests[usize::from(register) % NUM_TAG_BANKS] |= bit;
            }
        }
        self.collectors[collector] = Collector {
            tag: issue.tag,
            pending: issue.source_valid,
            missing: issue.source_valid,
            parked: 0,
            dead: dead & issue.source_valid,
            register: registers,
        };
    }

    /// The lowest pending source of `collector` in `bank`, which has one.
    #[inline]
    #[must_use]
    pub fn lowest(&self, collector: usize, bank: usize) -> Read {
        let entry = &self.collectors[collector];
        let mut here = 0;
        for (source, &register) in entry.register.iter().enumerate() {
            if usize::from(register) % NUM_TAG_BANKS == bank {
                here |= 1 << source;
            }
        }
        here &= entry.pending;
        let source = here.trailing_zeros() as u8 % NUM_SOURCES as u8;
        let register = entry.register[usize::from(source)];
        let more = here & here.wrapping_sub(1) != 0;
        Read { target: SourceRef { collector: collector as u8, source }, register, more }
    }

    /// Takes a read; whether its register dies with it. A dead one hands its bit on to the other pending reads
    /// of the register, where there are any.
    #[inline]
    pub fn take(&mut self, read: &Read) -> bool {
        let bank = self.settle(read);
        let SourceRef { collector, source } = read.target;
        let dead = self.collectors[usize::from(collector)].dead >> source & 1 != 0;
        dead && !self.inherit(read.register, bank)
    }

    /// A read waits until its register has come back.
    #[inline]
    pub fn park(&mut self, read: &Read) {
        self.settle(read);
        let SourceRef { collector, source } = read.target;
        self.collectors[usize::from(collector)].parked |= 1 << source;
        self.parked |= 1 << collector;
    }

    /// The read is not pending any more; its bank.
    #[inline]
    fn settle(&mut self, read: &Read) -> usize {
        let SourceRef { collector, source } = read.target;
        let bank = usize::from(read.register) % NUM_TAG_BANKS;
        self.collectors[usize::from(collector)].pending &= !(1 << source);
        if !read.more {
            self.requests[bank] &= !(1 << collector);
        }
        bank
    }

    /// A register has come back: the reads that wait for it are pending again.
    #[inline]
    pub fn wake(&mut self, register: u16) {
        let mut rest = self.parked;
        while rest != 0 {
            let collector = rest.trailing_zeros();
            rest &= rest - 1;
            let entry = &mut self.collectors[collector as usize];
            for (source, &other) in entry.register.iter().enumerate() {
                if other == register && entry.parked >> source & 1 != 0 {
                    entry.parked &= !(1 << source);
                    entry.pending |= 1 << source;
                    self.requests[usize::from(register) % NUM_TAG_BANKS] |= 1 << collector;
                }
            }
            if entry.parked == 0 {
                self.parked &= !(1 << collector);
            }
        }
    }

    /// Marks the pending reads of `register` as dead; whether there are any.
    #[inline]
    fn inherit(&mut self, register: u16, bank: usize) -> bool {
        let mut rest = self.requests[bank];
        let mut any = false;
        while rest != 0 {
            let entry = &mut self.collectors[rest.trailing_zeros() as usize];
            rest &= rest - 1;
            for (source, &other) in entry.register.iter().enumerate() {
                if other == register && entry.pending >> source & 1 != 0 {
                    entry.dead |= 1 << source;
                    any = true;
                }
            }
        }
        any
    }

    /// The data of a source have arrived.
    #[inline]
    pub fn deliver(&mut self, target: SourceRef) {
        let entry = &mut self.collectors[usize::from(target.collector)];
        entry.missing &= !(1 << target.source);
        if entry.missing == 0 {
            self.complete |= 1 << target.collector;
        }
    }

    /// Empties the collectors of a set.
    #[inline]
    pub fn release(&mut self, collectors: u32) {
        self.in_use &= !collectors;
        self.complete &= !collectors;
    }
}

/// Takes complete instructions from their collectors, rotating over the collectors.
#[derive(Debug, Clone, Default)]
pub struct Dispatch {
    slots: [Operands; MAX_PORT_WIDTH],
    arbiter: Rotating,
}

/// What dispatch did in one cycle.
#[derive(Debug, Clone, Copy, Default)]
pub struct DispatchCycle {
    /// Collectors emptied.
    pub dispatched: u32,
    /// Slots that held an instruction which was not taken.
    pub stalled: u32,
}

impl Dispatch {
    /// The output registers.
    #[inline]
    #[must_use]
    pub fn slots(&self) -> &[Operands; MAX_PORT_WIDTH] {
        &self.slots
    }

    /// One cycle: every slot below `width` that is empty or taken gets the next complete collector.
    #[inline]
    pub fn step(
        &mut self,
        collectors: &Collectors,
        ready: &[bool; MAX_PORT_WIDTH],
        width: usize,
    ) -> DispatchCycle {
        let mut cycle = DispatchCycle::default();
        for (slot, &ready) in ready.iter().enumerate().take(width) {
            if self.slots[slot].valid && !ready {
                cycle.stalled |= 1 << slot;
                continue;
            }
            let rest = collectors.complete & !cycle.dispatched;
            self.slots[slot] = match self.arbiter.grant(rest) {
                Some(collector) => {
                    cycle.dispatched |= 1 << collector;
                    Operands { valid: true, tag: collectors.collectors[collector as usize].tag }
                }
                None => Operands::default(),
            };
        }
        cycle
    }
}

#[cfg(test)]
mod tests {
    use super::{Collectors, Issue};

    fn issue(tag: u16) -> Issue {
        Issue { valid: true, tag, source_valid: 0b11, ..Issue::default() }
    }

    /// Takes the next read of a collector; its register, and whether that dies.
    fn take(collectors: &mut Collectors, collector: usize, bank: usize) -> (u16, bool) {
        let read = collectors.lowest(collector, bank);
        (read.register, collectors.take(&read))
    }

    #[test]
    fn the_last_of_all_reads_of_a_register_is_the_dead_one() {
        let mut collectors = Collectors::default();
        let registers = [8, 12, 0, 0, 0, 0];
        collectors.allocate(0, &issue(1), 0b00, registers);
        collectors.allocate(1, &issue(2), 0b11, registers);
        // The younger instruction, whose value dies, is served first.
        assert_eq!(take(&mut collectors, 1, 0), (8, false));
        assert_eq!(take(&mut collectors, 0, 0), (8, true));
        assert_eq!(take(&mut collectors, 0, 0), (12, false));
        assert_eq!(take(&mut collectors, 1, 0), (12, true));
        assert_eq!(collectors.requests()[0], 0);
    }

    #[test]
    fn a_register_named_twice_dies_with_its_second_read() {
        let mut collectors = Collectors::default();
        collectors.allocate(3, &issue(1), 0b11, [5, 5, 0, 0, 0, 0]);
        assert_eq!(take(&mut collectors, 3, 1), (5, false));
        assert_eq!(take(&mut collectors, 3, 1), (5, true));
    }

    #[test]
    fn a_parked_read_waits_for_its_own_register() {
        let mut collectors = Collectors::default();
        collectors.allocate(2, &issue(1), 0, [5, 9, 0, 0, 0, 0]);
        let read = collectors.lowest(2, 1);
        collectors.park(&read);
        assert_eq!((read.register, collectors.lowest(2, 1).register), (5, 9));
        let second = collectors.lowest(2, 1);
        collectors.park(&second);
        assert_eq!(collectors.requests()[1], 0);
        collectors.wake(9);
        assert_eq!(collectors.requests()[1], 1 << 2);
        assert_eq!(take(&mut collectors, 2, 1), (9, false));
        assert_eq!(collectors.requests()[1], 0);
        collectors.wake(5);
        assert_eq!(take(&mut collectors, 2, 1), (5, false));
    }
}
