//! The sectors of a line.

use heddle_port::memory::{MemLowerRequest, MemRequest};
use heddle_port::{LINE_BYTES, LineBytes, members};

/// Bytes of the smallest sector.
pub const SECTOR_BYTES: u32 = 32;
/// Bits of a byte mask of a line.
type ByteMask = [u32; LINE_BYTES / 32];

/// A set of the four 32-byte sectors of a line.
///
/// Where a cache has larger sectors, the sets are made of whole ones: with sectors of 128 bytes a set is empty or
/// the whole line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sectors(u8);

impl Sectors {
    /// None.
    pub const NONE: Self = Self(0);
    /// The whole line.
    pub const ALL: Self = Self(0xF);

    /// The sectors of `sector_bytes` bytes (32, 64 or 128) in which bytes of a mask lie.
    #[must_use]
    pub fn of_bytes(mask: &ByteMask, sector_bytes: u32) -> Self {
        let touched = mask.iter().enumerate().map(|(i, bytes)| u8::from(*bytes != 0) << i).sum();
        Self(touched).widened(sector_bytes)
    }

    /// The sectors of `sector_bytes` bytes that a lower request names; one that names no byte wants the line.
    #[must_use]
    pub fn of_lower(request: &MemLowerRequest, sector_bytes: u32) -> Self {
        let named = Self::of_bytes(&request.byte_mask, sector_bytes);
        if named.is_empty() { Self::ALL } else { named }
    }

    /// The sectors of `sector_bytes` bytes that the lanes of a request access; all its lanes lie in one line.
    #[must_use]
    pub fn of_request(request: &MemRequest, sector_bytes: u32) -> Self {
        if sector_bytes >= LINE_BYTES as u32 {
            return Self::ALL;
        }
        let mut touched = 0u8;
        let size = 1u32 << request.size_log2.min(7);
        for lane in members(request.mask) {
            let first = request.address[lane] % LINE_BYTES as u32;
            let last = (first + size - 1).min(LINE_BYTES as u32 - 1);
            for sector in first / SECTOR_BYTES..=last / SECTOR_BYTES {
                touched |= 1 << sector;
            }
        }
        Self(touched).widened(sector_bytes)
    }

    /// Those of a mask of which every byte is in the mask.
    #[must_use]
    pub fn whole(mask: &ByteMask, sector_bytes: u32) -> Self {
        let lacking = mask.map(|bytes| !bytes);
        Self(0xF & !Self::of_bytes(&lacking, sector_bytes).0)
    }

    fn widened(self, sector_bytes: u32) -> Self {
        let Self(touched) = self;
        match sector_bytes {
            0..=32 => self,
            33..=64 => {
                let pairs = (touched | touched >> 1) & 0b0101;
                Self(pairs | pairs << 1)
            }
            _ if touched == 0 => Self::NONE,
            _ => Self::ALL,
        }
    }

    /// Their bytes.
    #[must_use]
    pub fn bytes(self) -> ByteMask {
        std::array::from_fn(|i| if self.0 >> i & 1 != 0 { u32::MAX } else { 0 })
    }

    /// Their bytes, as one mask of a line.
    #[must_use]
    pub fn line_bytes(self) -> LineBytes {
        self.bytes().iter().rev().fold(0, |all, bytes| all << 32 | LineBytes::from(*bytes))
    }

    /// How many 32-byte sectors.
    #[must_use]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// The 32 bytes number `sector` of the line are among them.
    #[must_use]
    pub fn has(self, sector: usize) -> bool {
        self.0 >> sector & 1 != 0
    }

    /// One bit a 32-byte sector.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// No sector.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// All of `others` are among them.
    #[must_use]
    pub fn contain(self, others: Self) -> bool {
        others.0 & !self.0 == 0
    }

    /// Those that are not in `others`.
    #[must_use]
    pub fn without(self, others: Self) -> Self {
        Self(self.0 & !others.0)
    }

    /// Those that are in both.
    #[must_use]
    pub fn both(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }

    /// Those of either.
    #[must_use]
    pub fn with(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }
}

#[cfg(test)]
mod tests {
    use super::Sectors;
    use heddle_port::memory::MemRequest;

    #[test]
    fn sectors_are_those_that_the_bytes_touch() {
        let mask = [1, 0, 0x8000_0000, 0];
        let sectors = |bytes| Sectors::of_bytes(&mask, bytes).bytes().map(|b| b != 0);
        assert_eq!(sectors(32), [true, false, true, false]);
        assert_eq!(Sectors::of_bytes(&[0, 5, 0, 0], 64).bytes().map(|b| b != 0), [true, true, false, false]);
        assert_eq!(sectors(128), [true; 4]);
        assert!(Sectors::of_bytes(&[0; 4], 128).is_empty());
    }

    #[test]
    fn a_lane_of_a_request_may_touch_two() {
        let mut request = MemRequest { mask: 0b101, size_log2: 4, ..MemRequest::default() };
        request.address[0] = 128 + 24;
        request.address[2] = 128 + 120;
        let sectors = Sectors::of_request(&request, 32);
        assert_eq!(sectors.bytes().map(|b| b != 0), [true, true, false, true]);
        assert_eq!(Sectors::of_request(&request, 128), Sectors::ALL);
    }

    #[test]
    fn only_sectors_with_every_byte_are_whole() {
        let mask = [u32::MAX, u32::MAX - 1, u32::MAX, u32::MAX];
        assert_eq!(Sectors::whole(&mask, 32).count(), 3);
        assert_eq!(Sectors::whole(&mask, 64).count(), 2);
        assert_eq!(Sectors::whole(&mask, 128), Sectors::NONE);
        assert_eq!(Sectors::whole(&[u32::MAX; 4], 128), Sectors::ALL);
        let some = Sectors::of_bytes(&[1, 0, 1, 0], 32);
        assert!(Sectors::ALL.contain(some) && !some.contain(Sectors::ALL));
        assert_eq!(Sectors::ALL.without(some).with(some), Sectors::ALL);
    }
}
