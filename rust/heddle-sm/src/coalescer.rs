//! The coalescer: from the lanes of an access to requests of the memory port.

use heddle_isa::memory::LOCAL_WINDOW;
use heddle_isa::texture::MAX_TEXELS;
use heddle_isa::{AccessSpaces, Texels};
use heddle_mem::space;
use heddle_port::{LINE_BYTES, LaneMask, NUM_LANES};

/// One request: lanes of one line, or the shared-memory lanes of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Transaction {
    /// Space, as the memory port numbers it.
    pub space: u8,
    /// Lanes that take part.
    pub mask: u32,
    /// For local memory: which 4-byte word of each lane's access; for a texture fetch: which texel.
    pub word: u8,
}

/// Splits an access of `bytes` bytes a lane into requests, appended to `out`.
///
/// Global: one for each 128-byte line, in the order of the lowest lane. Shared: one. Local: word `w` of
/// all lanes' local memory makes up line `w`, so that equal offsets of the lanes of a warp coalesce; an
/// access of 8 or 16 bytes takes a request for each of its words, and the lanes are performed with the
/// first.
pub fn coalesce(spaces: &AccessSpaces, addresses: &[u64; NUM_LANES], bytes: u32, out: &mut Vec<Transaction>) {
    by_key(
        spaces.global.0,
        |lane| addresses[lane] / LINE_BYTES as u64,
        |mask| {
            out.push(Transaction { space: space::GLOBAL, mask, word: 0 });
        },
    );
    if !spaces.shared.is_empty() {
        out.push(Transaction { space: space::SHARED, mask: spaces.shared.0, word: 0 });
    }
    by_key(
        spaces.local.0,
        |lane| addresses[lane] / 4,
        |mask| {
            for word in 0..bytes.div_ceil(4) as u8 {
                out.push(Transaction { space: space::LOCAL, mask, word });
            }
        },
    );
}

/// Splits a texture fetch of `lanes` into requests, appended to `out`: for the first texel of all lanes
/// one a line, then for the second, and so on. The lanes are performed with their first texel.
pub fn coalesce_texels(texels: &Texels, lanes: LaneMask, out: &mut Vec<Transaction>) {
    for texel in 0..MAX_TEXELS {
        by_key(
            texels.lanes(texel, lanes).0,
            |lane| texels.addresses[texel][lane] / LINE_BYTES as u64,
            |mask| out.push(Transaction { space: space::GLOBAL, mask, word: texel as u8 }),
        );
    }
}

/// Calls `each` with the lanes of `mask` that have the same key, lowest lane first.
fn by_key(mask: u32, key: impl Fn(usize) -> u64, mut each: impl FnMut(u32)) {
    let mut rest = mask;
    while rest != 0 {
        let wanted = key(rest.trailing_zeros() as usize);
        let mut same = 0u32;
        for lane in 0..NUM_LANES {
            same |= u32::from(key(lane) == wanted) << lane;
        }
        same &= rest;
        each(same);
        rest &= !same;
    }
}

const _: () = assert!(LOCAL_WINDOW == heddle_mem::LOCAL_SPACE);

/// Bytes of local memory that a thread can have so that those of `warps` warp slots have addresses of their own.
pub fn most_local_bytes(warps: u32) -> u32 {
    let lines = (1u64 << 32).saturating_sub(u64::from(LOCAL_WINDOW)) / LINE_BYTES as u64;
    (lines / u64::from(warps.max(1)) * 4) as u32
}

/// The address of a lane's local word in the SM's physical address space.
#[inline]
pub fn local_address(warp: usize, local_bytes: u32, offset: u64, word: u8, lane: usize) -> u32 {
    let line = (offset / 4) as u32 + u32::from(word);
    LOCAL_WINDOW
        .wrapping_add((warp as u32 * local_bytes.div_ceil(4)).wrapping_mul(LINE_BYTES as u32))
        .wrapping_add(line.wrapping_mul(LINE_BYTES as u32))
        .wrapping_add(lane as u32 * 4 + (offset % 4) as u32)
}

#[cfg(test)]
mod tests {
    use super::{Transaction, coalesce, local_address};
    use heddle_isa::AccessSpaces;
    use heddle_port::LaneMask;

    fn global(addresses: &[u64; 32], mask: u32) -> Vec<u32> {
        let spaces = AccessSpaces { global: LaneMask(mask), ..AccessSpaces::default() };
        let mut out = Vec::new();
        coalesce(&spaces, addresses, 4, &mut out);
        out.iter().map(|t| t.mask).collect()
    }

    #[test]
    fn consecutive_words_take_one_request_or_two_when_they_cross_a_line() {
        let consecutive = std::array::from_fn(|i| 0x1000_0000 + 4 * i as u64);
        assert_eq!(global(&consecutive, u32::MAX), [u32::MAX]);
        let shifted = std::array::from_fn(|i| 0x1000_0040 + 4 * i as u64);
        assert_eq!(global(&shifted, u32::MAX), [0x0000_FFFF, 0xFFFF_0000]);
    }

    #[test]
    fn strides_and_scatter_take_one_request_a_line() {
        let columns = std::array::from_fn(|i| 0x1000_0000 + 128 * i as u64);
        assert_eq!(global(&columns, u32::MAX).len(), 32);
        assert_eq!(global(&columns, 0b1011), [1, 2, 8]);
        let two = std::array::from_fn(|i| 0x1000_0000 + 4096 * (i as u64 % 2));
        assert_eq!(global(&two, u32::MAX), [0x5555_5555, 0xAAAA_AAAA]);
        assert_eq!(global(&two, 0), [0u32; 0]);
    }

    #[test]
    fn generic_lanes_are_split_by_space() {
        let spaces = AccessSpaces { global: LaneMask(1), shared: LaneMask(6), local: LaneMask(8) };
        let mut out = Vec::new();
        coalesce(&spaces, &[0; 32], 8, &mut out);
        let requests: Vec<_> = out.iter().map(|t: &Transaction| (t.space, t.mask, t.word)).collect();
        assert_eq!(requests, [(0, 1, 0), (2, 6, 0), (1, 8, 0), (1, 8, 1)]);
    }

    #[test]
    fn equal_local_offsets_of_the_lanes_lie_in_one_line() {
        let line = |lane| local_address(3, 64, 20, 0, lane) / 128;
        assert!((1..32).all(|lane| line(lane) == line(0)));
        assert_ne!(local_address(3, 64, 24, 0, 0) / 128, line(0));
        assert_ne!(local_address(4, 64, 20, 0, 0) / 128, line(0));
        assert_eq!(local_address(3, 64, 20, 1, 5), local_address(3, 64, 24, 0, 5));
    }
}
