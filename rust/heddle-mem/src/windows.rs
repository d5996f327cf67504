//! Where the memory spaces lie in the addresses behind the memory port.

use crate::space;

/// Addresses of the off-chip shared space: 32 CTA slots of 128 KiB.
pub const SHARED_SPACE: std::ops::Range<u32> = 0xE000_0000..0xE040_0000;
/// First address of local memory.
pub const LOCAL_SPACE: u32 = 0xF000_0000;

/// Whether an address lies in off-chip shared memory.
#[must_use]
pub fn is_off_chip_shared(address: u32) -> bool {
    SHARED_SPACE.contains(&address)
}

/// The space of an address, as [`crate::space`] numbers them.
#[must_use]
pub fn space_of(address: u32) -> u8 {
    match address {
        LOCAL_SPACE.. => space::LOCAL,
        address if is_off_chip_shared(address) => space::SHARED,
        _ => space::GLOBAL,
    }
}

#[cfg(test)]
mod tests {
    use super::space_of;
    use crate::space::{GLOBAL, LOCAL, SHARED};

    #[test]
    fn spaces_are_told_apart_by_address() {
        let addresses = [0x1000_0000, 0xDFFF_FFFF, 0xE000_0000, 0xE03F_FFFF, 0xE040_0000, 0xF000_0000];
        assert_eq!(addresses.map(space_of), [GLOBAL, GLOBAL, SHARED, SHARED, GLOBAL, LOCAL]);
    }
}
