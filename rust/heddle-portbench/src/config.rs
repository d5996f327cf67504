//! What the bench drives.

use heddle_port::{EventLayout, HeldSpaces, Instance, PortConfig, PortWidths};
use heddle_rtl::{Manifest, MappingTables};

use crate::breach::Breach;

/// Accesses one after the other for which a wait may last before it counts as a hang, and cycles that it may last in any case.
const PATIENCE: (u64, u64) = (800, 20_000);

/// What the bench drives, and how long it waits.
#[derive(Debug, Clone)]
pub struct BenchConfig {
    /// Configuration inputs.
    pub port: PortConfig,
    /// Slots of the elaborated design.
    pub widths: PortWidths,
    /// Whether instructions keep to a working set that was prefetched.
    pub needs_intervals: bool,
    /// Where the events lie, for reports.
    pub events: EventLayout,
    /// Warp registers of the main register file.
    pub capacity: usize,
    /// Its banks.
    pub banks: usize,
    /// Warp slots in use, at most 64.
    pub warps: usize,
    /// Even warp slots have their registers in the lower half of the file, odd ones in the upper half.
    pub halves: bool,
    /// Register files, each with slots of its own: warp slot w belongs to file w mod `sub_cores`.
    pub sub_cores: usize,
    /// Most registers a thread has.
    pub most_registers: usize,
    /// Marks last reads as dead now and then; the register is written before it is read again.
    pub dead_bits: bool,
    /// Mapping tables, loaded with random permutations after most kernel starts.
    pub mapping: Option<MappingTables>,
    /// Sets of each tag bank, up to 32, that the lines of the memory port share.
    pub memory_sets: usize,
    /// What the design holds behind its memory port.
    pub held: HeldSpaces,
    /// Cycles after which a wait counts as a hang.
    pub patience: u64,
    /// How the traffic breaks the port's contract, if it does; a fault that the design tells of then ends the run.
    pub breach: Option<Breach>,
}

impl BenchConfig {
    /// The bench for a design: 64 warps, as many registers as a thread may have, banks of `port.rows_per_bank` warp registers,
    /// as many as the parameter `num_banks` says or 16, less where the manifest's overrides say so.
    #[must_use]
    pub fn new(manifest: &Manifest, instance: &Instance, port: PortConfig) -> Self {
        let most = manifest.override_number("register_file.max_registers");
        let banks = instance.parameters.get("num_banks").and_then(|banks| usize::try_from(banks).ok());
        let banks = banks.unwrap_or(16);
        Self {
            port,
            widths: instance.widths,
            needs_intervals: manifest.needs_intervals,
            events: instance.events.clone(),
            capacity: banks * usize::from(port.rows_per_bank),
            banks,
            warps: heddle_port::NUM_WARPS,
            halves: manifest.override_number("register_file.warp_banks") == Some(2),
            sub_cores: sub_cores_of(instance),
            most_registers: most.map_or(heddle_port::NUM_REGS - 1, |most| most as usize),
            dead_bits: true,
            // An instance that could be made has tables of a size.
            mapping: manifest.mapping_tables(&instance.parameters).unwrap_or(None),
            memory_sets: if port.fair { 16 } else { 1 },
            held: manifest.memory_port,
            patience: PATIENCE.1.max(PATIENCE.0 * longest_access(&port)),
            breach: None,
        }
    }

    /// The same with traffic that breaks the port's contract.
    #[must_use]
    pub fn breaking(mut self, breach: Breach) -> Self {
        self.breach = Some(breach);
        match breach {
            Breach::HalfTheRows => self.port.rows_per_bank /= 2,
            Breach::AllRowsButOne => self.port.rows_per_bank = self.port.rows_per_bank.saturating_sub(1),
            Breach::TwiceTheFile => self.capacity *= 2,
        }
        self
    }
}

/// Cycles of the longest access to a bank, a shift past all its rows included.
fn longest_access(port: &PortConfig) -> u64 {
    let shift = u64::from(port.shift_cycles) * u64::from(port.rows_per_bank);
    let access = port.bank_cycles.max(port.write_cycles).max(port.crossbar_cycles);
    u64::from(access) + u64::from(port.wakeup_cycles) + if port.shift_cycles > 1 { shift } else { 0 }
}

/// Sub-cores of a design's instance, 1 where it has no such parameter.
fn sub_cores_of(instance: &Instance) -> usize {
    let count = instance.parameters.get("sub_cores").and_then(|count| usize::try_from(count).ok());
    count.unwrap_or(1).max(1)
}
