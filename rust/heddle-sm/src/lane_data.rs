//! Data of the lanes beside requests and responses, for a design that holds the L1.
//!
//! A lane's access is up to 16 bytes from its address on, as four words, little-endian. A local access travels
//! word by word, each in word 0 of its request.

use std::convert::Infallible;

use heddle_isa::texture::{MAX_TEXELS, sample};
use heddle_isa::{Texels, Type, load_extend};
use heddle_mem::space;
use heddle_port::{LaneData, LaneMask, LaneWords, NUM_LANES};

use crate::coalescer::Transaction;
use crate::lsu::LaneAccess;

/// Puts `bytes` bytes of `value` at byte `at` of some words; those behind the last word are left out.
pub fn put(words: &mut [u32], at: usize, bytes: usize, value: u64) {
    for i in at..at.saturating_add(bytes) {
        if let Some(word) = words.get_mut(i / 4) {
            let byte = u32::from((value >> (8 * (i - at))) as u8);
            *word = *word & !(0xFF << (8 * (i % 4))) | byte << (8 * (i % 4));
        }
    }
}

/// `bytes` bytes at byte `at` of some words; zero behind the last word.
pub fn get(words: &[u32], at: usize, bytes: usize) -> u64 {
    (at..at.saturating_add(bytes)).rev().fold(0, |value, i| {
        let word = words.get(i / 4).copied().unwrap_or(0);
        value << 8 | u64::from((word >> (8 * (i % 4))) as u8)
    })
}

/// What the lanes of a request write.
pub fn stored(access: &LaneAccess, ty: Type, t: Transaction, out: &mut LaneWords) {
    let bytes = ty.bytes() as usize;
    for lane in LaneMask(t.mask).lanes() {
        let mut words = [0; 4];
        for element in 0..access.elements {
            put(&mut words, element * bytes, bytes, access.stored[element][lane]);
        }
        if t.space == space::LOCAL {
            words = [words[usize::from(t.word) % 4], 0, 0, 0];
        }
        out[lane] = words;
    }
}

/// What the lanes of an atomic bring: the operand in words 0 and 1, the new value of a compare-and-swap in 2 and 3.
pub fn operands(access: &LaneAccess, t: Transaction, out: &mut LaneWords) {
    for lane in LaneMask(t.mask).lanes() {
        let mut words = [0; 4];
        for element in 0..access.elements.min(2) {
            put(&mut words, 8 * element, 8, access.stored[element][lane]);
        }
        out[lane] = words;
    }
}

/// What a response brought becomes the values of the load's registers, in the lanes of `mask`. `word` is the
/// word of the lanes' access that a local response carries; other responses carry all of it.
pub fn loaded(
    values: &mut [LaneData],
    (ty, vector): (Type, u8),
    mask: u32,
    word: Option<u8>,
    data: &LaneWords,
) {
    let (bytes, words, vector) = (ty.bytes() as usize, ty.words(), usize::from(vector));
    // A local word has several small elements, one, or half of a large one.
    let (first, end) = match word.map(usize::from) {
        Some(word) if bytes > 4 => {
            if let Some(value) = values.get_mut(word) {
                LaneMask(mask).lanes().for_each(|lane| value[lane] = data[lane][0]);
            }
            return;
        }
        Some(word) => (word * 4 / bytes, ((word + 1) * 4 / bytes).min(vector)),
        None => (0, vector),
    };
    for element in first..end {
        for lane in LaneMask(mask).lanes() {
            let (low, high) = load_extend(ty, get(&data[lane], (element - first) * bytes, bytes));
            if let Some(value) = values.get_mut(element * words) {
                value[lane] = low;
            }
            if words == 2
                && let Some(value) = values.get_mut(element * words + 1)
            {
                value[lane] = high;
            }
        }
    }
}

/// The texels of a texture fetch, as they come in.
#[derive(Debug, Clone)]
pub struct Fetch {
    texels: Texels,
    /// log2 of the bytes that each request asks for; what comes for a lane begins at a multiple of it.
    size_log2: u8,
    /// By texel.
    data: [LaneWords; MAX_TEXELS],
}

impl Fetch {
    /// Nothing is there yet.
    pub fn new(texels: Texels, size_log2: u8) -> Self {
        Self { texels, size_log2, data: [[[0; 4]; NUM_LANES]; MAX_TEXELS] }
    }

    /// Texel `part` has come for the lanes of `mask`.
    pub fn take(&mut self, part: u8, mask: u32, data: &LaneWords) {
        if let Some(texel) = self.data.get_mut(usize::from(part)) {
            LaneMask(mask).lanes().for_each(|lane| texel[lane] = data[lane]);
        }
    }

    /// The filtered texels become the values of the lanes of `mask`.
    pub fn finish(&self, mask: u32, values: &mut [LaneData]) {
        for lane in LaneMask(mask).lanes() {
            let read = |address: u64, bytes: u32| {
                let size = u64::from(self.texels.bytes[lane]);
                let texels = self.texels.addresses.iter().take(usize::from(self.texels.count[lane]));
                let texel = texels.map(|a| a[lane]).position(|a| (a..a + size).contains(&address));
                let at = address % (1 << self.size_log2);
                Ok::<_, Infallible>(
                    texel.map_or(0, |t| get(&self.data[t][lane], at as usize, bytes as usize) as u32),
                )
            };
            let Ok(result) = sample(&self.texels, lane, read);
            for (value, word) in values.iter_mut().zip(result) {
                value[lane] = word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{get, put};

    #[test]
    fn elements_lie_side_by_side() {
        let mut words = [0; 4];
        put(&mut words, 0, 2, 0xBEEF);
        put(&mut words, 2, 2, 0x1234);
        put(&mut words, 8, 8, 0x0123_4567_89AB_CDEF);
        assert_eq!(words, [0x1234_BEEF, 0, 0x89AB_CDEF, 0x0123_4567]);
        assert_eq!(get(&words, 2, 2), 0x1234);
        assert_eq!(get(&words, 8, 8), 0x0123_4567_89AB_CDEF);
    }
}
