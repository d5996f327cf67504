//! What a run that passed has to say.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

/// Version of the JSON objects; it grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// The result of one kernel run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// [`SCHEMA`].
    pub schema: u32,
    /// `cosim` or `sim`.
    pub engine: &'static str,
    /// Design name.
    pub design: String,
    /// Kernel name.
    pub kernel: String,
    /// Size, or `-`.
    pub size: String,
    /// Preset name.
    pub preset: String,
    /// RTL parameters and configuration inputs by their names, and every key of the preset by its whole path, such
    /// as `sm.registers`, with the value that the run used: after the overrides of the design and of the user.
    pub parameters: BTreeMap<String, Value>,
    /// Seed.
    pub seed: u64,
    /// Architectural registers a thread.
    pub registers: u32,
    /// Kernel launches.
    pub launches: u32,
    /// CTAs run.
    pub ctas: u64,
    /// Cycles of all launches.
    pub cycles: u64,
    /// Warp instructions issued.
    pub warp_instructions: u64,
    /// Warp instructions a cycle.
    pub ipc: f64,
    /// CTAs that fit at once, the most of all launches.
    pub resident_ctas: u32,
    /// Warps that fit at once as a share of the warp slots, weighted by the cycles of the launches.
    pub occupancy: f64,
    /// Registers of the warps that fit at once as a share of the register file, weighted likewise.
    pub register_utilization: f64,
    /// Hit rate of the register cache: the share of register accesses of instructions that it served.
    pub register_cache_hit_rate: Option<f64>,
    /// Prefetch operations.
    pub prefetches: u64,
    /// Operand values compared, 32-bit lanes.
    pub operands_compared: u64,
    /// Result values compared, 32-bit lanes.
    pub results_compared: u64,
    /// Control outputs compared, fields of the port a cycle.
    pub controls_compared: u64,
    /// Memory words compared: accesses as they were performed and final memory.
    pub memory_words_compared: u64,
    /// Texels of texture fetches whose place and size were compared, each once for each lane that reads it.
    pub texels_compared: u64,
    /// Words that came back for loads and atomics of global and local memory, a part of the results; from a
    /// design that holds the L1 they come out of its array.
    pub loaded_words_compared: u64,
    /// Words of registers that the design spilled to memory, one for each lane judged.
    pub spilled_words_compared: u64,
    /// Elements compared with the CPU reference, 0 where only a share of the CTAs ran; null for a trace, which
    /// has no values, and so neither final memory nor a reference.
    pub reference_words_compared: Option<u64>,
    /// Mismatches; a run with one does not get here.
    pub mismatches: u64,
    /// The run passed.
    pub ok: bool,
    /// Event counts of the design, in the cycles of the launches.
    pub events: BTreeMap<String, u64>,
    /// Event counts in the flushes after the launches, in which a design that holds the L1's data writes its dirty
    /// lines back; those that are not 0, and no levels. Their cycles are `flush.cycles` of the statistics.
    pub flush_events: BTreeMap<String, u64>,
    /// Counters of the SM and of the memory hierarchy.
    pub statistics: BTreeMap<String, u64>,
    /// Waveform and saved views, where asked for.
    pub waves: Vec<String>,
}
