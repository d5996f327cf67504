//! What a run that passed has to say.

use std::collections::BTreeMap;

use heddle_config::Preset;
use heddle_mem::{Division, LifetimeStatistics, Share};
use serde::Serialize;
use serde_json::Value;

use crate::compiler::Compiler;
use crate::made_by::MadeBy;
use crate::part::PartReport;

/// Version of the JSON objects; it grows when a field changes its meaning or goes away.
pub const SCHEMA: u32 = 2;

/// The result of one kernel run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunReport {
    /// [`SCHEMA`].
    pub schema: u32,
    /// What made it.
    pub made_by: MadeBy,
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
    /// SMs that were simulated, with their part of L2 and DRAM.
    pub sms: u32,
    /// Numbers of those that were RTL, ascending; empty in `sim`.
    pub rtl_sms: Vec<u32>,
    /// That part.
    pub memory_share: MemoryShare,
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
    /// Issue slots a cycle by what became of them: `issued`, which is the IPC, and the reasons of those that were lost;
    /// together the schedulers of the SMs.
    pub ipc_stack: BTreeMap<String, f64>,
    /// CTAs that fit at once, the most of all launches.
    pub resident_ctas: u32,
    /// What allows no more of them: `ctas`, `warps`, `registers`, `shared memory`, or `grid` where all CTAs of the
    /// launch fit; those of several launches each once.
    pub residency_limit: String,
    /// CTAs by those that fit at once, summed over the launches.
    pub cta_waves: f64,
    /// Warps that fit at once as a share of the warp slots, weighted by the cycles of the launches.
    pub occupancy: f64,
    /// Registers of the warps that fit at once as a share of the register file, weighted likewise.
    pub register_utilization: f64,
    /// Warp registers with a live value and lines of the L1D that are taken, of all that there is room for, averaged over
    /// the cycles (CERF, figure 11); null for a design that holds the L1 apart from
    /// its registers.
    pub on_chip_utilisation: Option<f64>,
    /// Hit rate of the register cache: the share of register accesses of instructions that it served.
    pub register_cache_hit_rate: Option<f64>,
    /// Prefetch operations.
    pub prefetches: u64,
    /// Reads of shared memory that found their line, as a share of those of a design that holds shared memory, which
    /// lies off chip then; null for other designs and where nothing is read.
    pub shared_cache_hit_rate: Option<f64>,
    /// Lines of shared memory fetched from off-chip memory; null for a design without a cache for it.
    pub shared_fetches: Option<u64>,
    /// Lines of shared memory written back to off-chip memory; null likewise.
    pub shared_write_backs: Option<u64>,
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
    /// Lanes of loads that found in the L1 of one of many SMs what another SM has overwritten since, judged as such;
    /// null in `sim`.
    pub stale_loads: Option<u64>,
    /// How the compiler was judged; null where no program as parsed runs: in `sim`, and of a trace.
    pub compiler: Option<Compiler>,
    /// Words of final memory and of accesses in which the program as parsed and the allocated one were compared.
    pub compiler_words_compared: u64,
    /// Lanes of loads in which the program as parsed, replayed, took the version that the allocated one found in an L1;
    /// null in `sim`.
    pub compiler_versions_taken: Option<u64>,
    /// Elements compared with the CPU reference, 0 where only a share of the CTAs ran; null for a trace, which
    /// has no values, and so neither final memory nor a reference.
    pub reference_words_compared: Option<u64>,
    /// Writes of shared memory, lanes and words, that found the value of another warp's write of the same phase, and
    /// are no race where values count; null without a golden machine or values.
    pub equal_shared_writes: Option<u64>,
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
    /// How the on-chip memory was divided for each entry: different divisions in the order of the launches. Empty for a
    /// design that holds the L1.
    pub memory_divisions: Vec<EntryDivision>,
    /// What the CTAs did with their shared memory; null where none has any.
    pub shared_memory: Option<SharedMemoryReport>,
    /// Waveform and saved views, where asked for.
    pub waves: Vec<String>,
    /// The launches or entries, where asked for; rows of their own, not part of this one.
    #[serde(skip)]
    pub parts: Vec<PartReport>,
}

