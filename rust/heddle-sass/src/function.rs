//! From a graph to a program for each function.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use heddle_isa::{
    Block, ConstantBank, Instr, Loc, Op, Operand, Pc, Program, SourceFile, Space, Traced, TracedAccess,
    TracedKind,
};
use heddle_trace::opcodes::{Class, cache_operator, fence_level, memory_bytes};

use crate::ARCHITECTURES;
use crate::architecture::infer;
use crate::dot::{At, Cluster, parse};
use crate::error::{Fault, Place, SassError};
use crate::flow::Blocks;
use crate::instruction::Instruction;
use crate::registers::{self, Registers};
use crate::texture;

/// A function of a graph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Function {
    /// Its instructions, those that can be reached from the first one, in the order of the text. Its source is their
    /// listing.
    pub program: Program,
    /// The architecture whose opcodes it is taken to have.
    pub architecture: u32,
    /// Instructions that are left out since no way leads to them.
    pub unreached: usize,
    /// It calls functions or returns, and so shares registers with others by an agreement that the graph does not show.
    pub shares_registers: bool,
}

/// Reads the functions of a graph, in the order of the text. Without an architecture, the oldest is taken that has the
/// addresses and knows the opcodes of all functions.
///
/// # Errors
/// [`SassError`] with the place in the text.
pub fn read(file: &str, text: &str, architecture: Option<u32>) -> Result<Vec<Function>, SassError> {
    functions(file, text, architecture).map_err(|(at, fault)| {
        let (line, column) = heddle_files::line_and_column(text, at);
        SassError { at: Place { file: file.to_owned(), line, column }, fault }
    })
}

fn functions(file: &str, text: &str, architecture: Option<u32>) -> At<Vec<Function>> {
    let clusters = parse(text)?;
    let names: HashSet<&str> = clusters.iter().flat_map(|c| &c.nodes).map(|n| n.name).collect();
    let ends = clusters.iter().flat_map(|c| &c.edges).flat_map(|e| [e.from, e.to]);
    if let Some(end) = ends.into_iter().find(|end| !names.contains(end.node)) {
        return Err((end.at, Fault::UnknownNode { node: end.node.to_owned() }));
    }
    let read = clusters.iter().map(Blocks::new).collect::<At<Vec<Blocks<'_>>>>()?;
    let all = read.iter().flat_map(|b| &b.instructions);
    let architecture = architecture.unwrap_or_else(|| infer(all.clone()));
    if !ARCHITECTURES.contains(&architecture) {
        return Err((0, Fault::Architecture { architecture }));
    }
    let mut functions = Vec::new();
    for (cluster, blocks) in clusters.iter().zip(&read).filter(|(_, b)| !b.instructions.is_empty()) {
        let flow = blocks.flow(&cluster.edges, architecture)?;
        let kept = reached(&flow);
        blocks.check_branches(&cluster.edges, &kept, architecture)?;
        functions.push(function(file, name(cluster), &blocks.instructions, &flow, &kept, architecture)?);
    }
    if functions.is_empty() { Err((0, Fault::Empty)) } else { Ok(functions) }
}

/// The name of a function: that of its cluster, or else of its first block.
fn name<'a>(cluster: &Cluster<'a>) -> &'a str {
    let first = cluster.nodes.first().map_or("", |n| n.name);
    let first = first.strip_prefix(".text.").unwrap_or(first);
    cluster.name.strip_prefix("cluster_").filter(|name| !name.is_empty()).unwrap_or(first)
}

/// The function of its instructions, of which those in `kept` are reached, by what may follow each.
fn function(
    file: &str,
    name: &str,
    instructions: &[Instruction],
    flow: &[Vec<usize>],
    kept: &[usize],
    architecture: u32,
) -> At<Function> {
    let place: HashMap<usize, usize> = kept.iter().copied().zip(0..).collect();
    let flow: Vec<Vec<usize>> =
        kept.iter().map(|&i| flow[i].iter().map(|next| place[next]).collect()).collect();
    let (mut instrs, mut listing, mut num_regs) = (Vec::with_capacity(kept.len()), String::new(), 0);
    let mut shares_registers = false;
    for (number, (&index, next)) in (1_u32..).zip(kept.iter().zip(&flow)) {
        let instruction = &instructions[index];
        let found = registers::of(instruction, architecture).map_err(|fault| (instruction.at, fault))?;
        let named = found.sources.iter().chain(&found.destinations);
        num_regs = named.map(|r| r.0 + 1).fold(num_regs, u32::max);
        shares_registers |= calls(instruction) || instruction.base() == "RET";
        if let Some(address) = instruction.address {
            listing.push_str(&format!("{address:04x} "));
        }
        listing.push_str(&instruction.text());
        listing.push('\n');
        instrs.push(instr(instruction, found, next, number));
    }
    let program = Program {
        name: name.to_owned(),
        source: Arc::new(SourceFile::new(format!("{file} (instructions)"), listing)),
        blocks: Block::of_flow(&flow),
        instrs,
        num_regs,
        num_preds: 0,
        allocated: true,
        params: Vec::new(),
        param_bytes: 0,
        shared_bytes: 0,
        local_bytes: 0,
        constants: ConstantBank::default(),
        globals: Vec::new(),
        declared: heddle_isa::Declared::default(),
    };
    Ok(Function { program, architecture, unreached: instructions.len() - kept.len(), shares_registers })
}

/// The instructions that the first one leads to, and itself, ascending.
fn reached(flow: &[Vec<usize>]) -> Vec<usize> {
    let mut reached = vec![false; flow.len()];
    let mut ways = vec![0];
    while let Some(index) = ways.pop() {
        if !std::mem::replace(&mut reached[index], true) {
            ways.extend(&flow[index]);
        }
    }
    (0..flow.len()).filter(|&index| reached[index]).collect()
}

fn calls(instruction: &Instruction) -> bool {
    matches!(instruction.base(), "CAL" | "JCAL" | "CALL")
}

fn instr(instruction: &Instruction, found: Registers, next: &[usize], line: u32) -> Instr {
    let traced = Traced {
        kind: kind(instruction, found.row.class),
        next: next.iter().map(|&index| Pc(index as u32)).collect(),
        partial: instruction.guard.is_some() || found.part,
        calls: calls(instruction),
        wide: found.wide,
    };
    let mut instr = Instr::new(Op::Traced(Box::new(traced)), Loc { line, column: 1 });
    instr.dsts.extend(found.destinations);
    instr.srcs.extend(found.sources.into_iter().map(Operand::Reg));
    instr
}

/// What an instruction does, as far as the passes ask: whether its result comes late.
fn kind(instruction: &Instruction, class: Class) -> TracedKind {
    let opcode = &instruction.opcode;
    let memory =
        |access, space, bytes| TracedKind::Memory { access, space, bytes, cache: cache_operator(opcode) };
    match class {
        Class::Compute(_) if texture::is_fetch(instruction) => {
            memory(TracedAccess::Load, Space::Global, memory_bytes(opcode))
        }
        Class::Compute(unit) => TracedKind::Compute(unit),
        Class::Memory(access, space) => memory(access, space, memory_bytes(opcode)),
        Class::Matrix => memory(TracedAccess::Load, Space::Shared, 16),
        Class::Fence => TracedKind::Fence(fence_level(opcode)),
        Class::Barrier | Class::Branch | Class::Control | Class::Exit => TracedKind::Control,
    }
}
