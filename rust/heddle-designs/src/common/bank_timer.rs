//! Occupancy of up to 128 non-pipelined banks, as in `rtl/common/timed_bank.sv`.

use super::{BankSet, MOST_BANKS, banks_of};

/// When each bank is free again and when the data of its read arrive.
///
/// An access in cycle t occupies its bank in cycles t to t + cycles - 1; the data of a read can be
/// used in cycle t + cycles. Eighths of a cycle that an access takes beyond that are summed up for each bank, and the
/// access with which the sum reaches a whole cycle takes that cycle more.
#[derive(Debug, Clone)]
pub struct BankTimers {
    /// Cycles of one access.
    cycles: u8,
    /// Eighths of a cycle that it takes beyond them, on average.
    eighths: u8,
    /// Eighths that the accesses of each bank so far have left over.
    part: [u8; MOST_BANKS],
    /// Cycles for which a bank is still occupied, the current one included.
    left: [u8; MOST_BANKS],
    /// Banks with `left` > 0.
    occupied: BankSet,
    /// Banks whose access under way is a read.
    reading: BankSet,
}

/// What [`BankTimers::tick`] reports about the cycle that begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BankTick {
    /// Banks whose read data are there in the new cycle.
    pub read_valid: BankSet,
    /// Banks that were occupied in the cycle that ended.
    pub busy: BankSet,
}

impl BankTimers {
    /// All banks free; an access takes `cycles` (1 or more) cycles and `eighths` (0 to 7) of one.
    #[must_use]
    pub fn new(cycles: u8, eighths: u8) -> Self {
        Self { cycles, eighths, part: [0; MOST_BANKS], left: [0; MOST_BANKS], occupied: 0, reading: 0 }
    }

    /// Banks that cannot take an access in the current cycle.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> BankSet {
        self.occupied
    }

    /// One clock edge; `reads` and `writes` are the free banks that took an access in the cycle that
    /// ends.
    #[inline]
    pub fn tick(&mut self, reads: BankSet, writes: BankSet) -> BankTick {
        let started = reads | writes;
        debug_assert_eq!(started & self.occupied, 0, "access to an occupied bank");
        let busy = self.occupied | started;
        self.reading = (self.reading & !started) | reads;
        let mut finished = 0;
        if self.cycles == 1 && self.eighths == 0 {
            finished = started;
        } else {
            for bank in banks_of(self.occupied) {
                self.left[bank] -= 1;
                if self.left[bank] == 0 {
                    finished |= 1 << bank;
                }
            }
            for bank in banks_of(started) {
                let part = self.part[bank] + self.eighths;
                self.part[bank] = part % 8;
                self.left[bank] = self.cycles - 1 + part / 8;
                finished |= BankSet::from(self.left[bank] == 0) << bank;
            }
        }
        self.occupied = busy & !finished;
        BankTick { read_valid: finished & self.reading, busy }
    }
}

#[cfg(test)]
mod tests {
    use super::BankTimers;

    #[test]
    fn one_cycle_bank_takes_an_access_every_cycle() {
        let mut banks = BankTimers::new(1, 0);
        for _ in 0..3 {
            let tick = banks.tick(0b10, 0b01);
            assert_eq!((tick.read_valid, tick.busy), (0b10, 0b11));
            assert_eq!(banks.occupied(), 0);
        }
        assert_eq!(banks.tick(0, 0).busy, 0);
    }

    #[test]
    fn read_data_come_after_the_configured_cycles() {
        let mut banks = BankTimers::new(3, 0);
        let ticks: Vec<_> = [1, 0, 0, 0].map(|reads| banks.tick(reads, 0)).to_vec();
        assert_eq!(ticks.iter().map(|t| t.read_valid).collect::<Vec<_>>(), [0, 0, 1, 0]);
        assert_eq!(ticks.iter().map(|t| t.busy).collect::<Vec<_>>(), [1, 1, 1, 0]);
    }

    /// 1.375 cycles: the sums are 3, 6, 9, 12, 15, 18, 21 and 24 eighths, so that accesses 3, 6 and 8 take two cycles.
    #[test]
    fn eighths_of_a_cycle_are_made_up_by_whole_ones() {
        let mut banks = BankTimers::new(1, 3);
        let mut taken = Vec::new();
        for access in 0..9 {
            // Reads and writes count alike.
            let (read, write) = if access % 2 == 0 { (4, 0) } else { (0, 4) };
            assert_eq!(banks.occupied(), 0, "access {access}");
            let mut tick = banks.tick(read, write);
            let mut cycles = 1;
            while banks.occupied() != 0 {
                assert_eq!(tick.read_valid, 0, "access {access}");
                tick = banks.tick(0, 0);
                cycles += 1;
            }
            assert_eq!(tick.read_valid, read, "access {access}");
            taken.push(cycles);
        }
        assert_eq!(taken, [1, 1, 2, 1, 1, 2, 1, 2, 1]);
        // Banks count apart.
        assert_eq!(banks.tick(1, 0).read_valid, 1);
    }

    #[test]
    fn the_last_of_128_banks_is_one_like_the_first() {
        let mut banks = BankTimers::new(2, 0);
        banks.tick(1 << 127 | 1, 0);
        assert_eq!(banks.occupied(), 1 << 127 | 1);
        let tick = banks.tick(0, 1 << 64);
        assert_eq!((tick.read_valid, tick.busy), (1 << 127 | 1, 1 << 127 | 1 << 64 | 1));
    }

    #[test]
    fn a_write_gives_no_read_data() {
        let mut banks = BankTimers::new(2, 0);
        banks.tick(0, 1);
        assert_eq!(banks.occupied(), 1);
        assert_eq!(banks.tick(0, 0).read_valid, 0);
        assert_eq!(banks.occupied(), 0);
    }
}
