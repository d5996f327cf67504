//! The typed configuration.

use serde::{Deserialize, Serialize};

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
    /// Execution pipelines.
    pub pipeline: Pipeline,
    /// L1 data cache.
    pub l1d: L1d,
    /// Shared memory.
    pub shared_memory: SharedMemory,
    /// L2 cache of the whole GPU.
    pub l2: L2,
    /// DRAM of the whole GPU.
    pub dram: Dram,
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
    /// Instructions fetched a cycle, for one warp.
    pub fetch_width: u32,
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
    /// A warp does not follow one of the same part of the register file as the active one, where one of
    /// the other part can (`register_file.warp_banks` = 2).
    pub alternate_banks: bool,
}

/// Register file: inputs of the design, read at reset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegisterFile {
    /// Cycles one access occupies a bank of the main register file.
    pub bank_cycles: u32,
    /// Cycles one register takes through the crossbar to a hierarchical main register file.
    pub crossbar_cycles: u32,
    /// Warp registers (32 lanes of 32 bits) that a bank holds; there are 16 banks.
    pub rows_per_bank: u32,
    /// Largest working set of a register-interval: register-cache banks in use.
    pub registers_per_interval: u32,
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
    /// Entries of a write buffer that are seldom used are switched off.
    pub buffer_gating: bool,
    /// Cycles until entries that were switched off can be used.
    pub wakeup_cycles: u32,
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

/// Whole cycles of a clock of `mhz` in which `ps` picoseconds pass: rounded up, so at least 1 for a time above 0.
fn cycles_of(ps: u32, mhz: u32) -> u32 {
    u32::try_from((u64::from(ps) * u64::from(mhz)).div_ceil(1_000_000)).unwrap_or(u32::MAX)
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

/// Execution pipelines; latencies and initiation intervals in core cycles.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// Integer and single-precision latency.
    pub alu_latency: u32,
    /// Cycles between two instructions of one ALU pipeline.
    pub alu_interval: u32,
    /// Special-function latency.
    pub sfu_latency: u32,
    /// Cycles between two instructions of the SFU.
    pub sfu_interval: u32,
    /// Latency of branches, barriers and other control instructions.
    pub control_latency: u32,
}