/// What the simulated SMs have of L2 and DRAM.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MemoryShare {
    /// Bytes of L2.
    pub l2_bytes: u32,
    /// Slices of L2.
    pub l2_slices: u32,
    /// Bandwidth of a slice by that of the preset.
    pub l2_slice_bandwidth: f64,
    /// Channels of DRAM.
    pub dram_channels: u32,
    /// Bandwidth of a channel by that of the preset.
    pub dram_channel_bandwidth: f64,
}

impl MemoryShare {
    /// The part of `share`.
    #[must_use]
    pub fn new(preset: &Preset, share: Share) -> Self {
        let (slices, channels) = (share.slices(preset), share.channels(preset));
        Self {
            l2_bytes: share.l2_bytes(preset),
            l2_slices: slices.units,
            l2_slice_bandwidth: slices.scale(),
            dram_channels: channels.units,
            dram_channel_bandwidth: channels.scale(),
        }
    }
}

/// The division of the on-chip memory for an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct EntryDivision {
    /// Name of the entry.
    pub entry: String,
    /// Bytes of L1D and of shared memory.
    #[serde(flatten)]
    pub division: Division,
}

/// What the CTAs did with their shared memory (OSM, figures 1, 3, 6 and 16). All ratios follow from the sums.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SharedMemoryReport {
    /// Touched bytes of the allocated ones, 0 to 1.
    pub utilisation: f64,
    /// Touched bytes of the resident CTAs, averaged over the cycles, of `shared_memory.bytes`.
    pub capacity_utilisation: f64,
    /// Average lifetime of an address by the average time of a CTA.
    pub lifetime_share: f64,
    /// Longest lifetime of an address by the average time of a CTA.
    pub longest_lifetime_share: f64,
    /// Time of an address in the cache before its line left by its lifetime; null where no line left.
    pub residency: Option<f64>,
    /// Sums over the CTAs.
    #[serde(flatten)]
    pub sums: LifetimeStatistics,
}

impl SharedMemoryReport {
    /// Of the CTAs of a run of `cycles` cycles on SMs with `capacity` bytes of shared memory together; `None` if no CTA had
    /// any.
    #[must_use]
    pub fn new(sums: &LifetimeStatistics, capacity: u64, cycles: u64) -> Option<Self> {
        let whole = capacity as f64 * cycles as f64;
        (sums.ctas > 0).then(|| Self {
            utilisation: sums.utilisation(),
            capacity_utilisation: if whole > 0.0 { sums.touched_byte_cycles as f64 / whole } else { 0.0 },
            lifetime_share: sums.average_share(),
            longest_lifetime_share: sums.longest_share(),
            residency: sums.residency(),
            sums: *sums,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::SharedMemoryReport;
    use heddle_mem::{LaneOffsets, LifetimeStatistics, Lifetimes};
    use heddle_port::{LaneMask, NUM_LANES};

    #[test]
    fn shares_follow_from_the_sums() {
        assert_eq!(SharedMemoryReport::new(&LifetimeStatistics::default(), 64, 10), None);
        let mut lifetimes = Lifetimes::default();
        lifetimes.start(0, 0, 32);
        let lane = |bytes| LaneOffsets { lanes: LaneMask(1), offsets: &[0; NUM_LANES], bytes };
        lifetimes.write(0, 2, lane(8));
        lifetimes.read(0, 6, lane(4));
        lifetimes.line_left(0, 10, 0);
        lifetimes.end(0, 16);
        let report =
            SharedMemoryReport::new(lifetimes.statistics(), 64, 32).expect("a CTA had shared memory");
        // 8 of 32 bytes, for 16 of 32 cycles of 64 bytes.
        assert_eq!((report.utilisation, report.capacity_utilisation), (0.25, 0.0625));
        assert_eq!((report.lifetime_share, report.longest_lifetime_share), (0.25, 0.25));
        assert_eq!(report.residency, Some(2.0));
        let json = serde_json::to_value(&report).expect("numbers");
        assert_eq!(
            (&json["lifetimes"], &json["unread"], &json["reads"][1]),
            (&1.into(), &1.into(), &1.into())
        );
    }
}
