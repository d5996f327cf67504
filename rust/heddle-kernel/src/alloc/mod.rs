//! Register allocation: virtual registers to R0..R254, predicates to the lowest numbers.
//!
//! Graph colouring after Chaitin and Briggs: build the interference graph of allocation units (single
//! registers and even-aligned pairs), join units that are copies of each other, remove nodes that are
//! surely colourable, colour optimistically in reverse, and spill what got no colour. Constants,
//! special registers and parameters are computed again instead of spilled. The smallest number of
//! registers that needs no spill is searched for, from the largest number of words live at once.
//!
//! Two values share a register when their live ranges do not meet. Ranges are per thread, which is
//! sound under divergence; see [`crate::liveness`].

mod color;
mod graph;
mod rewrite;
mod simplify;
mod spill;
mod units;

use heddle_isa::{Loc, Program};

use crate::cfg;
use crate::liveness::{Liveness, Place};
use graph::Graph;
use rewrite::Work;

pub use rewrite::{Allocation, Origin};

/// How to allocate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocOptions {
    /// Registers of a thread that may be used, 16 to 255.
    pub max_registers: u32,
}

impl Default for AllocOptions {
    fn default() -> Self {
        Self { max_registers: 255 }
    }
}

/// Fewest registers that may be asked for.
pub const MIN_REGISTERS: u32 = 16;
/// Most registers that may be asked for: R0..R254.
pub const MAX_REGISTERS: u32 = 255;
/// Rounds of spilling after which allocation gives up.
const MAX_ROUNDS: usize = 200;

/// Why a program could not be allocated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AllocError {
    /// The option is out of range.
    #[error("max_registers is {given}, expected {MIN_REGISTERS} to {MAX_REGISTERS}")]
    Limit {
        /// The value given.
        given: u32,
    },
    /// Registers of the program are architectural already.
    #[error("kernel '{kernel}' is already allocated")]
    AlreadyAllocated {
        /// Its name.
        kernel: String,
    },
    /// Even with everything spilled, an instruction needs more registers than there are.
    #[error("kernel '{kernel}' does not fit {max_registers} registers: the instruction at {loc} needs more")]
    TooFew {
        /// The kernel.
        kernel: String,
        /// Registers that were allowed.
        max_registers: u32,
        /// Place of an instruction that does not fit.
        loc: Loc,
    },
    /// Something may be read before it is written; see [`crate::initialise`].
    #[error("kernel '{kernel}' may read {place:?} before it is written")]
    Uninitialised {
        /// The kernel.
        kernel: String,
        /// What is read.
        place: Place,
    },
    /// Spilling does not come to an end.
    #[error("kernel '{kernel}' does not settle after {rounds} rounds of spilling")]
    NotSettled {
        /// The kernel.
        kernel: String,
        /// Rounds tried.
        rounds: usize,
    },
}

/// Allocates the registers of `program`, in which everything is written before it is read.
///
/// # Errors
/// A limit out of range, a program that is already allocated, that may read what it did not write,
/// or that does not fit.
pub fn allocate(program: &Program, options: AllocOptions) -> Result<Program, AllocError> {
    allocate_traced(program, options).map(|a| a.program)
}

/// As [`allocate`], with where each instruction comes from, for [`crate::check::check_allocation`].
///
/// # Errors
/// As [`allocate`].
pub fn allocate_traced(program: &Program, options: AllocOptions) -> Result<Allocation, AllocError> {
    let max = options.max_registers;
    if !(MIN_REGISTERS..=MAX_REGISTERS).contains(&max) {
        return Err(AllocError::Limit { given: max });
    }
    if program.allocated {
        return Err(AllocError::AlreadyAllocated { kernel: program.name.clone() });
    }
    let liveness = Liveness::compute(program);
    if let Some(index) = liveness.live_in(0).first_one() {
        return Err(AllocError::Uninitialised { kernel: program.name.clone(), place: liveness.place(index) });
    }
    let mut work = Work::new(program);
    simplify::simplify(&mut work);
    for _ in 0..MAX_ROUNDS {
        let graph = Graph::build(&work);
        match color::best(&graph, max) {
            Ok(coloring) => return Ok(work.finish(&graph, &coloring)),
            Err(uncolored) => spill::spill(&mut work, &graph, &uncolored, max)?,
        }
    }
    Err(AllocError::NotSettled { kernel: program.name.clone(), rounds: MAX_ROUNDS })
}

/// Loop depth of every instruction of `program`.
fn depths(program: &Program) -> Vec<u32> {
    let by_block = crate::dominators::loop_depths(&program.blocks);
    let mut depths = vec![0; program.instrs.len()];
    for (block, depth) in program.blocks.iter().zip(by_block) {
        for pc in cfg::pcs(block) {
            depths[pc.index()] = depth;
        }
    }
    depths
}
