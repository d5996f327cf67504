//! What a preset says of the register file.

use serde::{Deserialize, Serialize};

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
