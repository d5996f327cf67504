//! The four 32-byte sectors of a line, as sets of four bits.

use heddle_port::{LINE_BYTES, members};

use super::lines::line_number;
use super::requests::Pending;

/// Sectors of a line.
pub const SECTORS: usize = 4;
/// All sectors of a line.
pub const ALL: u8 = (1 << SECTORS) - 1;
const BYTES: usize = LINE_BYTES / SECTORS;

/// The sector in which an access lies; accesses are aligned to their size.
#[inline]
#[must_use]
pub fn sector_of(address: u32) -> usize {
    address as usize % LINE_BYTES / BYTES
}

/// The bytes of sectors, as bits of their line.
#[inline]
#[must_use]
pub fn bytes_of(sectors: u8) -> u128 {
    let sector = (1u128 << BYTES) - 1;
    (0..SECTORS).filter(|s| sectors >> s & 1 != 0).fold(0, |bytes, s| bytes | sector << (BYTES * s))
}

/// What is brought for a request: the line of its lowest lane in need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Wanted {
    /// Number of the line.
    pub number: u32,
    /// Lanes in need of it.
    pub alike: u32,
    /// Sectors that they need.
    pub sectors: u8,
}

impl Wanted {
    /// Of a request whose lanes `needed`, at least one, need lines; all sectors without `sectors`.
    #[must_use]
    pub fn of(pending: &Pending, needed: u32, sectors: bool) -> Self {
        let address = &pending.request.address;
        let number = line_number(address[needed.trailing_zeros() as usize % address.len()]);
        let mut wanted = Self { number, alike: 0, sectors: if sectors { 0 } else { ALL } };
        for lane in members(needed) {
            if line_number(address[lane]) == number {
                wanted.alike |= 1 << lane;
                wanted.sectors |= 1 << sector_of(address[lane]);
            }
        }
        wanted
    }
}

#[cfg(test)]
mod tests {
    use super::{ALL, bytes_of, sector_of};

    #[test]
    fn a_sector_is_a_quarter_of_its_line() {
        assert_eq!([0, 31, 32, 127, 128, 200].map(sector_of), [0, 0, 1, 3, 0, 2]);
        assert_eq!(bytes_of(0b0101), 0xFFFF_FFFF_0000_0000_FFFF_FFFF);
        assert_eq!(bytes_of(ALL), u128::MAX);
    }
}
