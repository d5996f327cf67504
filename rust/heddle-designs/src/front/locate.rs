//! Where a warp register lies: its bank and its row there.

/// Where a register lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Bank.
    pub bank: u8,
    /// Row of the bank.
    pub row: u16,
}

/// Warp registers in the order of their numbers over banks whose number is a power of two.
///
/// Reads and writes ask this alone, so that another mapping replaces it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locate {
    bank_bits: u32,
    rows: u16,
}

impl Locate {
    /// Of `banks` banks, a power of two, with `rows` rows in use.
    #[must_use]
    pub fn new(banks: usize, rows: u16) -> Self {
        debug_assert!(banks.is_power_of_two(), "{banks} banks are no power of two");
        Self { bank_bits: banks.trailing_zeros(), rows }
    }

    /// The place of register `register` of the warp in slot `warp`, whose registers begin at `base`.
    ///
    /// # Errors
    /// What is wrong, where it lies beyond the rows in use.
    #[inline]
    pub fn place(&self, base: u16, warp: u8, register: u8) -> Result<Place, String> {
        let index = base.wrapping_add(u16::from(register));
        let row = index >> self.bank_bits;
        if row >= self.rows {
            return Err(self.beyond(base, warp, register));
        }
        Ok(Place { bank: (index & ((1 << self.bank_bits) - 1)) as u8, row })
    }

    /// The text of the error.
    #[cold]
    #[must_use]
    pub fn beyond(&self, base: u16, warp: u8, register: u8) -> String {
        let index = base.wrapping_add(u16::from(register));
        format!(
            "register {register} of warp slot {warp} is warp register {index}, in row {} of a bank; rows 0 to \
             {} are in use",
            index >> self.bank_bits,
            self.rows.wrapping_sub(1)
        )
    }
}
