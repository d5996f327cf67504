//! CERF: register file and L1 data cache in one set-associative memory (Jing and others, MICRO 2016), with
//! the policies LRU-prioritized and LRU-fair.
//!
//! Cycle model of `rtl/cerf`, without data. The parts are those of the RTL: [`entry`] (entry_state), [`tags`]
//! (tag_bank, victim_select, lru_order), [`collectors`] (collector_array, register_reads), [`memory`] (memory_unit), [`mshrs`] (mshr_file), [`fills`] (fill_unit, response_unit), [`lower`] (lower_queue), [`order`] (locate) and
//! [`exits`] (exit_walk), inside the shared [`front`](crate::front).

pub mod collectors;
pub mod entry;
pub mod exits;
pub mod fills;
mod lines;
pub mod lower;
mod machine;
pub mod memory;
pub mod mshrs;
pub mod order;
pub mod storage;
mod tagging;
pub mod tags;

#[cfg(test)]
mod tests;

pub use machine::{Cerf, Integrated};

use heddle_port::{LINE_BYTES, REGISTER_LINES};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "cerf";
/// Tag banks; line l lies in tag bank l mod 4.
pub const NUM_TAG_BANKS: usize = 4;
/// Entries of a tag bank.
pub const ENTRIES_PER_BANK: usize = 256;
/// Warp registers, as many as entries.
pub const NUM_REGISTERS: u16 = (NUM_TAG_BANKS * ENTRIES_PER_BANK) as u16;
/// Line number (byte address / 128) of warp register 0: the prefix of the reg-mem addresses, and zeros.
pub const FIRST_REGISTER_LINE: u32 = REGISTER_LINES / LINE_BYTES as u32;

/// Line number by which the tag banks know the warp register at a place: prefix and place (section III-C).
#[inline]
#[must_use]
pub fn register_line(place: u16) -> u32 {
    FIRST_REGISTER_LINE | u32::from(place)
}

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Cerf::new(instance)?)) };

inventory::submit! { ENTRY }
