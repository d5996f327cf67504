//! Lines, and what the lanes of a request read and write in one.

use std::collections::HashMap;

use heddle_port::{LaneWords, LineData, MemRequest, NUM_LANES};

use super::LINE;

pub(super) type Line = [u8; LINE as usize];

pub(super) fn line_of(line: &HashMap<u32, Line>, number: u32) -> Line {
    line.get(&number).copied().unwrap_or_else(|| {
        std::array::from_fn(|i| (number.wrapping_mul(0x9E37_79B9) >> 8) as u8 ^ (i as u8).wrapping_mul(37))
    })
}

pub(super) fn words_of(line: &Line) -> LineData {
    let mut words = [0; heddle_port::LINE_WORDS];
    for (word, bytes) in words.iter_mut().zip(line.chunks_exact(4)) {
        *word = bytes.iter().rev().fold(0, |w, &b| w << 8 | u32::from(b));
    }
    words
}

/// Line of a request, which the lanes share.
pub(super) fn line_number(request: &MemRequest) -> u32 {
    request.address[(request.mask.trailing_zeros() as usize).min(NUM_LANES - 1)] / LINE
}

/// Lanes that take part.
pub(super) fn lanes(mask: u32) -> impl Iterator<Item = usize> {
    (0..NUM_LANES).filter(move |lane| mask >> lane & 1 != 0)
}

/// First byte of a lane's access in the line, and how many there are.
fn bytes_of(request: &MemRequest, lane: usize) -> (usize, usize) {
    ((request.address[lane] % LINE) as usize, 1 << request.size_log2)
}

/// What the lanes of a request read out of a line.
pub(super) fn gather(request: &MemRequest, line: &Line) -> LaneWords {
    let mut words = [[0; 4]; NUM_LANES];
    for lane in lanes(request.mask) {
        let (first, count) = bytes_of(request, lane);
        for (i, &byte) in line[first..first + count].iter().enumerate() {
            words[lane][i / 4] |= u32::from(byte) << (8 * (i % 4));
        }
    }
    words
}

/// Writes what the lanes of a request write; where they write the same byte the highest lane wins.
pub(super) fn scatter(request: &MemRequest, data: &LaneWords, line: &mut Line) {
    for lane in lanes(request.mask) {
        let (first, count) = bytes_of(request, lane);
        for (i, byte) in line[first..first + count].iter_mut().enumerate() {
            *byte = (data[lane][i / 4] >> (8 * (i % 4))) as u8;
        }
    }
}
