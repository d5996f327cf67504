//! One buffer: its bytes, and which of them were written.

use heddle_port::{LaneData, LaneMask, NUM_LANES};

/// One bit a byte: which were written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Written {
    bits: Vec<u64>,
    /// Bytes that were not.
    missing: usize,
}

impl Written {
    fn new(bytes: usize) -> Self {
        Self { bits: vec![0; bytes.div_ceil(64)], missing: bytes }
    }

    /// Marks `len` bytes (at most 8, aligned to their size, so that they lie in one word).
    #[inline]
    fn set_few(&mut self, offset: usize, len: usize) {
        self.set_bits(offset / 64, ((1 << len) - 1) << (offset % 64));
    }

    #[inline]
    fn set_bits(&mut self, word: usize, mask: u64) {
        let bits = &mut self.bits[word];
        if *bits & mask != mask {
            self.missing -= (mask & !*bits).count_ones() as usize;
            *bits |= mask;
        }
    }

    /// Whether `len` bytes (at most 8, aligned to their size) are all marked.
    #[inline]
    fn has_few(&self, offset: usize, len: usize) -> bool {
        let mask = ((1 << len) - 1) << (offset % 64);
        self.bits[offset / 64] & mask == mask
    }

    fn set(&mut self, offset: usize, len: usize) {
        let end = offset + len;
        let mut at = offset;
        while at < end {
            let (word, bit) = (at / 64, at % 64);
            let count = (end - at).min(64 - bit);
            self.set_bits(word, u64::MAX >> (64 - count) << bit);
            at += count;
        }
    }

    fn has(&self, at: usize) -> bool {
        self.bits.get(at / 64).is_some_and(|w| w >> (at % 64) & 1 != 0)
    }
}

/// One allocated buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Name for messages.
    pub name: String,
    /// First address.
    pub start: u32,
    /// Contents.
    pub data: Vec<u8>,
    written: Written,
    /// Kernels do not write it.
    read_only: bool,
}

/// Number of the word at a byte offset; beyond every buffer where the offset is not a multiple of 4, for
/// then a low bit stands on top.
#[inline(always)]
fn word_index(offset: u64) -> usize {
    usize::try_from(offset.rotate_right(2)).unwrap_or(usize::MAX)
}

impl Region {
    /// A buffer of `bytes` bytes at `start`, not yet written.
    #[must_use]
    pub fn new(name: &str, start: u32, bytes: u32) -> Self {
        Self {
            name: name.to_owned(),
            start,
            data: vec![0; bytes as usize],
            written: Written::new(bytes as usize),
            read_only: false,
        }
    }

    pub(super) fn protect(&mut self) {
        self.read_only = true;
    }

    /// Whether kernels are kept from writing it.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.read_only
    }

    /// Whether byte `offset` was ever written.
    #[must_use]
    pub fn is_written(&self, offset: usize) -> bool {
        offset < self.data.len() && self.written.has(offset)
    }

    /// Offset of an access of `bytes` bytes that lies inside.
    #[inline]
    #[must_use]
    pub fn offset(&self, address: u64, bytes: u32) -> Option<usize> {
        let offset = address.wrapping_sub(u64::from(self.start));
        let inside = offset < self.data.len() as u64 && offset + u64::from(bytes) <= self.data.len() as u64;
        #[allow(clippy::cast_possible_truncation)]
        inside.then_some(offset as usize)
    }

    /// The 1, 2, 4 or 8 bytes at `offset`, little endian, and whether all were written; `None` when
    /// they are not inside or `offset` is not a multiple of `bytes`.
    #[inline]
    #[must_use]
    pub fn read(&self, offset: usize, bytes: u32) -> Option<(u64, bool)> {
        let n = bytes as usize;
        if offset & n.wrapping_sub(1) != 0 {
            return None;
        }
        let slice = self.data.get(offset..offset + n)?;
        let value = match *slice {
            [a] => u64::from(a),
            [a, b] => u64::from(u16::from_le_bytes([a, b])),
            [a, b, c, d] => u64::from(u32::from_le_bytes([a, b, c, d])),
            [a, b, c, d, e, f, g, h] => u64::from_le_bytes([a, b, c, d, e, f, g, h]),
            _ => return None,
        };
        Some((value, self.written.has_few(offset, n)))
    }

    /// Writes the low 1, 2, 4 or 8 bytes of `value` at `offset`; `None` as for [`Region::read`], and for a
    /// protected region.
    #[inline]
    pub fn write(&mut self, offset: usize, bytes: u32, value: u64) -> Option<()> {
        let n = bytes as usize;
        if offset & n.wrapping_sub(1) != 0 || self.read_only {
            return None;
        }
        let slice = self.data.get_mut(offset..offset + n)?;
        let value = value.to_le_bytes();
        match n {
            1 => slice.copy_from_slice(&value[..1]),
            2 => slice.copy_from_slice(&value[..2]),
            4 => slice.copy_from_slice(&value[..4]),
            8 => slice.copy_from_slice(&value),
            _ => return None,
        }
        self.written.set_few(offset, n);
        Some(())
    }

    /// The 4-byte words at the addresses of `lanes`, and whether all their bytes were written; `None` when
    /// one is not inside or its offset is not a multiple of 4, and then some of `out` may be set.
    #[inline]
    pub fn read_words(
        &self,
        addresses: &[u64; NUM_LANES],
        lanes: LaneMask,
        out: &mut LaneData,
    ) -> Option<bool> {
        if lanes == LaneMask::ALL {
            self.read_each(addresses, 0..NUM_LANES, out)?;
        } else {
            self.read_each(addresses, lanes.lanes(), out)?;
        }
        let start = u64::from(self.start);
        let written = |lane: usize| self.written.has_few((addresses[lane] - start) as usize, 4);
        Some(self.written.missing == 0 || lanes.lanes().all(written))
    }

    #[inline(always)]
    fn read_each(
        &self,
        addresses: &[u64; NUM_LANES],
        lanes: impl Iterator<Item = usize>,
        out: &mut LaneData,
    ) -> Option<()> {
        let (words, _) = self.data.as_chunks::<4>();
        let start = u64::from(self.start);
        for lane in lanes {
            let offset = addresses[lane].wrapping_sub(start);
            out[lane] = u32::from_le_bytes(*words.get(word_index(offset))?);
        }
        Some(())
    }

    /// Writes the low 4 bytes of `values` at the addresses of `lanes`, ascending; `None` as for
    /// [`Region::write`], and then the words of lower lanes may be written.
    #[inline]
    pub fn write_words(
        &mut self,
        addresses: &[u64; NUM_LANES],
        lanes: LaneMask,
        values: &[u64; NUM_LANES],
    ) -> Option<()> {
        if self.read_only {
            return None;
        }
        let start = u64::from(self.start);
        let (words, _) = self.data.as_chunks_mut::<4>();
        for lane in lanes.lanes() {
            let offset = addresses[lane].wrapping_sub(start);
            *words.get_mut(word_index(offset))? = (values[lane] as u32).to_le_bytes();
            self.written.set_few(offset as usize, 4);
        }
        Some(())
    }

    /// Copies bytes in; the caller has found that they lie inside.
    pub(super) fn write_bytes(&mut self, offset: usize, bytes: &[u8]) {
        self.data[offset..offset + bytes.len()].copy_from_slice(bytes);
        self.written.set(offset, bytes.len());
    }
}
