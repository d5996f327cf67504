//! Random requests of the kinds that kernels make.

use heddle_port::memory::MemRequest;

use super::LaneData;
use super::floats::{BRAINS, FLOAT, HALVES};
use super::golden::{GLOBAL_BASE, Golden, LOCAL_BASE};
use crate::rng::Rng;

/// What the random requests are like; changes every few hundred requests.
struct Mood {
    /// CTA slots in use.
    slots: usize,
    /// Lines of a slot's block in use.
    lines: usize,
    /// Percentages.
    writes: usize,
    atomics: usize,
    releases: usize,
}

/// A source of random requests.
pub struct Requests {
    mood: Mood,
    left: usize,
    lines_of_cache: usize,
    /// Global and local memory too.
    unified: bool,
    tag: u16,
    /// A CTA slot that gets no more requests before its end.
    ending: Option<u8>,
}

/// Compare-and-swap, the one operation on integers of 16 bits.
const COMPARE_AND_SWAP: u8 = 7;
/// Words with numbers in which additions of single precision go wrong first; the upper halves are such brain floats.
const SINGLES: [u32; 13] = [
    0x0000_0000,
    0x8000_0000,
    0x0000_0001,
    0x807F_FFFF,
    0x3F80_0000,
    0xBF80_0001,
    0x7F7F_FFFF,
    0x7F80_0000,
    0xFF80_0000,
    0x7FC0_0000,
    // Their sum lies halfway between two numbers.
    0x3F80_0001,
    0x3380_0000,
    0x3F80_BF81,
];
/// Upper words of doubles.
const DOUBLES: [u32; 10] = [
    0x0000_0000,
    0x8000_0000,
    0x000F_FFFF,
    0x3FF0_0000,
    0xBFF0_0000,
    0x3CA0_0000,
    0x7FEF_FFFF,
    0x7FF0_0000,
    0xFFF0_0000,
    0x7FF0_0001,
];
/// Pairs of halves.
const HALF_PAIRS: [u32; 8] =
    [0x3C00_8000, 0xBC01_3C00, 0x7C00_0001, 0xFC00_83FF, 0x7BFF_7BFF, 0x6800_7E01, 0x1400_3C01, 0x0400_8001];

/// A word of a number that `code` adds on 2 to the `size_log2` bytes; `upper` if it is the upper word of a double.
fn number(code: u8, size_log2: u8, upper: bool, rng: &mut Rng) -> u32 {
    if rng.percent(40) {
        return near_one(code, size_log2, upper, rng);
    }
    match (code, size_log2) {
        (FLOAT, 3) if upper => DOUBLES[rng.below(DOUBLES.len())],
        (FLOAT, 3) => rng.below(3) as u32,
        (HALVES, _) => HALF_PAIRS[rng.below(HALF_PAIRS.len())],
        _ => SINGLES[rng.below(SINGLES.len())],
    }
}

/// The same of any number from 2^-8 to 2^8 and either sign: sums of two of these carry, cancel and round.
fn near_one(code: u8, size_log2: u8, upper: bool, rng: &mut Rng) -> u32 {
    let word = rng.draw() as u32;
    let mut exponent = |bias: u32| bias - 8 + rng.below(16) as u32;
    match (code, size_log2) {
        (FLOAT, 3) if upper => word & 0x800F_FFFF | exponent(1023) << 20,
        (FLOAT, 3) => word,
        (HALVES, _) => word & 0x83FF_83FF | exponent(15) << 26 | exponent(15) << 10,
        (BRAINS, _) => word & 0x807F_807F | exponent(127) << 23 | exponent(127) << 7,
        _ => word & 0x807F_FFFF | exponent(127) << 23,
    }
}

impl Requests {
    /// Requests that are too many for a cache of `lines_of_cache` lines now and then; `unified` ones go to
    /// global and local memory too.
    #[must_use]
    pub fn new(lines_of_cache: usize, unified: bool) -> Self {
        let mood = Mood { slots: 1, lines: 1, writes: 50, atomics: 0, releases: 0 };
        Self { mood, left: 0, lines_of_cache, unified, tag: 0, ending: None }
    }

    fn change_mood(&mut self, rng: &mut Rng) {
        let slots = [1, 2, 3, 32][rng.below(4)];
        let all = [self.lines_of_cache / 2, self.lines_of_cache, 2 * self.lines_of_cache][rng.below(3)];
        self.mood = Mood {
            slots,
            lines: (all / slots).clamp(1, 1000) + rng.below(3),
            writes: [10, 40, 60][rng.below(3)],
            atomics: [0, 5, 30][rng.below(3)],
            releases: rng.below(3),
        };
        self.left = 50 + rng.below(400);
    }

