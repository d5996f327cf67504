//! Where the rows of the banks lie: the loadable register mapping of section 4.3.

use super::{MOST_OFFSETS, NAME, NUM_BANKS, NUM_ROWS};
use heddle_port::{Command, DesignError, Instance};

/// Entries that one command carries.
pub const BLOCK_ENTRIES: usize = 32;
/// Commands that load the table of one bank.
pub const BANK_BLOCKS: usize = NUM_ROWS / BLOCK_ENTRIES;

/// How the rows of a bank are divided among its access ports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Regions {
    ports: usize,
}

impl Regions {
    /// By the parameter `ports` of an instance.
    ///
    /// # Errors
    /// [`DesignError::Instance`]: no power of two, or one that leaves a port more than [`MOST_OFFSETS`] rows or none.
    pub fn of(instance: &Instance) -> Result<Self, DesignError> {
        let ports = instance.parameters.size(NAME, "ports")?;
        let (least, most) = (NUM_ROWS / MOST_OFFSETS, NUM_ROWS);
        if !ports.is_power_of_two() || !(least..=most).contains(&ports) {
            let what = format!("ports is {ports}: a power of two, {least} to {most}, is expected");
            return Err(DesignError::Instance { design: NAME, what });
        }
        Ok(Self { ports })
    }

    /// Offsets of a port's region.
    #[must_use]
    pub fn offsets(self) -> usize {
        NUM_ROWS / self.ports
    }

    /// Where row `row` lies in ascending order: the low offsets of all regions first (figure 6).
    #[must_use]
    pub fn ascending(self, row: usize) -> Place {
        Place { port: (row % self.ports) as u8, offset: (row / self.ports % self.offsets()) as u8 }
    }

    /// The entry of a map command that stands for a place.
    #[must_use]
    pub fn encoded(self, place: Place) -> u8 {
        place.port * self.offsets() as u8 + place.offset
    }

    fn decoded(self, entry: u8) -> Place {
        let entry = usize::from(entry) % NUM_ROWS;
        Place { port: (entry / self.offsets()) as u8, offset: (entry % self.offsets()) as u8 }
    }
}

/// A physical entry of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Place {
    /// Access port in whose region it lies.
    pub port: u8,
    /// Offset in the region.
    pub offset: u8,
}

/// The tables of all banks.
#[derive(Debug, Clone)]
pub struct MappingTables<const N: usize = NUM_BANKS> {
    regions: Regions,
    places: Box<[[Place; NUM_ROWS]; N]>,
}

impl<const N: usize> MappingTables<N> {
    /// Tables without a loaded entry.
    #[must_use]
    pub fn new(regions: Regions) -> Self {
        let ascending = std::array::from_fn(|row| regions.ascending(row));
        Self { regions, places: Box::new([ascending; N]) }
    }

    /// Where row `row` of `bank` lies.
    #[inline]
    #[must_use]
    pub fn place(&self, bank: usize, row: u16) -> Place {
        self.places[bank][usize::from(row) % NUM_ROWS]
    }

    /// Forgets all entries that were loaded.
    pub fn clear(&mut self) {
        *self = Self::new(self.regions);
    }

    /// Loads the entries of a map command: block `index` mod [`BANK_BLOCKS`] of bank `index` div
    /// [`BANK_BLOCKS`]. A command beyond the last bank loads nothing.
    pub fn load(&mut self, command: &Command) {
        let index = usize::from(command.index);
        let regions = self.regions;
        let Some(bank) = self.places.get_mut(index / BANK_BLOCKS) else { return };
        let first = index % BANK_BLOCKS * BLOCK_ENTRIES;
        for (i, place) in bank[first..first + BLOCK_ENTRIES].iter_mut().enumerate() {
            *place = regions.decoded((command.vector[i / 4] >> (i % 4 * 8)) as u8);
        }
    }
}
