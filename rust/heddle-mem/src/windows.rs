//! Where the memory spaces lie in the addresses behind the memory port.

use heddle_port::LINE_BYTES;

use crate::space;

/// Bytes that a CTA slot has in the off-chip shared space.
pub const SHARED_BLOCK_BYTES: u32 = 1 << 17;
/// CTA slots that have a block there.
const SHARED_BLOCKS: u32 = 32;
/// First address of the off-chip shared space.
const SHARED_START: u32 = 0xE000_0000;
/// Addresses of the off-chip shared space: the blocks of the CTA slots, one after the other.
pub const SHARED_SPACE: std::ops::Range<u32> =
    SHARED_START..SHARED_START + SHARED_BLOCKS * SHARED_BLOCK_BYTES;
/// Addresses of code, as far as the instruction cache and L2 tell them apart.
pub const CODE_SPACE: std::ops::Range<u32> = 0xD000_0000..SHARED_START;
/// First address of local memory.
pub const LOCAL_SPACE: u32 = 0xF000_0000;

/// Whether an address lies in off-chip shared memory.
#[must_use]
pub fn is_off_chip_shared(address: u32) -> bool {
    SHARED_SPACE.contains(&address)
}

/// The CTA slot whose block an address of the off-chip shared space lies in; `None` for other addresses.
#[must_use]
pub fn shared_slot(address: u32) -> Option<u32> {
    is_off_chip_shared(address).then(|| (address - SHARED_SPACE.start) / SHARED_BLOCK_BYTES)
}

/// Bits of a line's number.
const LINE_BITS: u32 = 32 - (LINE_BYTES as u32).trailing_zeros();

/// The number of the line at `address` behind the network: the off-chip shared memory and the local memory of each SM are
/// its own, so their numbers have that of the SM above the bits of the address. The bytes that a number stands for are
/// `line * 128`, modulo 2^32, whatever the SM.
#[must_use]
pub fn line_of(address: u32, sm: u16) -> u32 {
    let line = address / LINE_BYTES as u32;
    if space_of(address) == space::GLOBAL { line } else { line | u32::from(sm) << LINE_BITS }
}

/// SMs whose lines have numbers of their own.
pub const MOST_SMS: u32 = 1 << (32 - LINE_BITS);

/// How far the lines of an SM lie from those of the SM before: odd, so that equal offsets of two SMs are in other slices, sets, channels and banks.
const APART: u32 = 0x0037_79B1;

/// The place of a line in what lines go round: slices, sets, channels and banks. Equal offsets in the local memory, or in the off-chip
/// shared memory, of all SMs would lie in one of each, since the bits of the SM are above those that choose.
#[must_use]
pub fn place_of(line: u32) -> u32 {
    moved(line, APART)
}

/// The line whose place it is.
#[must_use]
pub fn line_at(place: u32) -> u32 {
    moved(place, APART.wrapping_neg())
}

/// Moves a line by so many for each SM before its own, within the lines of its SM.
fn moved(line: u32, apart: u32) -> u32 {
    let low = (1 << LINE_BITS) - 1;
    let sm = line >> LINE_BITS;
    line & !low | line.wrapping_add(sm.wrapping_mul(apart)) & low
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
    use super::{MOST_SMS, line_at, line_of, place_of, shared_slot, space_of};
    use crate::space::{GLOBAL, LOCAL, SHARED};

    #[test]
    fn spaces_are_told_apart_by_address() {
        let addresses = [0x1000_0000, 0xDFFF_FFFF, 0xE000_0000, 0xE03F_FFFF, 0xE040_0000, 0xF000_0000];
        assert_eq!(addresses.map(space_of), [GLOBAL, GLOBAL, SHARED, SHARED, GLOBAL, LOCAL]);
        let slots = [None, None, Some(0), Some(31), None, None];
        assert_eq!(addresses.map(shared_slot), slots);
        assert_eq!([0xE001_FFFF, 0xE002_0000].map(shared_slot), [Some(0), Some(1)]);
    }

    #[test]
    fn equal_offsets_of_neighbouring_sms_lie_apart_and_every_place_has_one_line() {
        for units in [6, 8, 16, 32, 64, 1024] {
            let of = |sm: u32| place_of(line_of(0xF000_0080, sm as u16)) % units;
            assert!((1..MOST_SMS).all(|sm| of(sm) != of(sm - 1)), "{units} units");
        }
        assert_eq!(place_of(line_of(0x1234_5680, 9)), 0x1234_5680 / 128, "global memory stays");
        for sm in [0, 1, 79, 127] {
            for address in [0xE000_0000u32, 0xE03F_FF80, 0xF000_0000, 0xFFFF_FF80] {
                let line = line_of(address, sm);
                assert_eq!(line_at(place_of(line)), line);
            }
        }
    }
}
