//! The typed configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::compiler::Compiler;
use crate::design::Setting;
use crate::dram::Dram;
use crate::instruction_cache::InstructionCache;
use crate::l1d::L1d;
use crate::pipeline::Pipeline;
use crate::register_file::RegisterFile;
use crate::scheduler::Scheduler;
use crate::shared_memory::SharedMemory;
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
    /// A warp keeps its slot until L2 has taken its stores.
    pub stores_hold_slot: bool,
    /// Eighths of the cycles in which the units leave what an operand slot offers, 0 to 7, at random by slot and cycle. No machine does
    /// it: it makes every design wait at its port.
    pub operands_refused: u32,
}

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

impl Preset {
    /// Bytes of a set of the L1D.
    #[must_use]
    pub fn l1d_set_bytes(&self) -> u32 {
        self.l1d.ways.saturating_mul(self.l1d.line_bytes).max(1)
    }
}
