//! The typed configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::compiler::Compiler;
use crate::design::Setting;
use crate::instruction_cache::InstructionCache;
use crate::l1d::L1d;
use crate::pipeline::Pipeline;
use crate::technology::Technology;

/// A whole configuration.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// Preset name.
    pub name: String,
    /// The GPU around the SM.
    pub gpu: Gpu,
    /// Limits and widths of the SM.
    pub sm: Sm,
    /// Warp scheduling.
    pub scheduler: Scheduler,
    /// Register file.
    pub register_file: RegisterFile,
    /// Instruction cache.
    #[serde(skip_serializing_if = "InstructionCache::is_perfect")]
    pub instruction_cache: InstructionCache,
    /// What the compiler does.
    #[serde(skip_serializing_if = "Compiler::is_default")]
    pub compiler: Compiler,
    /// Execution pipelines.
    pub pipeline: Pipeline,
    /// L1 data cache.
    pub l1d: L1d,
    /// Shared memory.
    pub shared_memory: SharedMemory,
    /// L2 cache of the whole GPU.
    pub l2: L2,
    /// Networks between the SMs and L2.
    pub interconnect: Interconnect,
    /// DRAM of the whole GPU.
    pub dram: Dram,
    /// What the register file is made of, where a publication describes it.
    #[serde(skip_deserializing, skip_serializing_if = "Option::is_none")]
    pub technology: Option<Technology>,
    /// Parameters of the design by name, which its manifest knows.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub design: BTreeMap<String, Setting>,
}

/// The GPU around the SM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gpu {
    /// Number of SMs; one SM has 1/`sms` of L2 and DRAM.
    pub sms: u32,
    /// Core clock in MHz.
    pub core_mhz: u32,
}

/// Limits and widths of the SM.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sm {
    /// Warp slots, at most 64.
    pub warps: u32,
    /// CTA slots, at most 32.
    pub ctas: u32,
    /// 32-bit registers of all threads together.
    pub registers: u32,
    /// Registers per thread are allocated in multiples of this.
    pub register_granularity: u32,
    /// Issue and operand slots of the register port, 1 to 4.
    pub issue_width: u32,
    /// Result slots of the register port, 1 to 4.
    pub result_width: u32,
    /// Instructions that a warp's instruction buffer holds.
    pub instruction_buffer: u32,
    /// Instructions that a scheduler's fetch brings a cycle, for one of its warps.
    pub fetch_width: u32,
    /// Cycles in which a warp cannot issue after an instruction that does not go on with the next one.
    pub branch_bubble: u32,
    /// Memory instructions between their issue and the performance of their last lane.
    pub memory_instructions: u32,
    /// Cycles from the start of a CTA to that of the next.
    pub cta_interval: u32,
}

/// How warps are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Policy {
    /// Loose round robin over all resident warps.
    RoundRobin,
    /// Greedy, then oldest.
    Gto,
    /// A few active warps in round robin; a warp that stalls long gives its place to another.
    TwoLevel,
}

/// Which of the ready inactive warps becomes active next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The oldest: of the CTA that started first, its first warp.
    Oldest,
    /// The next one by warp slot after the one that became active last.
    RoundRobin,
}

/// Warp scheduling.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scheduler {
    /// Policy.
    pub policy: Policy,
    /// Schedulers; each issues one instruction a cycle.
    pub schedulers: u32,
    /// Warps that may be active at once (two-level).
    pub active_warps: u32,
    /// Order in which warps become active.
    pub activation: Activation,
    /// Cycles that an active warp waits for memory before it gives its place to a ready one (two-level).
    pub deactivate_after: u32,
    /// A warp does not follow one of the same part of the register file as the active one, where one of
    /// the other part can (`register_file.warp_banks` = 2).
    pub alternate_banks: bool,
}

