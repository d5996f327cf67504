//! Where a warp register lies: its bank and its row there.

/// Bits of a register's place in a block of 16, through which the banks are the same for linear and interleaved registers
/// but for where they begin.
const BLOCK_BITS: u32 = 4;

/// Where a register lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Bank.
    pub bank: u8,
    /// Row of the bank.
    pub row: u16,
}

/// Warp registers in the order of their numbers over banks whose number is a power of two: row by row, and within a row
/// from bank 0 on, or interleaved from the bank on that the number of the row's block says: of 16 registers, or of as
/// many as there are banks, where that is more.
///
/// Reads and writes ask this alone, so that another mapping replaces it alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Locate {
    bank_bits: u32,
    rows: u16,
    /// Bits of the place within a block.
    block_bits: u32,
    /// Of the number of the block, the bits that are added to the bank.
    interleaved: u16,
}

impl Locate {
    /// Of `banks` banks, a power of two, with `rows` rows in use.
    #[must_use]
    pub fn new(banks: usize, rows: u16) -> Self {
        debug_assert!(banks.is_power_of_two(), "{banks} banks are no power of two");
        let bank_bits = banks.trailing_zeros();
        Self { bank_bits, rows, block_bits: bank_bits.max(BLOCK_BITS), interleaved: 0 }
    }

    /// The same registers, interleaved where `interleaved` says so.
    #[must_use]
    pub fn interleaved(mut self, interleaved: bool) -> Self {
        self.interleaved = if interleaved { u16::MAX } else { 0 };
        self
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
        let bank =
            index.wrapping_add(index >> self.block_bits & self.interleaved) & ((1 << self.bank_bits) - 1);
        Ok(Place { bank: bank as u8, row })
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

#[cfg(test)]
mod tests {
    use super::{Locate, Place};

    /// What `rtl/common/locate.sv` says, written another way.
    fn stated(index: u32, banks: u32, interleaved: bool) -> (u32, u32) {
        let (row, low) = (index / banks, index % banks);
        let block = index / banks.max(16);
        if interleaved { ((low + block) % banks, row) } else { (low, row) }
    }

    #[test]
    fn every_place_holds_one_register_whatever_the_banks_and_rows() {
        for banks in [2_u32, 4, 8, 16, 32, 64, 128] {
            for rows in [1, 2, 3, 127, 128, 136, 1024, 65_536 / banks] {
                let rows = rows.min(65_536 / banks);
                for interleaved in [false, true] {
                    let locate = Locate::new(banks as usize, rows as u16).interleaved(interleaved);
                    let mut taken = vec![false; (banks * rows) as usize];
                    for index in 0..banks * rows {
                        // The register's number is part of the index as the base is.
                        let register = (index % 256).min(255);
                        let Place { bank, row } = locate
                            .place((index - register) as u16, 0, register as u8)
                            .expect("within the rows");
                        let place = (u32::from(bank), u32::from(row));
                        assert_eq!(
                            place,
                            stated(index, banks, interleaved),
                            "index {index} of {banks} banks"
                        );
                        let at = (place.1 * banks + place.0) as usize;
                        assert!(!std::mem::replace(&mut taken[at], true), "two registers at {place:?}");
                    }
                    assert!(taken.iter().all(|&taken| taken), "{banks} banks of {rows} rows");
                    if banks * rows < 65_536 {
                        assert!(
                            locate.place((banks * rows) as u16, 0, 0).is_err(),
                            "{banks} banks of {rows} rows"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn interleaved_warps_of_a_multiple_of_the_banks_begin_in_other_banks() {
        let begins = |interleaved| {
            let locate = Locate::new(16, 128).interleaved(interleaved);
            (0..16)
                .map(|warp| locate.place(warp * 16, 0, 0).expect("there is room").bank)
                .collect::<Vec<u8>>()
        };
        assert_eq!(begins(false), [0; 16]);
        assert_eq!(begins(true), (0..16).collect::<Vec<u8>>());
    }
}
