//! Hand-written programs.

use std::sync::Arc;

use heddle_isa::{
    Alu, AtomicOp, BarrierKind, CacheOp, Cmp, ConstantBank, DeviceMemory, Executable, Guard, Instr, Interval,
    IntervalId, Intervals, KernelLaunch, Loc, Mods, Op, Operand, Pc, Pred, Program, RegSet, SourceFile,
    Space, Special, Type,
};
use heddle_port::Reg;
use heddle_sm::CtaChoice;

use crate::machine::{FixedTime, Run, preset};

/// Collects instructions; instruction n stands in line n + 1 of the source.
#[derive(Debug, Default)]
pub struct Asm {
    pub instrs: Vec<Instr>,
    pub shared_bytes: u32,
    pub local_bytes: u32,
}

pub fn r(n: u32) -> Operand {
    Operand::Reg(Reg(n))
}

pub fn imm(value: u32) -> Operand {
    Operand::Imm(u64::from(value))
}

pub const TID: Operand = Operand::Special(Special::Tid(0));
pub const CTAID: Operand = Operand::Special(Special::Ctaid(0));

impl Asm {
    pub fn pc(&self) -> Pc {
        Pc(self.instrs.len() as u32)
    }

    pub fn push(&mut self, op: Op) -> &mut Instr {
        let loc = Loc { line: self.instrs.len() as u32 + 1, column: 1 };
        self.instrs.push(Instr::new(op, loc));
        self.instrs.last_mut().expect("just pushed")
    }

    /// `Rd = op(a, b, ...)` on u32.
    pub fn alu(&mut self, op: Alu, d: u32, srcs: &[Operand]) -> &mut Instr {
        self.alu_of(op, Type::U32, d, srcs)
    }

    pub fn alu_of(&mut self, op: Alu, ty: Type, d: u32, srcs: &[Operand]) -> &mut Instr {
        let i = self.push(Op::Alu { op, ty, mods: Mods::default() });
        i.dsts.push(Reg(d));
        i.srcs.extend_from_slice(srcs);
        i
    }

    pub fn setp(&mut self, cmp: Cmp, p: u16, a: Operand, b: Operand) {
        let i = self.push(Op::Setp { cmp, ty: Type::U32, ftz: false, combine: None });
        i.pred_dsts.push(Pred(p));
        i.srcs.extend_from_slice(&[a, b]);
    }

    pub fn load(&mut self, space: Space, d: u32, address: Operand, offset: i32) -> &mut Instr {
        let i = self.push(Op::Ld { space, ty: Type::U32, vector: 1, cache: CacheOp::Ca });
        i.dsts.push(Reg(d));
        i.srcs.push(address);
        i.offset = offset;
        i
    }

    pub fn store(&mut self, space: Space, address: Operand, offset: i32, value: Operand) -> &mut Instr {
        let i = self.push(Op::St { space, ty: Type::U32, vector: 1, cache: CacheOp::Ca });
        i.srcs.extend_from_slice(&[address, value]);
        i.offset = offset;
        i
    }

    pub fn atomic(&mut self, space: Space, d: Option<u32>, address: Operand, value: Operand) {
        let i = self.push(Op::Atom { space, op: AtomicOp::Add, ty: Type::U32 });
        i.dsts.extend(d.map(Reg));
        i.srcs.extend_from_slice(&[address, value]);
    }

    pub fn branch(&mut self, guard: Option<(u16, bool)>, target: Pc, reconvergence: Option<Pc>) {
        let i = self.push(Op::Bra { target, reconvergence });
        i.guard = guard.map(|(p, negated)| Guard { pred: Pred(p), negated });
    }

    pub fn barrier(&mut self, id: u8) {
        self.push(Op::Bar { kind: BarrierKind::Sync }).srcs.push(imm(id.into()));
    }

    pub fn exit(&mut self) -> &mut Instr {
        self.push(Op::Exit)
    }