    /// The next request and the data of its lanes; `None` if its CTA slot has to wait.
    pub fn next(&mut self, rng: &mut Rng, golden: &Golden) -> Option<(MemRequest, LaneData)> {
        if self.left == 0 {
            self.change_mood(rng);
        }
        self.left -= 1;
        while golden.has_tag(self.tag) {
            self.tag = (self.tag + 1) % 1024;
        }
        let mut request = MemRequest {
            valid: true,
            tag: self.tag,
            space: 2,
            cta_slot: rng.below(self.mood.slots) as u8,
            part: rng.below(8) as u8,
            ..MemRequest::default()
        };
        self.tag = (self.tag + 1) % 1024;
        if self.unified && rng.percent(50) {
            request.space = rng.below(2) as u8;
        }
        if request.space == 2 && rng.percent(self.mood.releases) {
            self.ending.get_or_insert(request.cta_slot);
        }
        if request.space == 2 && self.ending == Some(request.cta_slot) {
            if golden.is_busy(request.cta_slot) {
                return None;
            }
            self.ending = None;
            request.kind = 3;
            return Some((request, [0; 128]));
        }
        if request.space == 2 && golden.is_ending(request.cta_slot) {
            return None;
        }
        let dice = rng.below(100);
        request.kind = match dice {
            _ if dice < self.mood.atomics && request.space != 1 => 2,
            _ if dice < self.mood.atomics + self.mood.writes => 1,
            _ => 0,
        };
        request.size_log2 = match request.kind {
            2 => [1, 2, 2, 2, 2, 3, 3][rng.below(7)],
            _ => [2, 2, 2, 2, 0, 1, 3, 4][rng.below(8)],
        };
        request.atomic = match request.size_log2 {
            1 => [COMPARE_AND_SWAP, HALVES, BRAINS][rng.below(3)],
            3 if rng.percent(35) => FLOAT,
            2 if rng.percent(40) => [FLOAT, FLOAT, HALVES, BRAINS][rng.below(4)],
            _ => rng.below(12) as u8,
        };
        request.mask = match rng.below(4) {
            0 => rng.draw() as u32,
            1 => 1 << rng.below(32),
            _ => u32::MAX,
        };
        if request.mask == 0 {
            request.mask = 1;
        }
        if request.space == 2 {
            self.place_lanes(&mut request, rng);
        } else {
            request.cache_operator = [0, 0, 0, 1, 4, 5, 6][rng.below(7)];
            self.place_line(&mut request, rng);
        }
        let adds = request.kind == 2 && request.atomic >= FLOAT;
        // Stores write numbers too, so that additions meet them.
        let (code, size_log2) = match rng.below(4) {
            _ if adds => (request.atomic, request.size_log2),
            0 => (FLOAT, 3),
            1 => (HALVES, 2),
            _ => (FLOAT, 2),
        };
        // What stands above a halfword means nothing.
        let halfwords = request.kind == 2 && request.size_log2 == 1;
        let mut data = [0; 128];
        for (at, word) in data.iter_mut().enumerate() {
            *word = match rng.below(3) {
                choice if choice == 0 || (adds && choice == 1) => number(code, size_log2, at % 2 == 1, rng),
                // Small numbers, so that comparisons and swaps meet equal ones.
                1 if halfwords => rng.below(4) as u32 | (rng.draw() as u32) << 16,
                1 => rng.below(4) as u32,
                _ => rng.draw() as u32,
            };
        }
        Some((request, data))
    }

    /// All lanes in one line, as the coalescer sends them.
    fn place_line(&self, request: &mut MemRequest, rng: &mut Rng) {
        let size = 1u32 << request.size_log2;
        let base = if request.space == 0 { GLOBAL_BASE } else { LOCAL_BASE };
        let line = base + 128 * rng.below(self.mood.lines) as u32;
        let first = rng.below(128) as u32;
        let stride = size * [0, 1, 1, 1, 3][rng.below(5)];
        for (lane, address) in request.address.iter_mut().enumerate() {
            let within = request.mask >> lane & 1 != 0;
            // What a lane outside the mask has for an address means nothing.
            let line = if within { line } else { rng.draw() as u32 / 128 * 128 };
            *address = line + (first + stride * lane as u32) % 128 / size * size;
        }
    }

    fn place_lanes(&self, request: &mut MemRequest, rng: &mut Rng) {
        let size = 1u32 << request.size_log2;
        let bytes = 128 * self.mood.lines as u32;
        let base = rng.below((bytes / size) as usize) as u32 * size;
        let stride = match rng.below(7) {
            0 => 0,
            1 => 2 * size,
            2 => 128,
            3 => 132,
            4 => size * rng.below(40) as u32,
            _ => size,
        };
        let scattered = rng.percent(15);
        for (lane, address) in request.address.iter_mut().enumerate() {
            let at = if scattered { rng.draw() as u32 } else { base + stride * lane as u32 };
            *address = at % bytes / size * size;
        }
    }
}
