//! What `--emit` shows: the control-flow graph as DOT, live ranges as text.

use std::fmt::Write as _;

use heddle_isa::Program;

use crate::liveness::{Liveness, Place};
use crate::print::instr_text;
use crate::{cfg, dominators};

/// The control-flow graph as a DOT digraph: a box per block with its instructions, solid edges to
/// successors, dashed edges to the immediate post-dominator of blocks that branch two ways.
#[must_use]
pub fn cfg_dot(program: &Program) -> String {
    let post = dominators::post_dominators(&program.instrs, &program.blocks);
    let mut dot = String::new();
    let _ = writeln!(dot, "digraph \"{}\" {{", escaped(&program.name));
    let _ = writeln!(dot, "  node [shape=box, fontname=monospace];");
    for (b, block) in program.blocks.iter().enumerate() {
        let mut label = format!("B{b}\\l");
        for pc in cfg::pcs(block) {
            let instr = instr_text(&program.instrs[pc.index()]);
            let _ = write!(label, "{pc}: {}\\l", escaped(&instr));
        }
        let _ = writeln!(dot, "  B{b} [label=\"{label}\"];");
    }
    for (b, block) in program.blocks.iter().enumerate() {
        for s in &block.successors {
            let _ = writeln!(dot, "  B{b} -> B{s};");
        }
        if cfg::may_exit(&program.instrs, block) {
            let _ = writeln!(dot, "  B{b} -> exit;");
        }
        if let (2.., Some(meet)) = (block.successors.len(), post.immediate(b)) {
            let _ = writeln!(dot, "  B{b} -> B{meet} [style=dashed, constraint=false, label=\"meet\"];");
        }
    }
    dot.push_str("}\n");
    dot
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// For every instruction how many registers are live after it and which end there, and for every
/// block what is live where it begins.
#[must_use]
pub fn liveness_text(program: &Program) -> String {
    let liveness = Liveness::compute(program);
    let mut text = format!("kernel {}: at most {} registers live\n", program.name, max_live(program));
    let sets = liveness.per_instruction(program);
    for (b, block) in program.blocks.iter().enumerate() {
        let live = names(&liveness, liveness.live_in(b).iter_ones());
        let _ = writeln!(text, "B{b}: live in {{{live}}}");
        for pc in cfg::pcs(block) {
            let around = &sets[pc.index()];
            let regs = around.live_out.iter_ones().filter(|&i| is_reg(&liveness, i)).count();
            let ended = around.live_in.iter_ones().filter(|&i| !around.live_out[i]);
            let _ = writeln!(
                text,
                "  {:>5}  {:<60} live {regs:>3}  ends {{{}}}",
                pc.0,
                instr_text(&program.instrs[pc.index()]),
                names(&liveness, ended)
            );
        }
    }
    text
}

/// Most registers live before or after any instruction.
#[must_use]
pub fn max_live(program: &Program) -> usize {
    let liveness = Liveness::compute(program);
    liveness
        .per_instruction(program)
        .iter()
        .flat_map(|around| [&around.live_in, &around.live_out])
        .map(|set| set.iter_ones().filter(|&i| is_reg(&liveness, i)).count())
        .max()
        .unwrap_or(0)
}

fn is_reg(liveness: &Liveness, index: usize) -> bool {
    matches!(liveness.place(index), Place::Reg(_))
}

fn names(liveness: &Liveness, indices: impl Iterator<Item = usize>) -> String {
    let list: Vec<String> = indices
        .map(|i| match liveness.place(i) {
            Place::Reg(r) => r.to_string(),
            Place::Pred(p) => p.to_string(),
        })
        .collect();
    list.join(" ")
}
