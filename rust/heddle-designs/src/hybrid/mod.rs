//! Hybrid register file: STT-RAM in two banks, for even and odd warps, and two SRAM write buffers that
//! are written back warp by warp (Li et al., DAC 2015).
//!
//! Cycle model of `rtl/hybrid`, without data. The parts are those of the RTL: [`reader`]
//! (operand_reader), [`queue`] (result_queue), [`write_buffers`] (write_buffers) with [`rcm`]
//! (register_control_module), [`buffer`] (hybrid_buffer, buffer_power) and [`write_back`]
//! (write_back_arbiter), [`bank`] (sttram_bank), [`commands`] (hybrid_commands) and [`layout`] (the event bits
//! of design.toml). Dispatch is the baseline's; [`front`] has it with reader and queue.

pub mod bank;
pub mod buffer;
pub mod commands;
pub mod front;
pub mod layout;
mod machine;
pub mod queue;
pub mod rcm;
pub mod reader;
pub mod write_back;
pub mod write_buffers;

#[cfg(test)]
mod tests;

pub use machine::Hybrid;

use crate::Entry;
use heddle_port::{DesignError, MAX_PORT_WIDTH, PortConfig, PortWidths};

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
pub const ENTRY: Entry = Entry { name: NAME, make: |instance| Ok(Box::new(Hybrid::new(instance.widths))) };

inventory::submit! { ENTRY }

/// The bank of a warp slot.
#[inline]
#[must_use]
pub fn bank_of(warp: u8) -> usize {
    usize::from(warp & 1)
}

/// Address in its bank of register `register` of the warp in slot `warp`, whose registers begin at `base`.
///
/// # Errors
/// What is wrong, when the register lies outside the half of the file that the warp's bank is.
#[inline]
pub fn address_in_bank(base: u16, warp: u8, register: u8) -> Result<u16, String> {
    let half = usize::from(base) / BANK_REGISTERS;
    let address = usize::from(base) % BANK_REGISTERS + usize::from(register);
    if half != bank_of(warp) || address >= BANK_REGISTERS || usize::from(register) >= NUM_NUMBERS {
        return Err(format!(
            "register {register} of warp slot {warp}, whose registers begin at {base}: even slots have warp \
             registers 0 to 511, odd ones 512 to 1023, and 64 registers at most"
        ));
    }
    Ok(address as u16)
}

/// Whether the STT-RAM of design `design` can be configured so.
///
/// # Errors
/// [`DesignError::Config`].
pub fn check_config(
    design: &'static str,
    config: &PortConfig,
    widths: PortWidths,
) -> Result<(), DesignError> {
    let invalid = |key, value: u64, reason: &str| {
        Err(DesignError::Config { design, key, value, reason: reason.to_owned() })
    };
    for (key, cycles) in [
        ("register_file.bank_cycles", config.bank_cycles),
        ("register_file.write_cycles", config.write_cycles),
    ] {
        if cycles == 0 {
            return invalid(key, 0, "an access takes at least 1 cycle");
        }
    }
    if config.rows_per_bank != ARRAY_ROWS {
        return invalid(
            "register_file.rows_per_bank",
            config.rows_per_bank.into(),
            "64 is the only value, each of the 16 arrays has 64 rows",
        );
    }
    for (key, width) in [("sm.issue_width", widths.issue), ("sm.result_width", widths.result)] {
        if !(1..=MAX_PORT_WIDTH).contains(&width) {
            return invalid(key, width as u64, "a port has 1 to 4 slots");
        }
    }
    Ok(())
}
