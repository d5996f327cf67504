//! What the L1 of one of many SMs holds of global memory: lines as they were when they were taken, with what the SM has stored
//! since. Other SMs' later stores are not in it.

use heddle_isa::{AccessError, DeviceMemory};
use heddle_mem::{LineEvents, SECTOR_BYTES, Sectors};
use heddle_port::LINE_BYTES;
use rustc_hash::FxHashMap;

/// A line.
#[derive(Debug, Clone)]
struct Held {
    sectors: Sectors,
    bytes: [u8; LINE_BYTES],
}

/// The lines that an L1 holds or has asked for.
#[derive(Debug, Clone, Default)]
pub struct View {
    lines: FxHashMap<u32, Box<Held>>,
    /// Lines to use again.
    #[expect(clippy::vec_box, reason = "lines move between here and the map")]
    free: Vec<Box<Held>>,
}

/// Number of the line that a byte lies in, and its place there.
fn place(address: u64) -> (u32, usize) {
    ((address / LINE_BYTES as u64) as u32, (address % LINE_BYTES as u64) as usize)
}

impl View {
    /// Follows the L1; what it takes comes from `global`.
    pub fn follow(&mut self, events: &LineEvents, global: &DeviceMemory) {
        if events.emptied {
            self.free.extend(self.lines.drain().map(|(_, held)| held));
        }
        for line in &events.left {
            self.free.extend(self.lines.remove(line));
        }
        if let Some((line, sectors)) = events.taken {
            self.take(line, sectors, global);
        }
    }

    fn take(&mut self, line: u32, sectors: Sectors, global: &DeviceMemory) {
        let free = &mut self.free;
        let fresh = || {
            let mut held = free.pop().unwrap_or_else(|| Box::new(Held { sectors, bytes: [0; LINE_BYTES] }));
            held.sectors = Sectors::NONE;
            held
        };
        let held = self.lines.entry(line).or_insert_with(fresh);
        held.sectors = held.sectors.with(sectors);
        let start = line * LINE_BYTES as u32;
        for (sector, bytes) in held.bytes.chunks_mut(SECTOR_BYTES as usize).enumerate() {
            if !sectors.has(sector) {
                continue;
            }
            let first = start + sector as u32 * SECTOR_BYTES;
            if let Ok(read) = global.read_bytes(first, SECTOR_BYTES) {
                bytes.copy_from_slice(read);
                continue;
            }
            // Its end, or all of it, lies outside of the buffers.
            for (address, byte) in (u64::from(first)..).zip(bytes) {
                *byte = global.load(address, 1).unwrap_or_default() as u8;
            }
        }
    }

    /// The line that a byte lies in, of which the L1 holds what it reads.
    #[inline]
    pub fn line(&self, address: u64) -> Option<&[u8; LINE_BYTES]> {
        self.lines.get(&place(address).0).map(|held| &held.bytes)
    }

    /// Whether the L1 holds the sectors of `bytes` at `address`, which lie in one line.
    #[inline]
    pub fn holds(&self, address: u64, bytes: u32) -> bool {
        let (line, at) = place(address);
        let sectors = at / SECTOR_BYTES as usize..=(at + bytes as usize - 1) / SECTOR_BYTES as usize;
        self.lines.get(&line).is_some_and(|held| sectors.clone().all(|sector| held.sectors.has(sector)))
    }

    /// Loads 1, 2, 4 or 8 bytes that lie in one line, little endian, as `global` would, which says what may be loaded.
    #[inline]
    pub fn load(&self, global: &DeviceMemory, address: u64, bytes: u32) -> Result<u64, AccessError> {
        let below = global.load(address, bytes)?;
        let Some(line) = self.line(address) else { return Ok(below) };
        let at = place(address).1;
        Ok(line[at..].iter().take(bytes as usize).rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
    }

    /// The SM stores 1, 2, 4 or 8 bytes that lie in one line.
    #[inline]
    pub fn store(&mut self, address: u64, bytes: u32, value: u64) {
        let (line, at) = place(address);
        if let Some(held) = self.lines.get_mut(&line) {
            for (to, byte) in held.bytes[at..].iter_mut().zip(&value.to_le_bytes()[..bytes as usize]) {
                *to = *byte;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use heddle_isa::DeviceMemory;
    use heddle_mem::{LineEvents, Sectors};

    use super::View;

    fn first() -> Sectors {
        Sectors::of_bytes(&[1, 0, 0, 0], 32)
    }

    fn taken(address: u32, sectors: Sectors) -> LineEvents {
        LineEvents { taken: Some((address / 128, sectors)), ..LineEvents::default() }
    }

    #[test]
    fn a_line_stays_as_it_was_taken_but_for_the_own_stores() {
        let mut memory = DeviceMemory::new();
        let start = memory.allocate("a", 256).expect("there is room");
        let at = u64::from(start);
        memory.store(at + 4, 4, 7).expect("inside");
        let mut view = View::default();
        view.follow(&taken(start, first()), &memory);
        memory.store(at + 4, 4, 8).expect("inside");
        assert_eq!(view.load(&memory, at + 4, 4), Ok(7), "another SM's store");
        assert!(view.holds(at + 28, 4) && !view.holds(at + 28, 8) && !view.holds(at + 128, 4));
        view.store(at + 6, 2, 0xABCD);
        assert_eq!(view.load(&memory, at, 8), Ok(0xABCD_0007 << 32));
        view.follow(&taken(start, Sectors::ALL), &memory);
        assert_eq!(view.load(&memory, at + 4, 4), Ok(8), "taken once more");
        assert!(view.load(&memory, at + 256, 4).is_err(), "outside");
    }

    #[test]
    fn lines_that_left_are_not_held() {
        let mut memory = DeviceMemory::new();
        let start = memory.allocate("a", 300).expect("there is room");
        let mut view = View::default();
        let last = start + 256;
        for line in [start, start + 128, last] {
            view.follow(&taken(line, Sectors::ALL), &memory);
        }
        view.follow(&LineEvents { left: vec![start / 128], ..LineEvents::default() }, &memory);
        let held = |view: &View| [start, start + 128, last].map(|line| view.holds(line.into(), 4));
        assert_eq!(held(&view), [false, true, true]);
        let again = LineEvents { emptied: true, ..taken(last, first()) };
        view.follow(&again, &memory);
        assert_eq!(held(&view), [false, false, true], "what is taken in the same edge is taken after");
        assert!(!view.holds(u64::from(last) + 32, 4));
    }
}
