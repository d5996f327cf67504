//! An independent proof that a program in another order does what it did.
//!
//! Each block must have the same instructions, and two of them may have changed places only if neither can tell: no
//! register or predicate of one is written by the other, and of their memory accesses none writes, or they cannot meet in
//! any lanes of a warp.
//! The checker looks at each such pair by itself and shares nothing with what made the order but the records of where
//! instructions come from.

use std::collections::VecDeque;

use heddle_isa::{CacheOp, Instr, Op, Operand, Pc, Program, Space};

use crate::cfg;
use crate::liveness::{Place, for_each_def, for_each_use};
use crate::order::Ordered;

/// What is wrong with an order.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("instruction {pc} of '{kernel}' in its new order: {fault}")]
pub struct OrderError {
    /// The kernel.
    pub kernel: String,
    /// Instruction in the new order.
    pub pc: Pc,
    /// What is wrong.
    pub fault: OrderFault,
}

/// Kinds of faults.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum OrderFault {
    /// The programs have other blocks or sizes.
    #[error("the blocks are not those of the text")]
    Blocks,
    /// It is not the instruction that it is said to be, or that is there twice, or is of another block.
    #[error("it is not instruction {origin} of the text, or not the only one, or of another block")]
    Origin {
        /// The instruction that it is said to be.
        origin: Pc,
    },
    /// It came before an instruction that it must follow.
    #[error("it comes before instruction {origin} of the text, which it must follow")]
    Passed {
        /// The instruction of the text that it passed.
        origin: Pc,
    },
}

/// Proves that `ordered` does what `program` does; how many pairs of instructions changed places.
///
/// # Errors
/// The first fault in the new order.
pub fn check_order(program: &Program, ordered: &Ordered) -> Result<usize, OrderError> {
    let fault = |pc, fault| OrderError { kernel: program.name.clone(), pc, fault };
    let unordered = Program { instrs: program.instrs.clone(), ..ordered.program.clone() };
    let sizes = [ordered.program.instrs.len(), ordered.origins.len()];
    if unordered != *program || sizes != [program.instrs.len(); 2] {
        return Err(fault(Pc(0), OrderFault::Blocks));
    }
    let mut pairs = 0;
    for block in &program.blocks {
        // Instructions of the text that are still to come, ascending.
        let mut left: VecDeque<Pc> = cfg::pcs(block).collect();
        for pc in cfg::pcs(block) {
            let origin = ordered.origins[pc.index()];
            let place = left.binary_search(&origin);
            let same = program.instrs.get(origin.index()) == Some(&ordered.program.instrs[pc.index()]);
            let (Ok(place), true) = (place, same) else {
                return Err(fault(pc, OrderFault::Origin { origin }));
            };
            let mut passed = left.iter().take(place);
            if let Some(&origin) = passed.find(|&&earlier| !may_change_places(program, earlier, origin)) {
                return Err(fault(pc, OrderFault::Passed { origin }));
            }
            pairs += place;
            left.remove(place);
        }
    }
    Ok(pairs)
}

/// Whether the instructions `first` and `second` of a block, which come in this order, may come in the other.
fn may_change_places(program: &Program, first: Pc, second: Pc) -> bool {
    let (a, b) = (&program.instrs[first.index()], &program.instrs[second.index()]);
    if !(is_movable(a) && is_movable(b)) || writes_what_is_used(a, b) || writes_what_is_used(b, a) {
        return false;
    }
    let (Some(space_a), Some(space_b)) = (space(a), space(b)) else { return true };
    let stores = [a, b].iter().filter(|i| matches!(i.op, Op::St { .. })).count();
    let one_space = space_a == space_b || [space_a, space_b].contains(&Space::Generic);
    stores == 0 || !one_space || (space_a == space_b && are_apart(program, first, second, space_a))
}

fn is_movable(instr: &Instr) -> bool {
    let computes = matches!(
        instr.op,
        Op::Alu { .. }
            | Op::Cvt { .. }
            | Op::Setp { .. }
            | Op::Set { .. }
            | Op::Testp { .. }
            | Op::Selp { .. }
            | Op::Pred { .. }
            | Op::SurfaceAddress { .. }
            | Op::Tex { .. }
    );
    let accesses = |cache| !matches!(cache, CacheOp::Volatile | CacheOp::Cv);
    computes || matches!(instr.op, Op::Ld { cache, .. } | Op::St { cache, .. } if accesses(cache))
}

/// Whether `a` writes a place that `b` reads or writes.
fn writes_what_is_used(a: &Instr, b: &Instr) -> bool {
    let mut used = false;
    let mut written: Vec<Place> = Vec::new();
    for_each_def(a, |place| written.push(place));
    for_each_use(b, |place| used |= written.contains(&place));
    for_each_def(b, |place| used |= written.contains(&place));
    used
}

/// The space that an instruction accesses, where a store may change what it does.
fn space(instr: &Instr) -> Option<Space> {
    match instr.op {
        Op::Ld { space: Space::Param | Space::Const, .. }
        | Op::Ld { space: Space::Global | Space::Generic, cache: CacheOp::Nc, .. } => None,
        Op::Ld { space, .. } | Op::St { space, .. } => Some(space),
        Op::Tex { .. } => Some(Space::Global),
        _ => None,
    }
}

/// Whether the accesses of `first` and `second` to `space` have no byte in common in any two lanes: they have one base,
/// which nothing between them changes and which is a register in local memory alone, for that each lane has its own.
fn are_apart(program: &Program, first: Pc, second: Pc, space: Space) -> bool {
    let (a, b) = (&program.instrs[first.index()], &program.instrs[second.index()]);
    let (Some(bytes_a), Some(bytes_b)) = (bytes(a), bytes(b)) else { return false };
    let (start_a, start_b) = match (a.srcs.first(), b.srcs.first()) {
        (Some(Operand::Imm(x)), Some(Operand::Imm(y))) if x.max(y) >> 32 == 0 => {
            (i128::from(*x), i128::from(*y))
        }
        (Some(x @ (Operand::Reg(r) | Operand::Pair(r))), Some(y)) if x == y && space == Space::Local => {
            let words = if matches!(x, Operand::Pair(_)) { 2 } else { 1 };
            let mut changed = false;
            for pc in first.0..second.0 {
                for_each_def(&program.instrs[pc as usize], |place| {
                    changed |= (0..words).any(|word| place == Place::Reg(heddle_port::Reg(r.0 + word)));
                });
            }
            if changed {
                return false;
            }
            (0, 0)
        }
        _ => return false,
    };
    let (from_a, from_b) = (start_a + i128::from(a.offset), start_b + i128::from(b.offset));
    let disjoint = from_a + bytes_a <= from_b || from_b + bytes_b <= from_a;
    // Further apart an address of 32 bits may wrap.
    disjoint && (from_a - from_b).abs() < 1 << 31
}

/// Bytes of a load or store.
fn bytes(instr: &Instr) -> Option<i128> {
    match instr.op {
        Op::Ld { ty, vector, .. } | Op::St { ty, vector, .. } => {
            Some(i128::from(ty.bytes()) * i128::from(vector))
        }
        _ => None,
    }
}
