//! Bytes of global memory that were written, and what stands in them.

use heddle_isa::{AccessError, DeviceMemory};
use heddle_port::{LaneMask, NUM_LANES};
use rustc_hash::FxHashMap;

/// Bytes of a line, one bit of a mask each.
const LINE: u32 = u128::BITS;

/// Addresses of bytes.
#[derive(Debug, Clone, Default)]
pub struct Written {
    /// By number of the line: its bytes.
    lines: FxHashMap<u32, u128>,
}

/// What does not fit the memory that it is for.
#[derive(Debug, thiserror::Error)]
pub enum PatchError {
    /// An address outside every buffer.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// It ends in the middle of a stretch.
    #[error("it ends {missing} bytes too early")]
    Short {
        /// Bytes that are not there.
        missing: usize,
    },
}

impl Written {
    /// `bytes` bytes from the address of each lane on, which is a multiple of that power of two.
    pub fn mark(&mut self, lanes: LaneMask, addresses: &[u64; NUM_LANES], bytes: u32) {
        let (mut line, mut mask) = (0, 0);
        for lane in lanes.lanes() {
            // Global addresses have 32 bits; an access that is aligned to its bytes lies in one line.
            let address = addresses[lane] as u32;
            if line != address / LINE {
                self.add(line, mask);
                (line, mask) = (address / LINE, 0);
            }
            mask |= ((1 << bytes) - 1) << (address % LINE);
        }
        self.add(line, mask);
    }

    fn add(&mut self, line: u32, mask: u128) {
        if mask != 0 {
            *self.lines.entry(line).or_default() |= mask;
        }
    }

    /// All that `other` has.
    pub fn add_all(&mut self, other: &Self) {
        other.lines.iter().for_each(|(&line, &mask)| self.add(line, mask));
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.lines.clear();
    }

    /// Address and length of each stretch of bytes, ascending, as long as can be.
    fn stretches(&self) -> Vec<(u32, u32)> {
        let mut lines: Vec<(u32, u128)> = self.lines.iter().map(|(&line, &mask)| (line, mask)).collect();
        lines.sort_unstable();
        let mut stretches: Vec<(u32, u32)> = Vec::new();
        for (line, mut mask) in lines {
            let mut at = 0;
            while mask != 0 {
                let gap = mask.trailing_zeros();
                let length = (mask >> gap).trailing_ones();
                let start = line * LINE + at + gap;
                match stretches.last_mut() {
                    Some((first, bytes)) if *first + *bytes == start => *bytes += length,
                    _ => stretches.push((start, length)),
                }
                at += gap + length;
                mask = mask.checked_shr(gap + length).unwrap_or(0);
            }
        }
        stretches
    }

    /// What stands in these bytes of `memory`: each stretch with address and length before it, none in two buffers.
    ///
    /// # Errors
    /// A byte that is in no buffer.
    pub fn contents(&self, memory: &DeviceMemory) -> Result<Vec<u8>, AccessError> {
        let stretches = self.stretches();
        let bytes = stretches.iter().map(|(_, length)| 8 + *length as usize).sum();
        let mut contents = Vec::with_capacity(bytes);
        for (mut start, mut left) in stretches {
            while left > 0 {
                let length = in_one_buffer(memory, start, left);
                contents.extend(start.to_le_bytes());
                contents.extend(length.to_le_bytes());
                contents.extend(memory.read_bytes(start, length)?);
                (start, left) = (start + length, left - length);
            }
        }
        Ok(contents)
    }
}

/// How many of `bytes` bytes from `start` on lie in the buffer of the first one; all where that is in none.
fn in_one_buffer(memory: &DeviceMemory, start: u32, bytes: u32) -> u32 {
    let buffer = memory.region_at(u64::from(start)).and_then(|number| memory.regions().get(number));
    let rest = buffer.map_or(0, |buffer| buffer.data.len().saturating_sub((start - buffer.start) as usize));
    match u32::try_from(rest) {
        Ok(rest) if rest > 0 => rest.min(bytes),
        _ => bytes,
    }
}

