//! What the lanes of a request find in the cache.

use super::additions::Additions;
use super::lines::{Lines, line_number, wake_class};
use super::requests::Pending;
use super::sectors::sector_of;
use heddle_port::{LINE_BYTES, NUM_LANES, members};

/// The lanes that are not yet served, by what became of their line.
#[derive(Debug, Clone, Copy)]
pub struct Lookup {
    /// The line has what the lane needs.
    pub ready: u32,
    /// The line is there, but lacks bytes that the lane reads.
    pub partial: u32,
    /// The line is not there.
    pub absent: u32,
    /// The line is there, and sums for it are on their way.
    pub shut: u32,
    /// Classes ([`wake_class`]) of the lines of which lanes wait for sectors.
    pub awaited: u64,
    /// Index of each lane's line, where it is there.
    pub index: [u16; NUM_LANES],
}

/// Bytes that a lane accesses, as bits of its line.
#[inline]
#[must_use]
pub fn lane_bytes(address: u32, size_log2: u8) -> u128 {
    ((1u128 << (1u32 << size_log2)) - 1) << (address % LINE_BYTES as u32)
}

/// Looks all waiting lanes up; `reads` if they need their bytes.
#[must_use]
pub fn look_up(lines: &Lines, sums: &Additions, pending: &Pending, reads: bool) -> Lookup {
    let request = &pending.request;
    let mut result = Lookup { ready: 0, partial: 0, absent: 0, shut: 0, awaited: 0, index: [0; NUM_LANES] };
    let mut last = (u32::MAX, None);
    for lane in members(pending.lanes) {
        let address = request.address[lane];
        if line_number(address) != last.0 {
            last = (line_number(address), lines.find(line_number(address)));
        }
        let bit = 1 << lane;
        let Some(index) = last.1 else {
            result.absent |= bit;
            continue;
        };
        result.index[lane] = index as u16;
        if lines.filling(index) >> sector_of(address) & 1 != 0 {
            result.awaited |= 1 << wake_class(index);
            continue;
        }
        if sums.closes(index) {
            result.shut |= bit;
        } else if !reads || lines.has(index, lane_bytes(address, request.size_log2)) {
            result.ready |= bit;
        } else {
            result.partial |= bit;
        }
    }
    result
}
