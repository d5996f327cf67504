//! Programs, their control flow, and what a launch adds.

use std::sync::Arc;

use bitvec::array::BitArray;
use bitvec::order::Lsb0;
use heddle_port::{NUM_DESTINATIONS, NUM_REGS, NUM_SOURCES, ResultLevel, SourceLevel};

use crate::declared::Declared;
use crate::instr::Instr;
use crate::memory::{AccessError, DeviceMemory};
use crate::operand::Pc;
use crate::source::SourceFile;
use crate::symbols::{ConstantVariable, GlobalVariable, SymbolError, SymbolWrite, load_globals};
use crate::texture::TextureTable;
use crate::types::Type;

/// A set of architectural registers, one bit each.
pub type RegSet = BitArray<[u32; NUM_REGS / 32], Lsb0>;

/// A kernel parameter in the parameter block.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Param {
    /// Name in the PTX.
    pub name: String,
    /// Byte offset in the block.
    pub offset: u32,
    /// Size in bytes.
    pub bytes: u32,
    /// Declared type; `None` for an array.
    pub ty: Option<Type>,
}

/// A basic block: instructions `first .. first + len`, one entry, one exit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// First instruction.
    pub first: Pc,
    /// Number of instructions, at least 1.
    pub len: u32,
    /// Indices of the blocks that may follow.
    pub successors: Vec<usize>,
    /// Indices of the blocks that may precede.
    pub predecessors: Vec<usize>,
}

impl Block {
    /// Blocks of instructions that go on to those of `flow`, by index: an instruction begins one unless it follows
    /// only the one before, and that goes on only to it.
    ///
    /// # Panics
    /// If an instruction goes on to none of them.
    #[must_use]
    pub fn of_flow(flow: &[Vec<usize>]) -> Vec<Self> {
        let mut leader = vec![false; flow.len()];
        if let Some(first) = leader.first_mut() {
            *first = true;
        }
        for (index, next) in flow.iter().enumerate() {
            let sequential = *next == [index + 1];
            if !sequential {
                for &next in next {
                    leader[next] = true;
                }
                if let Some(follower) = leader.get_mut(index + 1) {
                    *follower = true;
                }
            }
        }
        let starts: Vec<usize> = (0..flow.len()).filter(|&index| leader[index]).collect();
        let block_of = |index: usize| starts.partition_point(|&start| start <= index) - 1;
        let mut blocks: Vec<Self> = Vec::with_capacity(starts.len());
        for (number, &start) in starts.iter().enumerate() {
            let end = starts.get(number + 1).copied().unwrap_or(flow.len());
            let successors = flow[end - 1].iter().map(|&next| block_of(next)).collect();
            let (first, len) = (Pc(start as u32), (end - start) as u32);
            blocks.push(Self { first, len, successors, predecessors: Vec::new() });
        }
        for number in 0..blocks.len() {
            for successor in blocks[number].successors.clone() {
                blocks[successor].predecessors.push(number);
            }
        }
        blocks
    }
}

/// Bytes of the constant bank with which every launch begins.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ConstantBank {
    /// Initial contents; addresses in const space are offsets into it.
    pub bytes: Vec<u8>,
    /// The module's `.const` variables in it.
    pub variables: Vec<ConstantVariable>,
}

/// One kernel.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Program {
    /// Entry name.
    pub name: String,
    /// Where it came from.
    pub source: Arc<SourceFile>,
    /// Instructions; a [`Pc`] is an index.
    pub instrs: Vec<Instr>,
    /// Control-flow graph; block 0 is the entry; blocks tile `instrs` in order.
    pub blocks: Vec<Block>,
    /// 32-bit registers in use: architectural after allocation (at most 255), virtual before.
    pub num_regs: u32,
    /// Predicate registers in use.
    pub num_preds: u16,
    /// Whether registers are architectural.
    pub allocated: bool,
    /// Parameters.
    pub params: Vec<Param>,
    /// Size of the parameter block in bytes.
    pub param_bytes: u32,
    /// Statically declared shared memory in bytes; dynamic shared memory begins there, aligned to 16.
    pub shared_bytes: u32,
    /// Local memory of a thread in bytes, spills included.
    pub local_bytes: u32,
    /// Constant bank.
    pub constants: ConstantBank,
    /// Global variables.
    pub globals: Vec<GlobalVariable>,
    /// What it declares of its launches.
    pub declared: Declared,
}

impl Program {
    /// Lets a thread take at least `registers` registers, whether the program uses them or not.
    pub fn reserve_registers(&mut self, registers: u32) {
        self.num_regs = self.num_regs.max(registers);
    }

    /// The block that holds `pc`.
    #[must_use]
    pub fn block_of(&self, pc: Pc) -> usize {
        self.blocks.partition_point(|b| b.first.0 <= pc.0) - 1
    }

