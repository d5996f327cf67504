//! Where the rows of the banks lie: the loadable register mapping of section 4.3.

use super::{NUM_BANKS, NUM_OFFSETS, NUM_PORTS, NUM_ROWS};
use heddle_port::Command;

/// Entries that one command carries.
pub const BLOCK_ENTRIES: usize = 32;
/// Commands that load the table of one bank.
pub const BANK_BLOCKS: usize = NUM_ROWS / BLOCK_ENTRIES;

/// A physical entry of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Access port in whose region it lies.
    pub port: u8,
    /// Offset in the region.
    pub offset: u8,
}

impl Place {
    /// Where row `row` lies in ascending order: the low offsets of all regions first (figure 6).
    #[must_use]
    pub fn ascending(row: usize) -> Self {
        Self { port: (row % NUM_PORTS) as u8, offset: (row / NUM_PORTS % NUM_OFFSETS) as u8 }
    }

    /// The entry of a map command that stands for this place.
    #[must_use]
    pub fn encoded(self) -> u8 {
        self.port * NUM_OFFSETS as u8 + self.offset
    }

    fn decoded(entry: u8) -> Self {
        let entry = usize::from(entry) % NUM_ROWS;
        Self { port: (entry / NUM_OFFSETS) as u8, offset: (entry % NUM_OFFSETS) as u8 }
    }
}

/// The tables of all banks.
#[derive(Debug, Clone)]
pub struct MappingTables<const N: usize = NUM_BANKS> {
    places: Box<[[Place; NUM_ROWS]; N]>,
}

impl<const N: usize> Default for MappingTables<N> {
    fn default() -> Self {
        Self { places: Box::new([std::array::from_fn(Place::ascending); N]) }
    }
}

impl<const N: usize> MappingTables<N> {
    /// Where row `row` of `bank` lies.
    #[inline]
    #[must_use]
    pub fn place(&self, bank: usize, row: u16) -> Place {
        self.places[bank][usize::from(row) % NUM_ROWS]
    }

    /// Forgets all entries that were loaded.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Loads the entries of a map command: block `index` mod [`BANK_BLOCKS`] of bank `index` div
    /// [`BANK_BLOCKS`]. A command beyond the last bank loads nothing.
    pub fn load(&mut self, command: &Command) {
        let index = usize::from(command.index);
        let Some(bank) = self.places.get_mut(index / BANK_BLOCKS) else { return };
        let first = index % BANK_BLOCKS * BLOCK_ENTRIES;
        for (i, place) in bank[first..first + BLOCK_ENTRIES].iter_mut().enumerate() {
            *place = Place::decoded((command.vector[i / 4] >> (i % 4 * 8)) as u8);
        }
    }
}
