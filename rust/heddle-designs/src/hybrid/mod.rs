//! Hybrid register file: STT-RAM in two banks, for even and odd warps, and two SRAM write buffers that
//! are written back warp by warp (Li et al., DAC 2015).
//!
//! Cycle model of `rtl/hybrid`, without data. The parts are those of the RTL: [`reader`]
//! (oldest_reader), [`queue`] (result_queue, queued_results), [`write_buffers`] (write_buffers) with [`rcm`]
//! (register_control_module), [`buffer`] (hybrid_buffer, buffer_power) and [`write_back`]
//! (write_back_arbiter), [`bank`] (sttram_bank) and [`commands`] (hybrid_commands), inside the shared
//! [`front`](crate::front). [`stt_file`] is what it has in common with [`crate::sttram`].

pub mod bank;
pub mod buffer;
pub mod commands;
mod machine;
pub mod queue;
pub mod rcm;
pub mod reader;
pub mod stt_file;
pub mod write_back;
pub mod write_buffers;

#[cfg(test)]
mod tests;

pub use machine::{Buffered, Hybrid};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "hybrid";
/// Banks of STT-RAM: even warps, odd warps.
pub const NUM_BANKS: usize = 2;
/// Arrays of a bank; address a of the bank lies in array a mod 8.
pub const ARRAYS_PER_BANK: usize = 8;
/// Warp registers of a bank.
pub const BANK_REGISTERS: usize = 512;
/// Rows of each of the 16 arrays: what `rows_per_bank` must be.
pub const ARRAY_ROWS: u16 = (BANK_REGISTERS / ARRAYS_PER_BANK) as u16;
/// Most registers of a thread.
pub const NUM_NUMBERS: usize = 64;
/// Write buffers.
pub const NUM_BUFFERS: usize = 2;
/// Entries of a write buffer.
pub const BUFFER_ENTRIES: u8 = 64;
/// Entries of a write buffer that are never switched off.
pub const ALWAYS_ON: u8 = 16;

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Hybrid::new(instance)?)) };

inventory::submit! { ENTRY }

/// The bank of a warp slot.
#[inline]
#[must_use]
pub fn bank_of(warp: u8) -> usize {
    usize::from(warp & 1)
}