/// Register file: inputs of the design, read at reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterFile {
    /// Whole cycles one access occupies a bank of the main register file.
    pub bank_cycles: u32,
    /// Eighths of a cycle that it takes beyond them, on average.
    #[serde(skip_serializing_if = "is_none")]
    pub bank_eighths: u32,
    /// Cycles one register takes through the crossbar to a hierarchical main register file.
    pub crossbar_cycles: u32,
    /// Warp registers (32 lanes of 32 bits) that a sixteenth of the file holds.
    pub rows_per_bank: u32,
    /// Banks of the main register file, in designs that leave their number to the preset.
    pub banks: u32,
    /// Largest working set of a register-interval: register-cache banks in use.
    pub registers_per_interval: u32,
    /// Where intervals end.
    pub formation: IntervalFormation,
    /// Whether registers get new numbers so that those of an interval lie in different banks.
    pub renumbering: Renumbering,
    /// Cycles a write occupies a bank, in designs whose writes are slower than their reads.
    pub write_cycles: u32,
    /// Cycles one shift step occupies a racetrack bank; 0 stands for as many ports as domains.
    pub shift_cycles: u32,
    /// Racetrack banks that wait shift towards their next request.
    pub preshift: bool,
    /// Where the rows of a racetrack bank lie.
    pub mapping: RowMapping,
    /// Most registers of a thread that the design can address.
    pub max_registers: u32,
    /// Parts of the file to which warps are bound: 1, any warp anywhere; 2, even warp slots in the lower half,
    /// odd ones in the upper half.
    pub warp_banks: u32,
    /// Register files of an SM, one for each of as many schedulers: warp slot w has its registers in file w mod
    /// `sub_cores`, a file of its own. 1: one file for all warps.
    pub sub_cores: u32,
    /// Entries of a write buffer that are seldom used are switched off.
    pub buffer_gating: bool,
    /// Cycles until entries that were switched off can be used.
    pub wakeup_cycles: u32,
    /// How warp registers lie in the banks of a conventional file.
    pub bank_mapping: BankMapping,
    /// Ways of a set, in designs where registers and L1 lines share one memory.
    pub ways: u32,
    /// What gives way in such a memory.
    pub replacement: Replacement,
    /// Picoseconds of an access that `bank_cycles` has; 0 where the cycles are given.
    pub read_ps: u32,
    /// Picoseconds of a write that `write_cycles` has; 0 where the cycles are given.
    pub write_ps: u32,
    /// Picoseconds of a shift step that `shift_cycles` has; 0 where the cycles are given.
    pub shift_ps: u32,
}

/// Whether there are no eighths of a cycle, which results then do not show.
fn is_none(eighths: &u32) -> bool {
    *eighths == 0
}

/// How warp registers lie in banks: register w of a warp with base b has place b + w, row place / banks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BankMapping {
    /// In bank place mod banks: warps whose registers are a multiple of the banks all begin in one bank.
    Linear,
    /// In bank (place + row) mod banks, so that they begin in different ones.
    WarpInterleaved,
}

/// Where the intervals of designs that prefetch end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntervalFormation {
    /// Where registers no longer fit, or a second way in would come.
    RegisterInterval,
    /// At long-latency operations and backward branches, too.
    Strand,
}

/// New numbers for the registers of a kernel, after intervals were formed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Renumbering {
    /// The allocator's numbers.
    None,
    /// Live ranges are coloured with banks (LTRF, section 4).
    BankColour,
}

/// What gives way in a memory that registers and L1 lines share (CERF, section III-D).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Replacement {
    /// Lines only: no register is spilled.
    Prioritized,
    /// Whatever was used least recently; registers spill to memory.
    Fair,
}

/// Where the rows of a racetrack bank lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowMapping {
    /// In ascending order, the low offsets of all ports first.
    Ascending,
    /// Grouped and arranged after the accesses of a profile run.
    Profiled,
}

