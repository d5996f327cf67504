//! What the L1 of one of many SMs holds of global memory: lines as they were when they were taken, with what the SM has stored
//! since. Other SMs' later stores are not in it.

use heddle_isa::{AccessError, DeviceMemory};
use heddle_mem::SECTOR_BYTES;
use heddle_port::{LINE_BYTES, LineBytes, LineEvents};
use rustc_hash::FxHashMap;

/// A line.
#[derive(Debug, Clone)]
struct Held {
    /// Its bytes that the L1 holds.
    held: LineBytes,
    /// Of these, those that the SM stored and that L2 gets when the line leaves.
    kept: LineBytes,
    bytes: [u8; LINE_BYTES],
}

impl Held {
    const EMPTY: Self = Self { held: 0, kept: 0, bytes: [0; LINE_BYTES] };
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
        if let Some(taken) = events.taken {
            self.take(taken.line, taken.bytes, global);
        }
    }

    fn take(&mut self, line: u32, taken: LineBytes, global: &DeviceMemory) {
        let free = &mut self.free;
        let fresh = || {
            let mut held = free.pop().unwrap_or_else(|| Box::new(Held::EMPTY));
            (held.held, held.kept) = (0, 0);
            held
        };
        let held = self.lines.entry(line).or_insert_with(fresh);
        held.held |= taken;
        read_line(global, line, taken, &mut held.bytes);
    }

    /// Of a line: the bytes of it that the SM stored and that L2 gets when it leaves, if there are any, and all that it holds.
    pub fn kept(&self, line: u32) -> Option<(LineBytes, &[u8; LINE_BYTES])> {
        self.lines.get(&line).filter(|held| held.kept != 0).map(|held| (held.kept, &held.bytes))
    }

    /// What the SM has stored in these bytes, which it holds, comes to L2 when the line leaves.
    pub fn keep(&mut self, line: u32, bytes: LineBytes) {
        if let Some(held) = self.lines.get_mut(&line) {
            held.kept |= bytes;
        }
    }

    /// A line that is held and of which L2 lacks bytes.
    pub fn any_kept(&self) -> Option<u32> {
        self.lines.iter().filter(|(_, held)| held.kept != 0).map(|(line, _)| *line).min()
    }

    /// The line that a byte lies in, of which the L1 holds what it reads.
    #[inline]
    pub fn line(&self, address: u64) -> Option<&[u8; LINE_BYTES]> {
        self.lines.get(&place(address).0).map(|held| &held.bytes)
    }

    /// Whether the L1 holds the `bytes`, at most 16, at `address`, which lie in one line.
    #[inline]
    pub fn holds(&self, address: u64, bytes: u32) -> bool {
        let (line, at) = place(address);
        let read = ((1 << bytes) - 1) << at;
        self.lines.get(&line).is_some_and(|held| read & !held.held == 0)
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
        if let Some(held) = self.lines.get_mut(&place(address).0) {
            store_bytes(&mut held.bytes, address, bytes, value);
        }
    }
}

/// Puts `bytes` bytes of a value, 8 at most, into the line that they lie in; which they are.
#[inline]
pub fn store_bytes(line: &mut [u8; LINE_BYTES], address: u64, bytes: u32, value: u64) -> LineBytes {
    let (_, at) = place(address);
    for (to, byte) in line[at..].iter_mut().zip(&value.to_le_bytes()[..bytes as usize]) {
        *to = *byte;
    }
    ((1 << bytes) - 1) << at
}

/// Reads bytes of a line; those outside of all buffers are zero.
pub fn read_line(global: &DeviceMemory, line: u32, wanted: LineBytes, into: &mut [u8; LINE_BYTES]) {
    let start = line * LINE_BYTES as u32;
    for (sector, bytes) in into.chunks_mut(SECTOR_BYTES as usize).enumerate() {
        let wanted = (wanted >> (sector as u32 * SECTOR_BYTES)) as u32;
        let first = start + sector as u32 * SECTOR_BYTES;
        if wanted == u32::MAX
            && let Ok(read) = global.read_bytes(first, SECTOR_BYTES)
        {
            bytes.copy_from_slice(read);
            continue;
        }
        for (at, byte) in bytes.iter_mut().enumerate().filter(|(at, _)| wanted >> at & 1 != 0) {
            *byte = global.load(u64::from(first) + at as u64, 1).unwrap_or_default() as u8;
        }
    }
}

#[cfg(test)]
mod tests {
    use heddle_isa::DeviceMemory;
    use heddle_port::{LineBytes, LineEvents, TakenLine};

    use super::View;

    /// The first sector.
    const FIRST: LineBytes = u32::MAX as LineBytes;

    fn taken(address: u32, bytes: LineBytes) -> LineEvents {
        let taken = TakenLine { line: address / 128, bytes, fetched: true };
        LineEvents { taken: Some(taken), ..LineEvents::default() }
    }

    #[test]
    fn a_line_stays_as_it_was_taken_but_for_the_own_stores() {
        let mut memory = DeviceMemory::new();
        let start = memory.allocate("a", 256).expect("there is room");
        let at = u64::from(start);
        memory.store(at + 4, 4, 7).expect("inside");
        let mut view = View::default();
        view.follow(&taken(start, FIRST), &memory);
        memory.store(at + 4, 4, 8).expect("inside");
        assert_eq!(view.load(&memory, at + 4, 4), Ok(7), "another SM's store");
        assert!(view.holds(at + 28, 4) && !view.holds(at + 28, 8) && !view.holds(at + 128, 4));
        view.store(at + 6, 2, 0xABCD);
        assert_eq!(view.load(&memory, at, 8), Ok(0xABCD_0007 << 32));
        view.follow(&taken(start, LineBytes::MAX), &memory);
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
            view.follow(&taken(line, LineBytes::MAX), &memory);
        }
        view.follow(&LineEvents { left: vec![start / 128], ..LineEvents::default() }, &memory);
        let held = |view: &View| [start, start + 128, last].map(|line| view.holds(line.into(), 4));
        assert_eq!(held(&view), [false, true, true]);
        let again = LineEvents { emptied: true, ..taken(last, FIRST) };
        view.follow(&again, &memory);
        assert_eq!(held(&view), [false, false, true], "what is taken in the same edge is taken after");
        assert!(!view.holds(u64::from(last) + 32, 4));
    }

    #[test]
    fn bytes_that_a_store_takes_are_held_alone_and_stay_when_the_others_come() {
        let mut memory = DeviceMemory::new();
        let start = memory.allocate("a", 256).expect("there is room");
        let (at, line) = (u64::from(start), start / 128);
        let mut view = View::default();
        view.follow(&taken(start, 0xF0), &memory);
        assert!(view.holds(at + 4, 4) && !view.holds(at, 8) && !view.holds(at + 8, 1));
        view.store(at + 4, 4, 5);
        assert_eq!(view.kept(line), None);
        view.keep(line, 0xF0);
        assert_eq!(view.kept(line).map(|(mask, bytes)| (mask, bytes[4])), Some((0xF0, 5)));
        memory.store(at, 8, u64::MAX).expect("inside");
        view.follow(&taken(start, FIRST & !0xF0), &memory);
        assert_eq!(
            view.load(&memory, at, 8),
            Ok(5 << 32 | u64::from(u32::MAX)),
            "another SM's store came before"
        );
        assert_eq!(view.any_kept(), Some(line));
        view.follow(&LineEvents { left: vec![line], ..LineEvents::default() }, &memory);
        view.follow(&taken(start, FIRST), &memory);
        assert_eq!((view.any_kept(), view.load(&memory, at, 8)), (None, Ok(u64::MAX)));
    }
}
