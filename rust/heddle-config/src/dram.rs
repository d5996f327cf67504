//! What a preset says of DRAM.

use serde::{Deserialize, Serialize};

/// Unit of the DRAM timing values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimingUnit {
    /// Nanoseconds.
    Ns,
    /// Cycles of the memory clock.
    Clocks,
}

/// DRAM of the whole GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dram {
    /// Memory channels.
    pub channels: u32,
    /// Banks of a channel.
    pub banks_per_channel: u32,
    /// Row buffer in bytes.
    pub row_bytes: u32,
    /// Memory clock in MHz.
    pub clock_mhz: u32,
    /// Bytes that a channel moves in a memory clock.
    pub bytes_per_clock: u32,
    /// Fixed latency in core cycles, beside the row timing.
    pub latency: u32,
    /// Core cycles of address translation (TLB) before a read of global or local memory reaches the queue of its
    /// channel; 0: it is not modelled.
    pub translation_latency: u32,
    /// Unit of the six timing values.
    pub timing_unit: TimingUnit,
    /// Column access.
    pub cl: u32,
    /// Precharge.
    pub rp: u32,
    /// Row cycle.
    pub rc: u32,
    /// Row active.
    pub ras: u32,
    /// Row to column.
    pub rcd: u32,
    /// Activate to activate of another bank.
    pub rrd: u32,
    /// Reads that a channel's scheduler looks at.
    pub queue: u32,
    /// Writes that wait apart from them.
    pub write_queue: u32,
    /// Waiting writes from which on they go before reads.
    pub write_high: u32,
    /// Waiting writes down to which they do so.
    pub write_low: u32,
    /// A launch ends when DRAM has taken all writes, not when L2 has.
    pub drain_writes: bool,
}

impl Dram {
    /// A timing value in core cycles, rounded up.
    #[must_use]
    pub fn core_cycles(&self, timing: u32, core_mhz: u32) -> u64 {
        let (timing, core) = (u64::from(timing), u64::from(core_mhz));
        match self.timing_unit {
            TimingUnit::Ns => (timing * core).div_ceil(1000),
            TimingUnit::Clocks => (timing * core).div_ceil(u64::from(self.clock_mhz)),
        }
    }
}