/// Shared memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SharedMemory {
    /// Most that the CTAs of an SM take, in bytes.
    pub bytes: u32,
    /// How the on-chip memory of L1D and shared memory is divided.
    pub split: Split,
    /// Bytes of the one memory that L1D and shared memory divide before each launch; 0 where the split is fixed.
    pub unified_bytes: u32,
    /// Banks of 4 bytes.
    pub banks: u32,
    /// Core cycles from the look-up of an access without conflicts to its response; of off-chip shared memory those of a
    /// hit in its cache.
    pub latency: u32,
    /// Bytes of the cache of off-chip shared memory, or of the unified cache.
    pub cache_bytes: u32,
    /// Reads that unlock a line of that cache after a write; 0: writes do not lock.
    pub reads_to_unlock: u32,
    /// The cache keeps a line until the lifetimes of its addresses are over, which a run before has found out (OSM,
    /// section 6.4); in the cycle model alone.
    pub known_lifetimes: bool,
}

/// How the on-chip memory of L1D and shared memory is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Split {
    /// Two memories, of `l1d.bytes` and `shared_memory.bytes`.
    Fixed,
    /// One memory. Before each launch shared memory gets the smallest of [`SPLIT_STEPS`] that holds the CTAs which
    /// all other limits admit, or else the largest; the L1D gets the rest (OSM, section 2.2).
    Auto,
    /// One memory. Shared memory gets what the resident CTAs take, and the L1D the whole sets that are left.
    Exact,
}

/// Bytes of shared memory among which [`Split::Auto`] chooses.
pub const SPLIT_STEPS: [u32; 6] = [0, 8 << 10, 16 << 10, 32 << 10, 64 << 10, 96 << 10];

/// L2 cache of the whole GPU.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2 {
    /// Capacity in bytes.
    pub bytes: u32,
    /// Associativity.
    pub ways: u32,
    /// Line in bytes.
    pub line_bytes: u32,
    /// Bytes of a line that are there or not as one, and that DRAM moves as one.
    pub sector_bytes: u32,
    /// Core cycles from the arrival of a request to its look-up in the tags.
    pub latency: u32,
    /// Slices of the whole GPU; an SM has its share of them, at least one.
    pub slices: u32,
    /// Bytes that a slice reads or writes in a core cycle.
    pub slice_bytes: u32,
    /// Miss-status holding registers of a slice.
    pub mshrs: u32,
    /// Requests that one of them merges.
    pub mshr_merges: u32,
    /// Core cycles between two operations of an atomic on one word.
    pub atomic_interval: u32,
    /// Entries of each queue of a slice: misses and write-backs for DRAM, and replies.
    pub queue: u32,
}

/// Networks between the SMs and L2, one for requests and one for replies.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Interconnect {
    /// Least core cycles from an SM to a slice of L2.
    pub request_delay: u32,
    /// Least core cycles from a slice of L2 to an SM; a credit takes as long.
    pub reply_delay: u32,
    /// Bytes of a flit; a port of either network moves one in a core cycle. A packet has a header of 8 bytes.
    pub flit_bytes: u32,
    /// Credits of an SM: requests that are on their way or wait at L2.
    pub credits: u32,
}

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

impl Preset {
    /// Bytes of a set of the L1D.
    #[must_use]
    pub fn l1d_set_bytes(&self) -> u32 {
        self.l1d.ways.saturating_mul(self.l1d.line_bytes).max(1)
    }

    /// Most bytes of shared memory that lie on chip.
    #[must_use]
    pub fn on_chip_shared_bytes(&self) -> u32 {
        let SharedMemory { bytes, split, unified_bytes, .. } = self.shared_memory;
        match split {
            Split::Fixed => bytes,
            Split::Auto => bytes.min(SPLIT_STEPS[SPLIT_STEPS.len() - 1]),
            Split::Exact => bytes.min(unified_bytes.saturating_sub(self.l1d_set_bytes())),
        }
    }
}