    /// Sets the target and reconvergence of the branch at `pc`.
    pub fn patch(&mut self, pc: Pc, to: Pc, meet: Option<Pc>) {
        if let Op::Bra { target, reconvergence } = &mut self.instrs[pc.index()].op {
            *target = to;
            *reconvergence = meet;
        }
    }

    /// The program with as many registers as it names, and 8 predicates.
    pub fn executable(self) -> Executable {
        let registers = self.instrs.iter().flat_map(|i| {
            let sources: Vec<_> = i.source_regs().into_iter().collect();
            sources.into_iter().chain(i.dsts.iter().copied().collect::<Vec<_>>())
        });
        let num_regs = registers.map(|reg| reg.0 + 1).max().unwrap_or(1);
        let text: String = (1..=self.instrs.len()).map(|n| format!("line {n};\n")).collect();
        let dead_sources = vec![0; self.instrs.len()];
        let program = Program {
            name: "test".to_owned(),
            source: Arc::new(SourceFile::new("test.ptx", text)),
            instrs: self.instrs,
            blocks: Vec::new(),
            num_regs,
            num_preds: 8,
            allocated: true,
            params: Vec::new(),
            param_bytes: 0,
            shared_bytes: self.shared_bytes,
            local_bytes: self.local_bytes,
            constants: ConstantBank::default(),
            globals: Vec::new(),
            declared: heddle_isa::Declared::default(),
        };
        Executable {
            program: Arc::new(program),
            intervals: None,
            prefetches: Vec::new(),
            dead_sources,
            levels: None,
        }
    }
}

/// Intervals by first instruction and registers; each goes on to the next one's first instruction.
pub fn with_intervals(mut executable: Executable, parts: &[(u32, &[usize])]) -> Executable {
    let mut intervals = Vec::new();
    let mut of_pc = vec![IntervalId(0); executable.program.instrs.len()];
    for (n, (first, registers)) in parts.iter().enumerate() {
        let id = IntervalId(n as u16);
        of_pc[*first as usize..].fill(id);
        let mut working_set = RegSet::ZERO;
        for &register in *registers {
            working_set.set(register, true);
        }
        intervals.push(Interval { id, header: Pc(*first), working_set });
    }
    executable.prefetches = intervals.iter().map(|interval| interval.header).collect();
    executable.intervals = Some(Intervals { intervals, of_pc, limit: 16 });
    executable
}

/// A launch of `ctas` CTAs of `threads` threads.
pub fn launch(ctas: u32, threads: u32) -> KernelLaunch {
    KernelLaunch { grid: [ctas, 1, 1], block: [threads, 1, 1], ..KernelLaunch::default() }
}

/// Memory with one zeroed buffer of `words` words, and its address.
pub fn buffer(words: u32) -> (DeviceMemory, u32) {
    let mut memory = DeviceMemory::new();
    let address = memory.allocate("out", words * 4).expect("room");
    memory.write_bytes(address, &vec![0; words as usize * 4]).expect("inside");
    (memory, address)
}

pub fn words(memory: &DeviceMemory, address: u32, count: u32) -> Vec<u32> {
    let bytes = memory.read_bytes(address, count * 4).expect("inside");
    bytes.chunks(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect()
}

/// A run on the Maxwell preset with a register file of 3 cycles.
pub fn run(executable: Executable, launch: &KernelLaunch, memory: DeviceMemory) -> Run<'_> {
    Run {
        preset: preset(),
        executable: Arc::new(executable),
        launch,
        memory,
        ctas: CtaChoice::All,
        design: FixedTime::new(3, 2),
        hang_limit: 5_000,
    }
}

/// R0 = global thread number (CTA of `threads` threads), R1 = address of the thread's word of `out`.
pub fn prologue(asm: &mut Asm, threads: u32, out: u32) {
    asm.alu(Alu::Mov, 2, &[CTAID]);
    asm.alu(Alu::Mov, 3, &[TID]);
    asm.alu(Alu::Mad, 0, &[r(2), imm(threads), r(3)]);
    asm.alu(Alu::Mad, 1, &[r(0), imm(4), imm(out)]);
}
