//! Where in the register file the registers of a warp lie.

use heddle_config::Preset;

use crate::launch::{Occupancy, REGISTER_BANKS};

/// Parts of a register file in which even and odd warp slots lie apart.
pub const WARP_BANKS: usize = 2;

/// How the file is divided.
#[derive(Debug, Clone, Copy)]
enum Division {
    /// One file for all.
    Whole,
    /// Two parts, this many registers apart.
    Halves(u16),
    /// As many files, one for each sub-core.
    SubCores(usize),
}

/// The places for the registers of warps.
#[derive(Debug, Clone)]
pub struct Places {
    /// Free places, in units of a warp's registers.
    free: Vec<u16>,
    registers_per_warp: u16,
    division: Division,
}

impl Places {
    /// All places of the file of `preset` for a kernel.
    pub fn new(preset: &Preset, occupancy: &Occupancy) -> Self {
        let file = &preset.register_file;
        let division = if file.sub_cores > 1 {
            Division::SubCores(file.sub_cores as usize)
        } else if file.warp_banks < WARP_BANKS as u32 {
            Division::Whole
        } else {
            Division::Halves((file.rows_per_bank * REGISTER_BANKS / WARP_BANKS as u32) as u16)
        };
        Self {
            free: (0..occupancy.warps_of_registers.min(64) as u16).rev().collect(),
            registers_per_warp: occupancy.registers_per_warp as u16,
            division,
        }
    }

    /// Warps whose registers have a place.
    pub fn free(&self) -> usize {
        self.free.len()
    }

    /// Takes a place for the warp in slot `w`: its number, and the first register.
    ///
    /// In a file of two parts, and where each sub-core has a file of its own, the places are those of the
    /// slots: the SM fills the lowest free slots, so no slot number reaches the number of places. In the file
    /// of a sub-core the count begins anew.
    pub fn take(&mut self, w: usize) -> (u16, u16) {
        let place = self.free.pop().unwrap_or_default();
        let base = match self.division {
            Division::SubCores(count) => (w / count) as u16 * self.registers_per_warp,
            Division::Whole => place * self.registers_per_warp,
            Division::Halves(half) => {
                (w % WARP_BANKS) as u16 * half + (w / WARP_BANKS) as u16 * self.registers_per_warp
            }
        };
        (place, base)
    }

    /// A place is free again.
    pub fn give_back(&mut self, place: u16) {
        self.free.push(place);
    }
}
