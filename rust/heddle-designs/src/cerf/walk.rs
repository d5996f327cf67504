//! The walk over the registers of a warp that has ended; see `rtl/cerf/exit_walk.sv`.

use super::NUM_REGISTERS;

/// The registers that are still to be freed, one look-up each.
#[derive(Debug, Clone, Copy, Default)]
pub struct Walk {
    left: u8,
    register: u16,
}

impl Walk {
    /// Over `registers` registers from warp register `first` on.
    #[must_use]
    pub fn new(first: u16, registers: u8) -> Self {
        Self { left: registers, register: first }
    }

    /// No register is left.
    #[inline]
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.left == 0
    }

    /// The warp register that is freed next.
    #[inline]
    #[must_use]
    pub fn kill(&self) -> Option<u16> {
        (self.left > 0).then_some(self.register % NUM_REGISTERS)
    }

    /// That register has been looked up.
    #[inline]
    pub fn killed(&mut self) {
        self.left -= 1;
        self.register = self.register.wrapping_add(1);
    }
}
