//! Programs without PTX: instructions, blocks and reconvergence points.

use std::sync::Arc;

use heddle_isa::{
    Alu, Block, CacheOp, Cmp, ConstantBank, Guard, Instr, Intervals, Loc, Mods, Op, Operand, Pc, Pred,
    Program, SourceFile, Space, Type,
};
use heddle_port::Reg;

/// A source register.
pub fn reg(r: u32) -> Operand {
    Operand::Reg(Reg(r))
}

/// Adds the sources to the destination registers.
pub fn alu(dsts: &[u32], srcs: &[Operand]) -> Instr {
    let mut instr =
        Instr::new(Op::Alu { op: Alu::Add, ty: Type::U32, mods: Mods::default() }, Loc::default());
    instr.dsts = dsts.iter().map(|&r| Reg(r)).collect();
    instr.srcs = srcs.iter().copied().collect();
    instr
}

/// `mov dst, value`.
pub fn mov(dst: u32, value: u64) -> Instr {
    alu(&[dst], &[Operand::Imm(value)])
}

/// An instruction that only reads registers.
pub fn read(regs: &[u32]) -> Instr {
    let srcs: Vec<Operand> = regs.iter().map(|&r| reg(r)).collect();
    alu(&[], &srcs)
}

/// `ld.local dst, [address]`.
pub fn load(dst: u32, address: u32) -> Instr {
    let op = Op::Ld { space: Space::Local, ty: Type::U32, vector: 1, cache: CacheOp::Ca };
    let mut instr = Instr::new(op, Loc::default());
    instr.dsts.push(Reg(dst));
    instr.srcs.push(reg(address));
    instr
}

/// `setp pred, a, b`.
pub fn setp(pred: u16, cmp: Cmp, a: u32, b: u32) -> Instr {
    let mut instr = Instr::new(Op::Setp { cmp, ty: Type::U32, ftz: false, combine: None }, Loc::default());
    instr.pred_dsts.push(Pred(pred));
    instr.srcs.extend([reg(a), reg(b)]);
    instr
}

/// `bra target`.
pub fn bra(target: u32) -> Instr {
    Instr::new(Op::Bra { target: Pc(target), reconvergence: None }, Loc::default())
}

/// `exit`.
pub fn exit() -> Instr {
    Instr::new(Op::Exit, Loc::default())
}

/// The instruction under a guard.
pub fn when(pred: u16, negated: bool, mut instr: Instr) -> Instr {
    instr.guard = Some(Guard { pred: Pred(pred), negated });
    instr
}

/// A program of these instructions with its blocks and with immediate post-dominators as reconvergence
/// points. Instruction `pc` stands in line `pc + 1` of the text.
pub fn program(instrs: Vec<Instr>) -> Program {
    let mut instrs = instrs;
    for (line, instr) in (1..).zip(&mut instrs) {
        instr.loc = Loc { line, column: 1 };
    }
    let edges: Vec<Vec<usize>> = (0..instrs.len()).map(|pc| successors(&instrs, pc)).collect();
    for (pc, instr) in instrs.iter_mut().enumerate() {
        if let (Op::Bra { reconvergence, .. }, Some(_)) = (&mut instr.op, instr.guard) {
            *reconvergence = post_dominator(&edges, pc);
        }
    }
    let text: Vec<String> = (0..instrs.len()).map(|pc| format!("instruction {pc};")).collect();
    Program {
        name: "test".to_owned(),
        source: Arc::new(SourceFile::new("test.ptx", text.join("\n"))),
        blocks: blocks(&instrs, &edges),
        num_regs: 255,
        num_preds: 8,
        allocated: true,
        params: Vec::new(),
        param_bytes: 0,
        shared_bytes: 0,
        local_bytes: 0,
        constants: ConstantBank::default(),
        globals: Vec::new(),
        declared: heddle_isa::Declared::default(),
        instrs,
    }
}

/// Where a lane can go from `pc`.
pub fn successors(instrs: &[Instr], pc: usize) -> Vec<usize> {
    let guarded = instrs[pc].guard.is_some();
    let mut out = Vec::new();
    match instrs[pc].op {
        Op::Bra { target, .. } => out.push(target.index()),
        Op::Exit => {}
        _ => return vec![pc + 1],
    }
    if guarded && !out.contains(&(pc + 1)) {
        out.push(pc + 1);
    }
    out
}

/// Whether some instruction without a way on, or an exit, can be reached from `from` without `avoid`.
fn reaches_exit(edges: &[Vec<usize>], exits: &[bool], from: usize, avoid: usize) -> bool {
    let mut seen = vec![false; edges.len()];
    let mut pending = vec![from];
    while let Some(pc) = pending.pop() {
        if pc == avoid || std::mem::replace(&mut seen[pc], true) {
            continue;
        }
        if exits[pc] {
            return true;
        }
        pending.extend(&edges[pc]);
    }
    false
}

/// The first instruction through which every way from `branch` to an exit goes, by trying each.
fn post_dominator(edges: &[Vec<usize>], branch: usize) -> Option<Pc> {
    let exits: Vec<bool> = edges.iter().map(Vec::is_empty).collect();
    if !reaches_exit(edges, &exits, branch, usize::MAX) {
        return None;
    }
    let on_every_way: Vec<bool> =
        (0..edges.len()).map(|c| c != branch && !reaches_exit(edges, &exits, branch, c)).collect();
    let mut seen = vec![false; edges.len()];
    let mut pending = vec![branch];
    while let Some(pc) = pending.pop() {
        if on_every_way[pc] {
            return Some(Pc(u32::try_from(pc).expect("small program")));
        }
        if !std::mem::replace(&mut seen[pc], true) {
            pending.extend(&edges[pc]);
        }
    }
    None
}

/// The basic blocks of instructions with these edges.
pub fn blocks(instrs: &[Instr], edges: &[Vec<usize>]) -> Vec<Block> {
    let mut leader = vec![false; instrs.len() + 1];
    leader[0] = true;
    for (pc, instr) in instrs.iter().enumerate() {
        if matches!(instr.op, Op::Bra { .. } | Op::Exit) {
            leader[pc + 1] = true;
            for &to in &edges[pc] {
                leader[to] = true;
            }
        }
    }
    let firsts: Vec<usize> = (0..instrs.len()).filter(|&pc| leader[pc]).collect();
    let block_of = |pc: usize| firsts.partition_point(|&f| f <= pc) - 1;
    let mut blocks: Vec<Block> = firsts
        .iter()
        .enumerate()
        .map(|(b, &first)| {
            let end = firsts.get(b + 1).copied().unwrap_or(instrs.len());
            Block {
                first: Pc(u32::try_from(first).expect("small program")),
                len: u32::try_from(end - first).expect("small program"),
                successors: edges[end - 1].iter().map(|&to| block_of(to)).collect(),
                predecessors: Vec::new(),
            }
        })
        .collect();
    for b in 0..blocks.len() {
        for s in blocks[b].successors.clone() {
            blocks[s].predecessors.push(b);
        }
    }
    blocks
}

/// Per interval, in order: its pcs and its registers.
pub fn shape(intervals: &Intervals) -> Vec<(Vec<usize>, Vec<usize>)> {
    intervals
        .intervals
        .iter()
        .map(|interval| {
            let pcs = (0..intervals.of_pc.len()).filter(|&pc| intervals.of_pc[pc] == interval.id);
            (pcs.collect(), interval.working_set.iter_ones().collect())
        })
        .collect()
}
