//! How registers and lines of global and local memory are used: vacant and dead registers, reads of a value,
//! and cycles between two uses (CERF, MICRO 2016, figures 1, 2 and 5).
//!
//! Seen at the ports, so it means the same for every design. A value of a warp register begins with a result,
//! of whatever lanes, and ends with the next one, with its last read (dead bit) or with its warp. A read counts
//! at issue, once an instruction. A line is used by each request of the coalescer that is about it, and a word of four
//! bytes by each of them in which a lane takes it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use heddle_port::{LINE_BYTES, NUM_LANES, NUM_REGS, NUM_SOURCES, NUM_WARPS, members};
use serde::Serialize;

/// Words of a line.
const LINE_WORDS: usize = LINE_BYTES / 4;

/// Values or lines by how often they were used again, and uses by the cycles since the use before.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Reuse {
    /// Never.
    pub never: u64,
    /// Once.
    pub once: u64,
    /// Twice.
    pub twice: u64,
    /// Three times.
    pub thrice: u64,
    /// More often.
    pub more: u64,
    /// Uses that found a use before.
    pub reuses: u64,
    /// Of these, at most 100 cycles after it.
    pub within_100: u64,
    /// At most 1,000 cycles after it.
    pub within_1000: u64,
}

/// Words by how often they were used again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct Times {
    /// Never.
    pub never: u64,
    /// Once.
    pub once: u64,
    /// Twice.
    pub twice: u64,
    /// Three times.
    pub thrice: u64,
    /// More often.
    pub more: u64,
}

impl Times {
    /// The words of a line were used so often in all, their first use included; 0: not used.
    fn ended(&mut self, words: &[u8; LINE_WORDS]) {
        let mut by_uses = [0; 6];
        words.iter().for_each(|uses| by_uses[usize::from(*uses).min(5)] += 1);
        let [_, never, once, twice, thrice, more] = by_uses;
        self.never += never;
        self.once += once;
        self.twice += twice;
        self.thrice += thrice;
        self.more += more;
    }
}

impl Reuse {
    /// A value or line was used `times` after its first use.
    fn ended(&mut self, times: u32) {
        *match times {
            0 => &mut self.never,
            1 => &mut self.once,
            2 => &mut self.twice,
            3 => &mut self.thrice,
            _ => &mut self.more,
        } += 1;
    }

    /// A use `distance` cycles after the one before.
    fn again(&mut self, distance: u64) {
        self.reuses += 1;
        self.within_100 += u64::from(distance <= 100);
        self.within_1000 += u64::from(distance <= 1000);
    }
}

/// Sums of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct DataUseStatistics {
    /// Warp registers of no resident warp, summed over the cycles (static holes).
    pub static_hole_cycles: u64,
    /// Warp registers of resident warps without a live value (dynamic holes).
    pub dynamic_hole_cycles: u64,
    /// Warp registers with a live value.
    pub live_register_cycles: u64,
    /// Values of warp registers.
    pub registers: Reuse,
    /// Lines.
    pub lines: Reuse,
    /// Words of four bytes of these lines.
    pub words: Times,
}

/// The registers that an instruction reads, each once.
#[derive(Debug, Clone, Copy, Default)]
pub struct Reads {
    source: [u8; NUM_SOURCES],
    /// Source slots that name a register which none before them names.
    slots: u8,
    /// Of these, slots of registers that are read for the last time.
    dead: u8,
}

impl Reads {
    /// Of an instruction with these source slots, of which some hold a register and some read it for the last time.
    pub fn new(source: [u8; NUM_SOURCES], valid: u8, dead: u8) -> Self {
        let mut reads = Self { source, ..Self::default() };
        for slot in members(valid) {
            let first = members(valid).find(|first| source[*first] == source[slot]).unwrap_or(slot);
            reads.slots |= 1 << first;
            reads.dead |= (dead >> slot & 1) << first;
        }
        reads
    }
}

/// A warp register, or a line.
#[derive(Debug, Clone, Copy, Default)]
struct Datum {
    /// Cycle of its last use.
    last: u64,
    /// Uses since its first one.
    times: u32,
    /// A register has a value that is read again.
    live: bool,
    /// A register has a value whose uses are counted.
    open: bool,
}

/// The words of the line of a request that its lanes take, a bit a word: each of the lanes of `mask` has `1 << size_log2`
/// bytes from its address on.
#[inline]
pub fn words_of(address: &[u32; NUM_LANES], mask: u32, size_log2: u8) -> u32 {
    let words = (1u64 << (1u32 << size_log2.saturating_sub(2).min(5))) - 1;
    let of = |lane: usize| (words << (address[lane] as usize % LINE_BYTES / 4)) as u32;
    (0..NUM_LANES).filter(|lane| mask >> lane & 1 != 0).fold(0, |all, lane| all | of(lane))
}