    /// The text of the source line of `pc`, trimmed.
    #[must_use]
    pub fn source_line(&self, pc: Pc) -> &str {
        let line = self.instrs.get(pc.index()).map_or(0, |i| i.loc.line);
        let index = (line as usize).wrapping_sub(1);
        self.source.text.lines().nth(index).unwrap_or("").trim()
    }

    /// The constant bank of a launch: the module's initial values, then the host's writes in order.
    ///
    /// # Errors
    /// [`SymbolError`] for a write that is not inside a `.const` variable of the module.
    pub fn constant_bank(&self, writes: &[SymbolWrite]) -> Result<Vec<u8>, SymbolError> {
        let mut bank = self.constants.bytes.clone();
        for write in writes {
            let variables = &self.constants.variables;
            let variable = variables.iter().find(|v| v.name == write.name).ok_or_else(|| {
                let known = variables.iter().map(|v| v.name.clone()).collect();
                SymbolError::Unknown { name: write.name.clone(), known }
            })?;
            let from = u64::from(write.offset);
            let to = from + write.bytes.len() as u64;
            let start = variable.offset as usize + write.offset as usize;
            match bank.get_mut(start..start + write.bytes.len()) {
                Some(slot) if to <= u64::from(variable.bytes) => slot.copy_from_slice(&write.bytes),
                _ => {
                    let (name, bytes) = (write.name.clone(), variable.bytes);
                    return Err(SymbolError::Outside { name, from, to, bytes });
                }
            }
        }
        Ok(bank)
    }

    /// Puts the module's `.global` variables into `memory`; see [`load_globals`].
    ///
    /// # Errors
    /// As [`load_globals`].
    pub fn load_globals(&self, memory: &mut DeviceMemory) -> Result<(), AccessError> {
        load_globals(&self.globals, memory)
    }
}

/// Number of a register-interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct IntervalId(pub u16);

/// A register-interval: a part of the control-flow graph with one entry whose registers fit a
/// register-cache partition (LTRF, section 3.3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Interval {
    /// Its number.
    pub id: IntervalId,
    /// Its single entry.
    pub header: Pc,
    /// Registers that may be accessed inside.
    pub working_set: RegSet,
}

/// The register-intervals of an allocated program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Intervals {
    /// All intervals, by number.
    pub intervals: Vec<Interval>,
    /// Interval of each instruction.
    pub of_pc: Vec<IntervalId>,
    /// Largest working set allowed (registers of a cache partition).
    pub limit: u32,
}

/// A program prepared for one design.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Executable {
    /// The allocated program.
    pub program: Arc<Program>,
    /// Register-intervals, for designs that prefetch.
    pub intervals: Option<Intervals>,
    /// Instructions before which the code has a prefetch, ascending: the first of each register-interval, where the
    /// code is one with prefetches.
    pub prefetches: Vec<Pc>,
    /// Per instruction: source slots whose register no lane on any pending path reads again.
    pub dead_sources: Vec<u8>,
    /// Per instruction: levels of a software-managed register hierarchy, for designs that have one.
    pub levels: Option<Vec<Levels>>,
}

/// Where an instruction finds its sources and puts its results in a software-managed register hierarchy, by slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Levels {
    /// Of each source slot.
    pub sources: [SourceLevel; NUM_SOURCES],
    /// Of each destination slot.
    pub results: [ResultLevel; NUM_DESTINATIONS],
}

/// What a launch adds to a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct KernelLaunch {
    /// CTAs in x, y, z.
    pub grid: [u32; 3],
    /// Threads of a CTA in x, y, z.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub dynamic_shared_bytes: u32,
    /// The parameter block.
    pub params: Vec<u8>,
    /// What the host has put into `.const` variables, in order.
    pub constants: Vec<SymbolWrite>,
    /// Textures and surfaces, which kernels name by handle.
    pub textures: Arc<TextureTable>,
    /// The CTAs may wait for each other: all are resident at once, and have a workspace for the grid's barrier.
    pub cooperative: bool,
}

impl KernelLaunch {
    /// Number of CTAs.
    #[must_use]
    pub fn num_ctas(&self) -> u64 {
        self.grid.iter().map(|&d| u64::from(d)).product()
    }

    /// Threads of a CTA.
    #[must_use]
    pub fn threads_per_cta(&self) -> u32 {
        self.block.iter().product()
    }

    /// Warps of a CTA.
    #[must_use]
    pub fn warps_per_cta(&self) -> u32 {
        self.threads_per_cta().div_ceil(32)
    }

    /// Coordinates of CTA `linear` in the grid.
    #[must_use]
    pub fn cta_coordinates(&self, linear: u64) -> [u32; 3] {
        let (gx, gy) = (u64::from(self.grid[0].max(1)), u64::from(self.grid[1].max(1)));
        let coordinate = |v: u64| u32::try_from(v).unwrap_or(u32::MAX);
        [coordinate(linear % gx), coordinate(linear / gx % gy), coordinate(linear / (gx * gy))]
    }
}