/// L1 data cache.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L1d {
    /// Capacity in bytes.
    pub bytes: u32,
    /// Bytes of one memory that is divided between registers and L1D before each launch: the L1D gets what the
    /// registers of the warps that fit leave, and `bytes` means nothing. So it has room for all of `sm.registers`.
    /// 0: separate memories.
    pub unified_bytes: u32,
    /// Associativity.
    pub ways: u32,
    /// Line in bytes.
    pub line_bytes: u32,
    /// Bytes of a line that are there or not as one: a miss fetches the sectors that it needs and the line lacks.
    pub sector_bytes: u32,
    /// Miss-status holding registers.
    pub mshrs: u32,
    /// Requests that one MSHR merges.
    pub mshr_merges: u32,
    /// Core cycles from the look-up of a load that hits to its response.
    pub hit_latency: u32,
    /// Loads that go to the L1 hit, whatever it holds: a profile without cache contention.
    pub always_hit: bool,
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
    /// Latency of a hit in core cycles, after the L1 miss.
    pub latency: u32,
    /// Of `latency`, what the interconnect has, there and back: a request past L2 takes that and DRAM's time.
    pub bypass_latency: u32,
    /// Bytes that the whole L2 delivers in a core cycle.
    pub bytes_per_cycle: u32,
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
    /// Core cycles of address translation (TLB) before a read of global or local memory reaches the scheduler of its
    /// channel.
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
    /// Requests that a channel's scheduler looks at.
    pub queue: u32,
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

    fn check_split(&self) -> Result<(), (&'static str, u64, &'static str)> {
        let SharedMemory { split, unified_bytes, .. } = self.shared_memory;
        let bytes = u64::from(unified_bytes);
        let set = self.l1d_set_bytes();
        let largest = SPLIT_STEPS[SPLIT_STEPS.len() - 1];
        let key = "shared_memory.unified_bytes";
        match split {
            Split::Fixed if unified_bytes != 0 => {
                return Err((key, bytes, "0 where shared_memory.split is fixed"));
            }
            Split::Auto if unified_bytes < largest.saturating_add(set) || unified_bytes > 1 << 24 => {
                return Err((
                    key,
                    bytes,
                    "98304 and a set of the L1D at least, where shared_memory.split is auto",
                ));
            }
            Split::Exact if unified_bytes < set || unified_bytes > 1 << 24 => {
                return Err((key, bytes, "a set of the L1D at least, where shared_memory.split is exact"));
            }
            _ => {}
        }
        if split != Split::Fixed && self.l1d.unified_bytes != 0 {
            let value = self.l1d.unified_bytes.into();
            return Err(("l1d.unified_bytes", value, "0 where shared_memory.split is not fixed"));
        }
        Ok(())
    }

    /// Sets the cycles of the register file whose time is given, by the core clock.
    pub(crate) fn derive_cycles(&mut self) {
        let (rf, mhz) = (&mut self.register_file, self.gpu.core_mhz);
        for (cycles, ps) in [
            (&mut rf.bank_cycles, rf.read_ps),
            (&mut rf.write_cycles, rf.write_ps),
            (&mut rf.shift_cycles, rf.shift_ps),
        ] {
            if ps != 0 {
                *cycles = cycles_of(ps, mhz);
            }
        }
    }

    /// Whether the values fit each other and the ports.
    ///
    /// # Errors
    /// The key that does not fit, its value and what is allowed.
    pub fn validate(&self) -> Result<(), (&'static str, u64, &'static str)> {
        let range = |key, value: u32, low: u32, high: u32, allowed| {
            if (low..=high).contains(&value) { Ok(()) } else { Err((key, u64::from(value), allowed)) }
        };
        range("gpu.sms", self.gpu.sms, 1, 1024, "1 to 1024")?;
        range("gpu.core_mhz", self.gpu.core_mhz, 1, 10_000, "1 to 10000")?;
        range("sm.warps", self.sm.warps, 1, 64, "1 to 64")?;
        range("sm.ctas", self.sm.ctas, 1, 32, "1 to 32")?;
        range("sm.registers", self.sm.registers, 1024, 1 << 22, "1024 to 4194304")?;
        range("sm.register_granularity", self.sm.register_granularity, 1, 256, "1 to 256")?;
        range("sm.issue_width", self.sm.issue_width, 1, 4, "1 to 4")?;
        range("sm.result_width", self.sm.result_width, 1, 4, "1 to 4")?;
        range("sm.instruction_buffer", self.sm.instruction_buffer, 1, 64, "1 to 64")?;
        range("sm.fetch_width", self.sm.fetch_width, 1, 64, "1 to 64")?;
        range(
            "scheduler.schedulers",
            self.scheduler.schedulers,
            1,
            self.sm.issue_width,
            "1 to sm.issue_width",
        )?;
        range("scheduler.active_warps", self.scheduler.active_warps, 1, 64, "1 to 64")?;
        let rf = &self.register_file;
        for (key, ps, cycles) in [
            ("register_file.read_ps", rf.read_ps, rf.bank_cycles),
            ("register_file.write_ps", rf.write_ps, rf.write_cycles),
            ("register_file.shift_ps", rf.shift_ps, rf.shift_cycles),
        ] {
            if ps != 0 && cycles > 255 {
                return Err((key, u64::from(ps), "at most 255 cycles of gpu.core_mhz"));
            }
        }
        range("register_file.bank_cycles", rf.bank_cycles, 1, 255, "1 to 255")?;
        range("register_file.crossbar_cycles", rf.crossbar_cycles, 1, 255, "1 to 255")?;
        range("register_file.rows_per_bank", rf.rows_per_bank, 1, 65535, "1 to 65535")?;
        range("register_file.registers_per_interval", rf.registers_per_interval, 6, 255, "6 to 255")?;
        range("register_file.write_cycles", rf.write_cycles, 1, 255, "1 to 255")?;
        range("register_file.shift_cycles", rf.shift_cycles, 0, 255, "0 to 255")?;
        range("register_file.max_registers", rf.max_registers, 1, 255, "1 to 255")?;
        range("register_file.warp_banks", rf.warp_banks, 1, 2, "1 or 2")?;
        range("register_file.wakeup_cycles", rf.wakeup_cycles, 1, 255, "1 to 255")?;
        if ![2, 4, 8].contains(&rf.ways) {
            return Err(("register_file.ways", u64::from(rf.ways), "2, 4 or 8"));
        }
        let p = &self.pipeline;
        for (key, value) in [
            ("pipeline.alu_latency", p.alu_latency),
            ("pipeline.alu_interval", p.alu_interval),
            ("pipeline.sfu_latency", p.sfu_latency),
            ("pipeline.sfu_interval", p.sfu_interval),
            ("pipeline.control_latency", p.control_latency),
            ("l1d.hit_latency", self.l1d.hit_latency),
            ("shared_memory.latency", self.shared_memory.latency),
        ] {
            range(key, value, 1, 1000, "1 to 1000")?;
        }
        range("l2.latency", self.l2.latency, 1, 10_000, "1 to 10000")?;
        range("l2.bypass_latency", self.l2.bypass_latency, 1, 10_000, "1 to 10000")?;
        range("dram.latency", self.dram.latency, 1, 10_000, "1 to 10000")?;
        range("l1d.line_bytes", self.l1d.line_bytes, 128, 128, "128")?;
        range("l2.line_bytes", self.l2.line_bytes, 128, 128, "128")?;
        range("shared_memory.banks", self.shared_memory.banks, 32, 32, "32")?;
        let (unified, registers) = (self.l1d.unified_bytes, self.sm.registers.saturating_mul(4));
        if unified != 0 && !((registers..=1 << 24).contains(&unified) && unified.is_multiple_of(128)) {
            let allowed = "0, or at least 4 x sm.registers, at most 16777216 and a multiple of 128";
            return Err(("l1d.unified_bytes", u64::from(unified), allowed));
        }
        for (key, bytes) in
            [("l1d.sector_bytes", self.l1d.sector_bytes), ("l2.sector_bytes", self.l2.sector_bytes)]
        {
            if ![32, 64, 128].contains(&bytes) {
                return Err((key, u64::from(bytes), "32, 64 or 128"));
            }
        }
        self.check_split()?;
        range("dram.translation_latency", self.dram.translation_latency, 0, 10_000, "0 to 10000")?;
        let cache = self.shared_memory.cache_bytes;
        if !(1 << 10..=1 << 17).contains(&cache) || !cache.is_power_of_two() {
            let allowed = "a power of two from 1024 to 131072";
            return Err(("shared_memory.cache_bytes", cache.into(), allowed));
        }
        range("shared_memory.reads_to_unlock", self.shared_memory.reads_to_unlock, 0, 15, "0 to 15")?;
        range("l1d.mshrs", self.l1d.mshrs, 1, 256, "1 to 256")?;
        range("l1d.mshr_merges", self.l1d.mshr_merges, 1, 64, "1 to 64")?;
        for (key, bytes, ways) in
            [("l1d.bytes", self.l1d.bytes, self.l1d.ways), ("l2.bytes", self.l2.bytes, self.l2.ways)]
        {
            if ways == 0 || bytes == 0 || bytes % (ways.saturating_mul(128)) != 0 {
                return Err((key, u64::from(bytes), "a positive multiple of ways x 128"));
            }
        }
        range("l2.bytes_per_cycle", self.l2.bytes_per_cycle, 1, 1 << 20, "1 to 1048576")?;
        let d = &self.dram;
        range("dram.channels", d.channels, 1, 256, "1 to 256")?;
        range("dram.banks_per_channel", d.banks_per_channel, 1, 256, "1 to 256")?;
        range("dram.row_bytes", d.row_bytes, 128, 1 << 20, "128 to 1048576")?;
        range("dram.clock_mhz", d.clock_mhz, 1, 100_000, "1 to 100000")?;
        range("dram.bytes_per_clock", d.bytes_per_clock, 1, 4096, "1 to 4096")?;
        range("dram.queue", d.queue, 1, 1024, "1 to 1024")?;
        Ok(())
    }
}
