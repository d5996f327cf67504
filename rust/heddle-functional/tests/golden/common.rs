//! Small programs for the golden machine, one source line an instruction.

use std::sync::Arc;

use heddle_functional::{Golden, GoldenError};
use heddle_isa::{
    Alu, AtomicOp, BarrierKind, CacheOp, Cmp, ConstantBank, Declared, DeviceMemory, FenceLevel, Guard, Instr,
    KernelLaunch, Loc, Mods, Op, Operand, Pc, Pred, Program, SourceFile, Space, Special, Type,
};
use heddle_port::Reg;

pub const TID: Operand = Operand::Special(Special::Tid(0));
pub const LANE: Operand = Operand::Special(Special::LaneId);
pub const WARP: Operand = Operand::Special(Special::WarpId);
pub const CTA: Operand = Operand::Special(Special::Ctaid(0));

pub fn r(n: u32) -> Operand {
    Operand::Reg(Reg(n))
}

pub fn imm(value: u64) -> Operand {
    Operand::Imm(value)
}

/// A program under construction.
#[derive(Default)]
pub struct Builder {
    instrs: Vec<Instr>,
    text: String,
    local_bytes: u32,
    declared: Declared,
    shared_bytes: u32,
}

impl Builder {
    /// Appends an instruction whose source line is `line`.
    pub fn op(&mut self, line: &str, op: Op, dsts: &[u32], srcs: &[Operand]) -> &mut Self {
        let number = self.instrs.len() as u32 + 1;
        let mut instr = Instr::new(op, Loc { line: number, column: 1 });
        instr.dsts = dsts.iter().map(|&d| Reg(d)).collect();
        instr.srcs = srcs.iter().copied().collect();
        self.instrs.push(instr);
        self.text.push_str(line);
        self.text.push('\n');
        self
    }

    pub fn alu(&mut self, op: Alu, dst: u32, srcs: &[Operand]) -> &mut Self {
        let line = format!("{op:?} R{dst}");
        let op = Op::Alu { op, ty: Type::U32, mods: Mods::default() };
        self.op(&line, op, &[dst], srcs)
    }

    pub fn setp(&mut self, cmp: Cmp, pred: u16, a: Operand, b: Operand) -> &mut Self {
        let op = Op::Setp { cmp, ty: Type::U32, ftz: false, combine: None };
        self.op("setp", op, &[], &[a, b]);
        self.last().pred_dsts.push(Pred(pred));
        self
    }

    pub fn ld(&mut self, space: Space, dst: u32, address: Operand) -> &mut Self {
        let line = format!("ld.{space:?} R{dst}");
        let op = Op::Ld { space, ty: Type::U32, vector: 1, cache: CacheOp::Ca };
        self.op(&line, op, &[dst], &[address])
    }

    pub fn st(&mut self, space: Space, address: Operand, value: Operand) -> &mut Self {
        let line = format!("st.{space:?} line {}", self.instrs.len() + 1);
        let op = Op::St { space, ty: Type::U32, vector: 1, cache: CacheOp::Ca };
        self.op(&line, op, &[], &[address, value])
    }

    pub fn atom_add(&mut self, space: Space, dst: &[u32], address: Operand, value: Operand) -> &mut Self {
        let op = Op::Atom { space, op: AtomicOp::Add, ty: Type::U32 };
        self.op("atom.add", op, dst, &[address, value])
    }

    pub fn bra(&mut self, target: u32, reconvergence: Option<u32>) -> &mut Self {
        let op = Op::Bra { target: Pc(target), reconvergence: reconvergence.map(Pc) };
        self.op("bra", op, &[], &[])
    }

    pub fn bar(&mut self) -> &mut Self {
        self.barrier(BarrierKind::Sync, &[imm(0)])
    }

    /// A barrier: its number, and how many threads take part.
    pub fn barrier(&mut self, kind: BarrierKind, operands: &[Operand]) -> &mut Self {
        self.op("bar", Op::Bar { kind }, &[], operands)
    }

    pub fn fence(&mut self) -> &mut Self {
        let op = Op::Fence { level: FenceLevel::Gpu };
        self.op("membar.gl", op, &[], &[])
    }

    pub fn exit(&mut self) -> &mut Self {
        self.op("exit", Op::Exit, &[], &[])
    }

    /// Number of the next instruction.
    pub fn len(&self) -> u32 {
        self.instrs.len() as u32
    }

    /// Sets target and reconvergence of the branch `at`.
    pub fn patch(&mut self, at: u32, target: u32, reconvergence: u32) {
        self.instrs[at as usize].op = Op::Bra { target: Pc(target), reconvergence: Some(Pc(reconvergence)) };
    }

    /// Guards the last instruction with a predicate.
    pub fn when(&mut self, pred: u16, negated: bool) -> &mut Self {
        self.last().guard = Some(Guard { pred: Pred(pred), negated });
        self
    }

    pub fn offset(&mut self, offset: i32) -> &mut Self {
        self.last().offset = offset;
        self
    }

    pub fn last(&mut self) -> &mut Instr {
        self.instrs.last_mut().expect("an instruction")
    }

    pub fn shared(&mut self, bytes: u32) -> &mut Self {
        self.shared_bytes = bytes;
        self
    }

    pub fn local(&mut self, bytes: u32) -> &mut Self {
        self.local_bytes = bytes;
        self
    }

    pub fn declare(&mut self, declared: Declared) -> &mut Self {
        self.declared = declared;
        self
    }

    pub fn program(&self) -> Arc<Program> {
        Arc::new(Program {
            name: "test".to_owned(),
            source: Arc::new(SourceFile::new("test.ptx", self.text.clone())),
            instrs: self.instrs.clone(),
            blocks: Vec::new(),
            num_regs: 16,
            num_preds: 4,
            allocated: true,
            params: Vec::new(),
            param_bytes: 0,
            shared_bytes: self.shared_bytes,
            local_bytes: self.local_bytes,
            constants: ConstantBank::default(),
            globals: Vec::new(),
            declared: self.declared,
        })
    }
}

pub fn launch(ctas: u32, threads: u32) -> KernelLaunch {
    KernelLaunch { grid: [ctas, 1, 1], block: [threads, 1, 1], ..KernelLaunch::default() }
}

/// Address of the buffer `out` in [`memory`].
pub const OUT: u32 = 0x1000_0000;

/// Memory with one buffer `out` of `words` words, written with zeros.
pub fn memory(words: u32) -> DeviceMemory {
    let mut memory = DeviceMemory::new();
    let address = memory.allocate("out", words * 4).expect("room");
    assert_eq!(address, OUT);
    memory.write_bytes(address, &vec![0; words as usize * 4]).expect("inside");
    memory
}

/// Runs the program on `ctas` CTAs of `threads` threads, and returns the words of `out`.
pub fn run(b: &Builder, ctas: u32, threads: u32, words: u32) -> Result<Vec<u32>, GoldenError> {
    let mut golden = Golden::new(b.program(), &launch(ctas, threads), memory(words))?;
    golden.run_all(0..u64::from(ctas), Some(100_000))?;
    let bytes = golden.memory().read_bytes(OUT, words * 4).expect("inside");
    Ok(bytes.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect())
}

/// R0 = OUT + 4 * (threads of a CTA * CTA + thread), the thread's word of `out`.
pub fn own_word(b: &mut Builder, threads: u32) -> &mut Builder {
    b.alu(Alu::Mov, 0, &[TID]).alu(Alu::Mad, 0, &[CTA, imm(threads.into()), r(0)]).alu(
        Alu::Mad,
        0,
        &[r(0), imm(4), imm(OUT.into())],
    )
}
