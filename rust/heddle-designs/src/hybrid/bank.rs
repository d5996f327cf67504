//! Occupancy of a bank of STT-RAM.

/// Cycles of the accesses.
#[derive(Debug, Clone, Copy, Default)]
pub struct BankTiming {
    /// Cycles that reads occupy the bank.
    pub read: u8,
    /// Cycles that a write occupies it.
    pub write: u8,
}

/// What a bank begins in a cycle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Nothing.
    None,
    /// Reads of different arrays.
    Reads,
    /// One write.
    Write,
}

/// A bank that either reads or writes; see `rtl/hybrid/sttram_bank.sv`.
#[derive(Debug, Clone, Copy, Default)]
pub struct SttBank {
    /// Cycles for which the bank is still occupied, this one included.
    left: u8,
    writing: bool,
    read_valid: bool,
}

impl SttBank {
    /// The bank can take an access in this cycle.
    #[inline]
    #[must_use]
    pub fn is_ready(&self) -> bool {
        self.left == 0
    }

    /// A write began earlier and still occupies the bank.
    #[inline]
    #[must_use]
    pub fn is_writing(&self) -> bool {
        self.left != 0 && self.writing
    }

    /// The data of the last reads are there in this cycle.
    #[inline]
    #[must_use]
    pub fn read_valid(&self) -> bool {
        self.read_valid
    }

    /// For how many cycles without an access the bank is as ready as it is now.
    #[inline]
    #[must_use]
    pub fn steady(&self) -> u32 {
        if self.is_ready() { u32::MAX } else { self.left.into() }
    }

    /// So many of these cycles, at least one, have passed without an access.
    #[inline]
    pub fn pass(&mut self, cycles: u32) {
        if !self.is_ready() {
            self.left -= cycles as u8;
            self.read_valid = self.left == 0 && !self.writing;
        }
    }

    /// One clock edge; returns whether the bank was occupied in the cycle that ends.
    #[inline]
    pub fn tick(&mut self, access: Access, timing: BankTiming) -> bool {
        let busy = access != Access::None || self.left != 0;
        let cycles = if access == Access::Write { timing.write } else { timing.read };
        self.read_valid = match access {
            Access::Reads => cycles == 1,
            Access::Write => false,
            Access::None => self.left == 1 && !self.writing,
        };
        if access == Access::None {
            self.left = self.left.saturating_sub(1);
        } else {
            self.left = cycles - 1;
            self.writing = access == Access::Write;
        }
        busy
    }
}

#[cfg(test)]
mod tests {
    use super::{Access, BankTiming, SttBank};

    const TIMING: BankTiming = BankTiming { read: 2, write: 4 };

    #[test]
    fn a_write_occupies_four_cycles_and_gives_no_data() {
        let mut bank = SttBank::default();
        assert!(bank.tick(Access::Write, TIMING));
        for _ in 0..3 {
            assert!(bank.is_writing() && !bank.is_ready());
            assert!(bank.tick(Access::None, TIMING));
            assert!(!bank.read_valid());
        }
        assert!(bank.is_ready() && !bank.is_writing());
        assert!(!bank.tick(Access::None, TIMING));
    }

    #[test]
    fn read_data_come_after_the_read_cycles() {
        let mut bank = SttBank::default();
        bank.tick(Access::Reads, TIMING);
        assert!(!bank.read_valid() && !bank.is_ready() && !bank.is_writing());
        bank.tick(Access::None, TIMING);
        assert!(bank.read_valid() && bank.is_ready());
        bank.tick(Access::Reads, BankTiming { read: 1, write: 4 });
        assert!(bank.read_valid() && bank.is_ready());
    }
}