/// A line and the uses of each of its words, 255 or more as 255.
#[derive(Debug, Clone, Copy, Default)]
struct Line {
    datum: Datum,
    words: [u8; LINE_WORDS],
}

/// The state that the sums are taken of.
#[derive(Debug, Clone)]
pub struct DataUse {
    /// Warp registers of the file.
    capacity: u64,
    per_warp: u64,
    resident: u64,
    live: u64,
    registers: Vec<Datum>,
    lines: HashMap<u32, Line>,
    sums: DataUseStatistics,
}

impl DataUse {
    /// A file of `capacity` warp registers, of which each warp of the launch has `per_warp`.
    pub fn new(capacity: u32, per_warp: u32) -> Self {
        Self {
            capacity: capacity.into(),
            per_warp: per_warp.into(),
            resident: 0,
            live: 0,
            registers: vec![Datum::default(); NUM_WARPS * NUM_REGS],
            lines: HashMap::new(),
            sums: DataUseStatistics::default(),
        }
    }

    /// The sums up to now; values and lines that are still in use count as used so far.
    pub fn statistics(&self) -> DataUseStatistics {
        let mut sums = self.sums;
        self.registers.iter().filter(|r| r.open).for_each(|r| sums.registers.ended(r.times));
        for line in self.lines.values() {
            sums.lines.ended(line.datum.times);
            sums.words.ended(&line.words);
        }
        sums
    }

    /// The end of a cycle.
    #[inline]
    pub fn count_cycle(&mut self) {
        let allocated = self.resident * self.per_warp;
        self.sums.static_hole_cycles += self.capacity.saturating_sub(allocated);
        self.sums.dynamic_hole_cycles += allocated.saturating_sub(self.live);
        self.sums.live_register_cycles += self.live;
    }

    /// A warp gets its registers.
    pub fn warp_starts(&mut self) {
        self.resident += 1;
    }

    /// The warp in slot `warp` gives its registers back.
    pub fn warp_ends(&mut self, warp: usize) {
        self.resident -= 1;
        for register in &mut self.registers[warp * NUM_REGS..(warp + 1) * NUM_REGS] {
            self.live -= u64::from(register.live);
            if register.open {
                self.sums.registers.ended(register.times);
            }
            *register = Datum::default();
        }
    }

    #[inline]
    fn at(warp: u8, register: u8) -> usize {
        usize::from(warp) % NUM_WARPS * NUM_REGS + usize::from(register)
    }

    /// The design accepts an instruction of the warp in slot `warp`.
    #[inline]
    pub fn issue(&mut self, cycle: u64, warp: u8, reads: &Reads) {
        for slot in members(reads.slots) {
            self.read(cycle, Self::at(warp, reads.source[slot]), reads.dead >> slot & 1 != 0);
        }
    }

    #[inline]
    fn read(&mut self, cycle: u64, at: usize, dead: bool) {
        let datum = &mut self.registers[at];
        if datum.open {
            datum.times += 1;
            self.sums.registers.again(cycle - datum.last);
            datum.last = cycle;
        }
        if dead {
            self.live -= u64::from(datum.live);
            if datum.open {
                self.sums.registers.ended(datum.times);
            }
            *datum = Datum::default();
        }
    }

    /// The design accepts a result.
    #[inline]
    pub fn result(&mut self, cycle: u64, warp: u8, register: u8) {
        let datum = &mut self.registers[Self::at(warp, register)];
        if datum.open {
            self.sums.registers.ended(datum.times);
        }
        self.live += u64::from(!datum.live);
        *datum = Datum { last: cycle, times: 0, live: true, open: true };
    }

    /// A request of global or local memory that is about the line of byte address / 128, in which lanes take the words
    /// whose bits are set.
    pub fn line(&mut self, cycle: u64, line: u32, words: u32) {
        let line = match self.lines.entry(line) {
            Entry::Occupied(found) => {
                let line = found.into_mut();
                line.datum.times += 1;
                self.sums.lines.again(cycle - line.datum.last);
                line
            }
            Entry::Vacant(place) => place.insert(Line::default()),
        };
        line.datum.last = cycle;
        for (word, uses) in line.words.iter_mut().enumerate() {
            *uses = uses.saturating_add((words >> word & 1) as u8);
        }
    }
}

#[cfg(test)]
mod tests;
