//! Register allocation: virtual registers to R0..R254, predicates to P0..P6.
//!
//! 1. Copies are propagated, dead instructions removed, and each register is split into its webs.
//! 2. Where more is live than the limit allows, live ranges are split and values spilled, predicates
//!    into registers and registers into local memory; constants, special registers and parameters are
//!    computed again instead ([`split`]). Spill slots are shared ([`slots`]).
//! 3. The interference graph of what is left is coloured; copies are coalesced ([`color`]). Units are
//!    single registers and even-aligned pairs. The smallest number of registers is searched for, from
//!    the largest number live at once. If pairs leave gaps so that no colouring is found, step 2 is done
//!    again with a lower limit.
//!
//! Two values share a register when their live ranges do not meet. Ranges are per thread, which is
//! sound under divergence; see [`crate::liveness`].

mod color;
mod copies;
mod graph;
mod live;
mod rewrite;
mod simplify;
mod slots;
mod split;
mod units;
mod webs;

use heddle_isa::{Loc, Program};

use crate::liveness::{Liveness, Place};
use graph::Graph;
use rewrite::Work;
use units::Class;

pub use rewrite::{Allocation, Origin};

/// How to allocate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AllocOptions {
    /// Registers of a thread that may be used, 10 to 255.
    pub max_registers: u32,
}

impl Default for AllocOptions {
    fn default() -> Self {
        Self { max_registers: 255 }
    }
}

/// Fewest registers that may be asked for: what an instruction with all six sources and four destinations
/// of the register port needs when it is guarded, so that its destinations hold values before it.
pub const MIN_REGISTERS: u32 = 10;
/// Most registers that may be asked for: R0..R254.
pub const MAX_REGISTERS: u32 = 255;
/// Predicates of a thread: P0..P6, as in the hardware (CUDA binary utilities, "Instruction Set
/// Reference": P7 is always true).
pub const MAX_PREDICATES: u32 = 7;
/// Live places at the borders of all blocks together, above which a program is refused.
const MAX_LIVE: usize = 1 << 25;
/// Places times blocks above which a program is refused.
const MAX_SETS: usize = 1 << 28;
/// Lower limits that are tried when pairs leave gaps.
const LOWER: [u32; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16];

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
    #[error("kernel '{kernel}' does not fit {}: the instruction at {loc} needs more", allowed(*.max_registers, *.declared))]
    TooFew {
        /// The kernel.
        kernel: String,
        /// Registers that were allowed.
        max_registers: u32,
        /// The number of its `.maxnreg`, where that allows no more.
        declared: Option<u32>,
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
    /// The analyses would take too much memory.
    #[error("kernel '{kernel}' is too large to allocate: too many {what}")]
    TooLarge {
        /// The kernel.
        kernel: String,
        /// What there is too much of.
        what: &'static str,
    },
}

impl AllocError {
    /// `program` does not fit `max_registers`: the instruction at `loc` does not.
    fn too_few(program: &Program, max_registers: u32, loc: Loc) -> Self {
        let declared = program.declared.registers.filter(|&n| n.max(MIN_REGISTERS) <= max_registers);
        Self::TooFew { kernel: program.name.clone(), max_registers, declared, loc }
    }
}

fn allowed(max_registers: u32, declared: Option<u32>) -> String {
    match declared {
        Some(declared) => format!("the {max_registers} registers that .maxnreg {declared} allows"),
        None => format!("{max_registers} registers"),
    }
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
    let max = program.declared.registers.map_or(max, |declared| max.min(declared.max(MIN_REGISTERS)));
    if program.allocated {
        return Err(AllocError::AlreadyAllocated { kernel: program.name.clone() });
    }
    check_size(program)?;
    let liveness = Liveness::compute(program);
    if let Some(index) = liveness.live_in(0).first_one() {
        return Err(AllocError::Uninitialised { kernel: program.name.clone(), place: liveness.place(index) });
    }
    let live: usize = (0..program.blocks.len()).map(|b| liveness.live_in(b).count_ones()).sum();
    if live > MAX_LIVE {
        return Err(AllocError::TooLarge { kernel: program.name.clone(), what: "live values" });
    }
    let mut work = Work::new(program);
    webs::split_into_webs(&mut work)?;
    check_size(&work.program)?;
    simplify::simplify(&mut work);
    // Slots begin where pairs are aligned.
    work.program.local_bytes = program.local_bytes.next_multiple_of(8);
    let predicates = LOWER.iter().filter_map(|lower| MAX_PREDICATES.checked_sub(*lower));
    let mut result = Err(Class::Pred);
    for limit in predicates {
        let mut work = work.clone();
        if pressure(&work, Class::Pred) > limit {
            split::split(&mut work, Class::Pred, limit, max)?;
            webs::split_into_webs(&mut work)?;
        }
        result = allocate_registers(&work, program.local_bytes, max)?;
        if !matches!(result, Err(Class::Pred)) {
            break;
        }
    }
    result.map_err(|_| AllocError::too_few(program, max, widest(program)))
}

/// Splits what does not fit `max` registers and colours; the class that did not fit in any way.
fn allocate_registers(
    work: &Work,
    local_bytes: u32,
    max: u32,
) -> Result<Result<Allocation, Class>, AllocError> {
    let base = work.program.local_bytes;
    let pressure = pressure(work, Class::Reg);
    let mut failed = Class::Reg;
    for (attempt, lower) in LOWER.into_iter().enumerate() {
        let mut work = work.clone();
        let limit = max.min(pressure).saturating_sub(lower);
        if pressure > limit {
            match split::split(&mut work, Class::Reg, limit, max) {
                // A lower limit than the user's may be too low for an instruction.
                Err(_) if attempt > 0 => break,
                result => result?,
            }
            slots::share(&mut work, base);
            webs::split_into_webs(&mut work)?;
            simplify::remove_dead(&mut work);
        }
        let graph = Graph::build(&work);
        match color::best(&graph, max) {
            Ok(coloring) => {
                if work.program.local_bytes == base {
                    work.program.local_bytes = local_bytes;
                }
                return Ok(Ok(work.finish(&graph, &coloring, pressure)));
            }
            Err(Class::Pred) => return Ok(Err(Class::Pred)),
            Err(class) => failed = class,
        }
    }
    Ok(Err(failed))
}

fn check_size(program: &Program) -> Result<(), AllocError> {
    match can_be_analysed(program) {
        true => Ok(()),
        false => Err(AllocError::TooLarge { kernel: program.name.clone(), what: "registers and blocks" }),
    }
}

/// Whether sets of its registers and predicates for each block have room.
pub(crate) fn can_be_analysed(program: &Program) -> bool {
    let places = program.num_regs as usize + usize::from(program.num_preds);
    places.checked_mul(program.blocks.len()).is_some_and(|product| product <= MAX_SETS)
}

/// Most registers or predicates live at once.
fn pressure(work: &Work, class: Class) -> u32 {
    let units = units::Units::new(&work.program);
    let liveness = Liveness::compute(&work.program);
    let blocks = live::pressures(&work.program, &units, &liveness);
    blocks.into_iter().map(|p| p[class as usize]).max().unwrap_or(0)
}

/// Place of the instruction with most register operands.
fn widest(program: &Program) -> Loc {
    let operands = |i: &&heddle_isa::Instr| i.source_regs().len() + i.dsts.len();
    program.instrs.iter().max_by_key(operands).map_or(Loc::default(), |i| i.loc)
}

/// How often an instruction at a loop depth counts.
fn weight(depth: u32) -> f32 {
    10f32.powi(i32::try_from(depth.min(6)).unwrap_or(6))
}
