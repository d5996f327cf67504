//! The program that a trace shows.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use heddle_isa::program::SourceFile;
use heddle_isa::{Block, ConstantBank, Instr, Loc, Op, Operand, Pc, Program, Traced};

use crate::collector::Static;
use crate::header::Header;

/// The program of the instructions found, and the place of each program counter.
pub fn build_program(
    header: &Header,
    path: &Path,
    mut found: Vec<Static>,
    local_bytes: u32,
) -> (Program, HashMap<u32, Pc>) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&place| found[place].pc);
    let mut place_of = vec![0u32; found.len()];
    for (index, &place) in order.iter().enumerate() {
        place_of[place] = index as u32;
    }
    for instruction in &mut found {
        for next in &mut instruction.next {
            *next = place_of[*next] as usize;
        }
        instruction.next.sort_unstable();
    }
    found.sort_by_key(|instruction| instruction.pc);
    let mut listing = String::new();
    let mut instrs = Vec::with_capacity(found.len());
    for (number, instruction) in (1u32..).zip(&found) {
        let words = format!("{:04x} {}, line {}\n", instruction.pc, instruction.text(), instruction.line);
        listing.push_str(&words);
        let traced = Traced {
            kind: instruction.operands.kind,
            next: instruction.next.iter().map(|&index| Pc(index as u32)).collect(),
            partial: instruction.partial,
        };
        let mut instr = Instr::new(Op::Traced(Box::new(traced)), Loc { line: number, column: 1 });
        instr.dsts.extend(instruction.operands.destinations.iter().copied());
        instr.srcs.extend(instruction.operands.sources.iter().map(|&r| Operand::Reg(r)));
        instrs.push(instr);
    }
    let index = (0..).map(Pc).zip(&found).map(|(pc, instruction)| (instruction.pc, pc)).collect();
    let program = Program {
        name: header.kernel.clone(),
        source: Arc::new(SourceFile { name: format!("{} (instructions)", path.display()), text: listing }),
        blocks: blocks(&found),
        instrs,
        num_regs: header.registers,
        num_preds: 0,
        allocated: true,
        params: Vec::new(),
        param_bytes: 0,
        shared_bytes: header.shared_bytes,
        local_bytes,
        constants: ConstantBank::default(),
        globals: Vec::new(),
    };
    (program, index)
}

/// Blocks: an instruction begins one unless it follows only the one before, and that goes on only to it.
fn blocks(found: &[Static]) -> Vec<Block> {
    let mut leader = vec![false; found.len()];
    if let Some(first) = leader.first_mut() {
        *first = true;
    }
    for (index, instruction) in found.iter().enumerate() {
        let sequential = instruction.next == [index + 1];
        if !sequential {
            for &next in &instruction.next {
                leader[next] = true;
            }
            if let Some(follower) = leader.get_mut(index + 1) {
                *follower = true;
            }
        }
    }
    let starts: Vec<usize> = (0..found.len()).filter(|&index| leader[index]).collect();
    let block_of = |index: usize| starts.partition_point(|&start| start <= index) - 1;
    let mut blocks: Vec<Block> = Vec::with_capacity(starts.len());
    for (number, &start) in starts.iter().enumerate() {
        let end = starts.get(number + 1).copied().unwrap_or(found.len());
        let successors = found[end - 1].next.iter().map(|&next| block_of(next)).collect();
        let (first, len) = (Pc(start as u32), (end - start) as u32);
        blocks.push(Block { first, len, successors, predecessors: Vec::new() });
    }
    for number in 0..blocks.len() {
        for successor in blocks[number].successors.clone() {
            blocks[successor].predecessors.push(number);
        }
    }
    blocks
}
