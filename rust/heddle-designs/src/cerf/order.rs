//! Which tag bank a warp register lies in; see `rtl/common/locate.sv` and `cerf_pkg::index_at`.

use super::{ENTRIES_PER_BANK, FIRST_REGISTER_LINE, NUM_TAG_BANKS};
use crate::front::{Locate, Place};

/// Bits of a place that are its tag bank.
const BANK_BITS: u32 = NUM_TAG_BANKS.trailing_zeros();
/// Bits of the place within a block of registers, of those that lie in a row of each tag bank.
const BLOCK_ROW_BITS: u32 = 2;

/// The order of the warp registers over the tag banks. A place is {row, tag bank}.
#[derive(Debug, Clone, Copy)]
pub struct Order {
    locate: Locate,
    interleaved: bool,
}

impl Order {
    /// The order of figure 4, or the baseline's interleaved one.
    #[must_use]
    pub fn new(interleaved: bool) -> Self {
        let locate = Locate::new(NUM_TAG_BANKS, ENTRIES_PER_BANK as u16).interleaved(interleaved);
        Self { locate, interleaved }
    }

    /// Place of register `register` of the warp in slot `warp`, whose registers begin at `base`.
    ///
    /// # Errors
    /// What is wrong, where there is no such warp register.
    #[inline]
    pub fn place(&self, base: u16, warp: u8, register: u8) -> Result<u16, String> {
        let Place { bank, row } = self.locate.place(base, warp, register)?;
        Ok(row << BANK_BITS | u16::from(bank))
    }

    /// How far the registers of a row of the tag banks are moved on, in tag banks.
    #[inline]
    fn turn(self, row: u16) -> u16 {
        if self.interleaved { row >> BLOCK_ROW_BITS } else { 0 }
    }

    /// Warp register that lies at a place.
    #[inline]
    #[must_use]
    pub fn index(self, place: u16) -> u16 {
        let (row, banks) = (place >> BANK_BITS, NUM_TAG_BANKS as u16);
        row << BANK_BITS | (place.wrapping_sub(self.turn(row)) % banks)
    }

    /// Line number in memory of the line that the tag banks know as `line`: of a register its reg-mem address.
    #[inline]
    #[must_use]
    pub fn memory_line(self, line: u32) -> u32 {
        if line < FIRST_REGISTER_LINE {
            return line;
        }
        FIRST_REGISTER_LINE | u32::from(self.index((line - FIRST_REGISTER_LINE) as u16))
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_REGISTER_LINE, Order};
    use crate::cerf::NUM_REGISTERS;

    #[test]
    fn every_register_has_its_own_place_and_its_own_line_in_memory() {
        for interleaved in [false, true] {
            let order = Order::new(interleaved);
            let mut taken = vec![false; NUM_REGISTERS.into()];
            for index in 0..NUM_REGISTERS {
                let place = order.place(index, 3, 0).expect("there is one");
                assert!(!std::mem::replace(&mut taken[usize::from(place)], true), "{index}");
                assert_eq!(order.index(place), index);
                let line = order.memory_line(FIRST_REGISTER_LINE | u32::from(place));
                assert_eq!(line, FIRST_REGISTER_LINE + u32::from(index));
                assert_eq!(place == index, !interleaved || index / 16 % 4 == 0, "{index} at {place}");
            }
            assert!(order.place(NUM_REGISTERS - 1, 3, 1).is_err());
            assert_eq!(order.memory_line(0x20_0011), 0x20_0011, "a line of global memory");
        }
    }

    #[test]
    fn interleaved_warps_of_sixteen_registers_begin_in_other_banks() {
        let begins = |interleaved| {
            let order = Order::new(interleaved);
            [0, 16, 32, 48, 64].map(|base| order.place(base, 0, 0).expect("there is one") % 4)
        };
        assert_eq!(begins(true), [0, 1, 2, 3, 0]);
        assert_eq!(begins(false), [0; 5]);
    }
}
