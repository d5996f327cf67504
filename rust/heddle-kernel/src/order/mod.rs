//! Loads as early in their basic block as registers allow.
//!
//! PTX has loads where the source has them. ptxas moves them up at -O3, so that several are under way before the first
//! result is waited for, and takes more registers for that. Here, within each stretch of a block between instructions
//! that stay ([`motion::stays`]), instructions come in the order of the text, but a load that could begin already comes
//! first, with the address arithmetic that it needs, as long as no more than a given number of registers is live.
//!
//! A load comes early only if none of what comes with it waits for another load that is under way: the waiting would
//! stop what follows. Loads are taken to end in order, so what waits for one has waited for those before it.
//!
//! Blocks keep their place and their length, and so branches their targets. [`crate::check_order`] proves the result.

mod dependences;
mod motion;
mod pressure;
mod schedule;

use heddle_isa::{Pc, Program};

use crate::cfg;
use crate::liveness::Liveness;
use schedule::Schedule;

/// A program whose blocks have their instructions in another order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ordered {
    /// The program in its order.
    pub program: Program,
    /// By instruction: the one of the program before that it is.
    pub origins: Vec<Pc>,
}

/// `program`, which is on virtual registers, with loads early. A load moves up only where at most `registers` registers
/// of 32 bits are live then; in the order of the text there may be more.
#[must_use]
pub fn with_early_loads(program: &Program, registers: u32) -> Ordered {
    let liveness = Liveness::compute(program);
    let mut origins = Vec::with_capacity(program.instrs.len());
    for (index, block) in program.blocks.iter().enumerate() {
        // Backwards, as liveness goes.
        let mut live = liveness.live_out(index).to_bitvec();
        let mut of_block = Vec::with_capacity(block.len as usize);
        for stretch in motion::stretches(program, block).into_iter().rev() {
            let (first, instrs) = (stretch.start, &program.instrs[stretch]);
            let has_loads = instrs.iter().skip(1).any(motion::is_long_load);
            let after = has_loads.then(|| live.clone());
            for instr in instrs.iter().rev() {
                liveness.step(instr, &mut live);
            }
            let order = match after {
                Some(after) => Schedule::new(instrs, &liveness, &live, &after, registers).run(),
                None => (0..instrs.len()).collect(),
            };
            of_block.extend(order.into_iter().rev().map(|at| pc(first + at)));
        }
        origins.extend(of_block.into_iter().rev());
    }
    let mut ordered = program.clone();
    for (instr, origin) in ordered.instrs.iter_mut().zip(&origins) {
        instr.clone_from(&program.instrs[origin.index()]);
    }
    debug_assert_eq!(cfg::build(&ordered.instrs), program.blocks, "blocks keep their place");
    Ordered { program: ordered, origins }
}

fn pc(index: usize) -> Pc {
    Pc(u32::try_from(index).expect("programs have fewer than 2^32 instructions"))
}
