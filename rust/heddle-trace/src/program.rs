//! The program that a trace shows.

use std::path::Path;
use std::sync::Arc;

use heddle_isa::{
    Block, ConstantBank, Guard, Instr, Loc, Op, Operand, Pc, Pred, PredOperand, Program, SourceFile, Traced,
    TracedKind,
};

use crate::address_map::AddressMap;
use crate::collector::Static;
use crate::header::Header;
use crate::notes::Note;
use crate::places::Places;

/// The program of the instructions found, by rising program counter, and for each the first that stands for it and their
/// number. A thread has `registers`. Where warps begin elsewhere than with the first instruction, they count as what may follow it.
pub fn build_program(
    header: &Header,
    path: &Path,
    mut found: Vec<Static>,
    registers: u32,
    addresses: &AddressMap,
) -> (Program, Places<(Pc, u32)>) {
    let mut order: Vec<usize> = (0..found.len()).collect();
    order.sort_by_key(|&place| found[place].pc);
    // By place of discovery: the first of its instructions.
    let mut first_of = vec![0; found.len()];
    let mut count = 0;
    for &place in &order {
        first_of[place] = count;
        count += found[place].operands.count();
    }
    for instruction in &mut found {
        for next in &mut instruction.next {
            *next = first_of[*next];
        }
        instruction.next.sort_unstable();
    }
    let begins: Vec<usize> = found
        .iter()
        .zip(&first_of)
        .filter(|(i, first)| i.begins && **first != 0)
        .map(|(_, first)| *first)
        .collect();
    found.sort_by_key(|instruction| instruction.pc);
    if let Some(first) = found.first_mut() {
        first.next.extend(begins);
        first.next.sort_unstable();
        first.next.dedup();
    }
    let (mut listing, mut num_preds) = (String::new(), 0);
    let (mut instrs, mut flow) = (Vec::with_capacity(count), Vec::with_capacity(count));
    let mut index = Places::default();
    for (number, instruction) in (1u32..).zip(found) {
        let words = format!("{:04x} {}, line {}\n", instruction.pc, instruction.text(), instruction.line);
        listing.push_str(&words);
        let parts = instruction.operands.count();
        index.insert(instruction.pc, instruction.text.clone(), (pc_of(instrs.len()), parts as u32));
        for (part, (destinations, sources)) in instruction.operands.parts().enumerate() {
            let next = if part + 1 < parts { vec![instrs.len() + 1] } else { instruction.next.clone() };
            let traced = Traced {
                kind: instruction.operands.kind,
                next: next.iter().copied().map(pc_of).collect(),
                partial: instruction.partial,
                calls: false,
                wide: Vec::new(),
            };
            let mut instr = Instr::new(Op::Traced(Box::new(traced)), Loc { line: number, column: 1 });
            instr.dsts.extend(destinations.iter().copied());
            instr.srcs.extend(sources.iter().map(|&r| Operand::Reg(r)));
            if let Some(note) = header.notes.get(&instruction.pc) {
                num_preds = note.predicates().map(|number| number + 1).fold(num_preds, u16::max);
                add(&mut instr, note, part == 0, part + 1 == parts);
            }
            instrs.push(instr);
            flow.push(next);
        }
    }
    let program = Program {
        name: header.kernel.clone(),
        source: Arc::new(SourceFile::new(format!("{} (instructions)", path.display()), listing)),
        blocks: Block::of_flow(&flow),
        instrs,
        num_regs: registers,
        num_preds,
        allocated: true,
        params: Vec::new(),
        param_bytes: 0,
        shared_bytes: header.shared_bytes.max(addresses.shared_bytes()),
        local_bytes: addresses.local_bytes(),
        constants: ConstantBank::default(),
        globals: Vec::new(),
        declared: heddle_isa::Declared::default(),
    };
    (program, index)
}

/// Gives an instruction the predicates of its line: the first part of a line reads them, the last one writes them.
/// What has no result writes none.
fn add(instr: &mut Instr, note: &Note, first: bool, last: bool) {
    if first {
        instr.guard = note.guard.map(|number| Guard { pred: Pred(number), negated: false });
        let read = |&number: &u16| PredOperand::Reg { pred: Pred(number), negated: false };
        instr.pred_srcs.extend(note.reads.iter().map(read));
    }
    let computes = matches!(&instr.op, Op::Traced(traced) if matches!(traced.kind, TracedKind::Compute(_)));
    if last && computes {
        instr.pred_dsts.extend(note.writes.iter().map(|&number| Pred(number)));
    }
}

/// There are at most [`crate::collector`]'s limit of instructions, each in a few parts.
fn pc_of(index: usize) -> Pc {
    Pc(index as u32)
}
