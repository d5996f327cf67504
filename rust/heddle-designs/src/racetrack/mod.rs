//! Register file of racetrack memory: banks whose registers shift to access ports (Liang and Wang,
//! JCST 2016).
//!
//! Cycle model of `rtl/racetrack`, without data. The parts are those of the RTL: [`mapping`]
//! (mapping_table), [`queues`] (read_queue, bank_write_buffer), [`bank`] (racetrack_bank), [`service`]
//! (service_arbiter) and [`banks`] (racetrack_banks), inside the shared [`front`](crate::front).

pub mod bank;
pub mod banks;
mod machine;
pub mod mapping;
pub mod queues;
pub mod service;

#[cfg(test)]
mod tests;

pub use machine::{Racetrack, Racetracks};

use heddle_port::{DesignError, Instance, RegisterFile};

use crate::Entry;

/// Name of the design, in the registry and in messages.
pub const NAME: &str = "racetrack";
/// Banks of the register file, unless the parameter `num_banks` says otherwise; of N banks, register index i lies in
/// bank i mod N, row i div N.
pub const NUM_BANKS: usize = 16;
/// Rows of a bank.
pub const NUM_ROWS: usize = 128;
/// Most offsets of a port's region: as many as the 4 bits of the event `position` can tell.
pub const MOST_OFFSETS: usize = 16;
/// Banks served at once.
pub const BANKS_SERVED: u32 = 4;

/// The design's line in the registry.
pub const ENTRY: Entry = Entry { name: NAME, make };

fn make(instance: &Instance) -> Result<Box<dyn RegisterFile + Send>, DesignError> {
    Ok(match instance.parameters.size(NAME, "num_banks")? {
        8 => Box::new(Racetrack::<8>::new(instance)?),
        NUM_BANKS => Box::new(Racetrack::<NUM_BANKS>::new(instance)?),
        32 => Box::new(Racetrack::<32>::new(instance)?),
        other => {
            let what = format!("num_banks is {other}: 8, {NUM_BANKS} or 32 is expected");
            return Err(DesignError::Instance { design: NAME, what });
        }
    })
}

inventory::submit! { ENTRY }