/// Puts `contents`, as [`Written::contents`] gives it, into `memory`; nothing of it where there is an error.
///
/// # Errors
/// [`PatchError`].
pub fn put(contents: &[u8], memory: &mut DeviceMemory) -> Result<(), PatchError> {
    let mut stretches = Vec::new();
    let mut rest = contents;
    while !rest.is_empty() {
        let (start, after) = number(rest)?;
        let (length, after) = number(after)?;
        memory.read_bytes(start, length)?;
        let Some((bytes, after)) = after.split_at_checked(length as usize) else {
            return Err(PatchError::Short { missing: length as usize - after.len() });
        };
        stretches.push((start, bytes));
        rest = after;
    }
    for (start, bytes) in stretches {
        memory.write_bytes(start, bytes)?;
    }
    Ok(())
}

fn number(bytes: &[u8]) -> Result<(u32, &[u8]), PatchError> {
    match bytes.split_first_chunk::<4>() {
        Some((number, rest)) => Ok((u32::from_le_bytes(*number), rest)),
        None => Err(PatchError::Short { missing: 4 - bytes.len() }),
    }
}

#[cfg(test)]
mod tests {
    use heddle_isa::DeviceMemory;
    use heddle_port::LaneMask;

    use super::{PatchError, Written, put};

    fn memory() -> (DeviceMemory, u32) {
        let mut memory = DeviceMemory::new();
        let start = memory.allocate("a", 1024).expect("room");
        (memory, start)
    }

    #[test]
    fn what_was_written_is_put_into_another_memory_byte_by_byte() {
        let (mut from, start) = memory();
        let base = u64::from(start);
        let mut written = Written::default();
        // Two neighbours across a line, the last bytes of a line, one byte alone, and lanes that go back.
        let mut addresses = [0; 32];
        let places = [120, 124, 128, 252, 400, 132];
        for (lane, place) in places.iter().enumerate() {
            addresses[lane] = base + place;
            from.store(base + place, 4, 0x0101_0101 * (lane as u64 + 1)).expect("inside");
        }
        written.mark(LaneMask(0b11_1111), &addresses, 4);
        addresses[7] = base + 511;
        from.store(base + 511, 1, 9).expect("inside");
        written.mark(LaneMask(1 << 7), &addresses, 1);
        assert_eq!(
            written.stretches(),
            [(start + 120, 16), (start + 252, 4), (start + 400, 4), (start + 511, 1)]
        );
        let contents = written.contents(&from).expect("inside");
        let (mut to, _) = memory();
        put(&contents, &mut to).expect("it fits");
        assert_eq!(to, from, "contents, and which bytes were written");
    }

    #[test]
    fn a_stretch_goes_on_in_the_next_buffer() {
        let filled = || {
            let mut memory = DeviceMemory::new();
            memory.allocate_at("a", 0x10_0000, 4096).expect("a place");
            memory.allocate_at("b", 0x10_1000, 4096).expect("a place");
            memory
        };
        let (mut from, mut to) = (filled(), filled());
        let mut addresses = [0; 32];
        let mut written = Written::default();
        for (lane, place) in [0x10_0ffc, 0x10_1000].into_iter().enumerate() {
            addresses[lane] = place;
            from.store(place, 4, 7).expect("inside");
        }
        written.mark(LaneMask(0b11), &addresses, 4);
        assert_eq!(written.stretches(), [(0x10_0ffc, 8)]);
        put(&written.contents(&from).expect("inside"), &mut to).expect("it fits");
        assert_eq!(to, from);
    }

    #[test]
    fn what_does_not_fit_changes_nothing() {
        let (mut to, start) = memory();
        let before = to.clone();
        let stretch = |at: u32, length: u32| [at.to_le_bytes(), length.to_le_bytes()].concat();
        let good = [stretch(start, 2), vec![1, 2]].concat();
        let outside = [&good[..], &stretch(start + 1023, 2), &[1, 2]].concat();
        assert!(matches!(put(&outside, &mut to), Err(PatchError::Access(_))));
        let short = [&good[..], &stretch(start, 3), &[1, 2]].concat();
        assert!(matches!(put(&short, &mut to), Err(PatchError::Short { missing: 1 })));
        assert!(matches!(put(&short[..good.len() + 3], &mut to), Err(PatchError::Short { missing: 1 })));
        assert_eq!(to, before);
        put(&good, &mut to).expect("it fits");
        assert_eq!(to.read_bytes(start, 2), Ok(&[1, 2][..]));
    }
}
