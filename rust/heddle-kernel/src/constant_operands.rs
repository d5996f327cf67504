//! Parameters and constants as operands of instructions instead of registers.
//!
//! PTX loads a parameter into a register and computes with that. The machine code of every generation from Fermi on
//! has arithmetic instructions that take one source from the constant bank, where parameters lie too (CUDA binary
//! utilities, "Instruction Set Reference": `c[bank][offset]`). What is known to hold such a value is read from the bank
//! where an instruction can do that; loads and copies whose results nothing reads any more are left out by the
//! allocator, which [`crate::check_allocation`] allows.
//!
//! **What holds such a value.** A virtual register that on every path was last written, unguarded, by a load of 32 or 64
//! bits, or a vector of such, from one place of the parameter or constant space whose address is known, or by a copy of
//! such a register: facts that go forward over the control-flow graph, of which those that all predecessors of a block
//! agree on hold there.
//!
//! **Which sources.** Those of [`positions`]: the instruction has one field for a constant, so there is one such
//! source, and none beside an immediate other than zero or a special register. Addresses, data of stores and atomics,
//! texture coordinates and what lanes exchange come from registers.

use std::borrow::Cow;
use std::collections::HashMap;

use heddle_isa::{Alu, Constant, Instr, Op, Operand, Program, Space};
use heddle_port::Reg;

use crate::cfg;

/// A 32-bit word of a bank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Word {
    space: Space,
    offset: u32,
}

/// The words of the banks that virtual registers hold at a place in the program.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Known<'a> {
    program: &'a Program,
    words: HashMap<Reg, Word>,
}

/// `program`, which is on virtual registers, with parameters and constants as operands: the same instructions in the
/// same order, some of their sources taken from a bank.
#[must_use]
pub fn with_constant_operands(program: &Program) -> Cow<'_, Program> {
    let mut changed = Cow::Borrowed(program);
    for (block, known) in program.blocks.iter().zip(at_begin_of_blocks(program)) {
        let Some(mut known) = known else { continue };
        for pc in cfg::pcs(block) {
            let instr = &program.instrs[pc.index()];
            if let Some((position, constant)) = known.fitting(instr) {
                changed.to_mut().instrs[pc.index()].srcs[position] = Operand::Constant(constant);
            }
            known.execute(instr);
        }
    }
    changed
}

/// What is known where each block begins; `None` of one that is never reached.
fn at_begin_of_blocks(program: &Program) -> Vec<Option<Known<'_>>> {
    let order = cfg::reverse_post_order(&program.blocks);
    let mut begins: Vec<Option<Known<'_>>> = vec![None; program.blocks.len()];
    begins[0] = Some(Known { program, words: HashMap::new() });
    let mut changed = true;
    while changed {
        changed = false;
        for &index in &order {
            let block = &program.blocks[index];
            let Some(mut known) = begins[index].clone() else { continue };
            for pc in cfg::pcs(block) {
                known.execute(&program.instrs[pc.index()]);
            }
            for &next in &block.successors {
                changed |= match &mut begins[next] {
                    Some(begin) => begin.keep_what_agrees(&known),
                    begin => begin.replace(known.clone()).is_none(),
                };
            }
        }
    }
    begins
}

impl Known<'_> {
    /// Forgets what `other` does not hold too; whether there was something.
    fn keep_what_agrees(&mut self, other: &Self) -> bool {
        let before = self.words.len();
        self.words.retain(|register, word| other.words.get(register) == Some(word));
        self.words.len() < before
    }

    /// Goes on behind `instr`.
    fn execute(&mut self, instr: &Instr) {
        let written = if instr.guard.is_some() { Vec::new() } else { self.written(instr) };
        for (index, &dst) in instr.dsts.iter().enumerate() {
            match written.get(index).copied().flatten() {
                Some(word) => self.words.insert(dst, word),
                None => self.words.remove(&dst),
            };
        }
    }

    /// What `instr` puts into its destinations, as far as it is known.
    fn written(&self, instr: &Instr) -> Vec<Option<Word>> {
        match (&instr.op, instr.srcs.as_slice()) {
            (Op::Ld { space: space @ (Space::Param | Space::Const), ty, .. }, [Operand::Imm(base)]) => {
                let aligned = |offset: &u64| offset.is_multiple_of(u64::from(ty.bytes()));
                let bank = match space {
                    Space::Param => self.program.param_bytes as usize,
                    _ => self.program.constants.bytes.len(),
                };
                let first = base.checked_add_signed(instr.offset.into()).filter(aligned);
                let word = |index: usize| {
                    let offset = first?.checked_add(4 * index as u64)?;
                    let inside = matches!(ty.bits(), 32 | 64) && offset.checked_add(4)? <= bank as u64;
                    let offset = u32::try_from(offset).ok().filter(|_| inside)?;
                    Some(Word { space: *space, offset })
                };
                (0..instr.dsts.len()).map(word).collect()
            }
            (Op::Alu { op: Alu::Mov, ty, .. }, [Operand::Reg(r)]) if ty.bits() == 32 => vec![self.word(*r)],
            (Op::Alu { op: Alu::Mov, ty, .. }, [Operand::Pair(r)]) if ty.bits() == 64 => {
                vec![self.word(*r), self.word(Reg(r.0 + 1))]
            }
            _ => Vec::new(),
        }
    }

    fn word(&self, register: Reg) -> Option<Word> {
        self.words.get(&register).copied()
    }

    /// The bank's place of what `operand` holds.
    fn constant(&self, operand: &Operand) -> Option<Constant> {
        match *operand {
            Operand::Reg(r) => {
                let Word { space, offset } = self.word(r)?;
                Some(Constant { space, offset, words: 1 })
            }
            Operand::Pair(r) => {
                let (low, high) = (self.word(r)?, self.word(Reg(r.0 + 1))?);
                let follows = high == Word { offset: low.offset + 4, ..low } && low.offset.is_multiple_of(8);
                follows.then_some(Constant { space: low.space, offset: low.offset, words: 2 })
            }
            Operand::Imm(_) | Operand::Special(_) | Operand::Constant(_) => None,
        }
    }

    /// The source of `instr` that comes from a bank, if one can.
    fn fitting(&self, instr: &Instr) -> Option<(usize, Constant)> {
        let table = usize::from(matches!(instr.op, Op::Alu { op: Alu::Lop3, .. }));
        let values = &instr.srcs[..instr.srcs.len().saturating_sub(table)];
        let has_field = |o: &Operand| matches!(o, Operand::Reg(_) | Operand::Pair(_) | Operand::Imm(0));
        if !values.iter().all(has_field) {
            return None;
        }
        let found = |&position: &usize| Some((position, self.constant(values.get(position)?)?));
        positions(&instr.op).iter().find_map(found)
    }
}

/// Sources of an operation that may come from a bank, the preferred ones first. Where the field is that of the second
/// source, the first comes from there if the operation commutes, or has a form with its sources exchanged.
fn positions(op: &Op) -> &'static [usize] {
    match op {
        Op::Alu { op, .. } => match op {
            Alu::Mov
            | Alu::Abs
            | Alu::Neg
            | Alu::Not
            | Alu::Cnot
            | Alu::Popc
            | Alu::Clz
            | Alu::Bfind
            | Alu::Brev
            | Alu::Rcp
            | Alu::Sqrt
            | Alu::Rsqrt
            | Alu::Sin
            | Alu::Cos
            | Alu::Ex2
            | Alu::Lg2
            | Alu::Tanh => &[0],
            Alu::Add
            | Alu::Sub
            | Alu::Mul
            | Alu::MulHi
            | Alu::MulWide
            | Alu::Mul24 { .. }
            | Alu::Min
            | Alu::Max
            | Alu::And
            | Alu::Or
            | Alu::Xor => &[1, 0],
            Alu::Mad | Alu::MadHi | Alu::MadWide | Alu::Mad24 { .. } | Alu::Fma | Alu::Sad | Alu::Lop3 => {
                &[1, 0, 2]
            }
            Alu::Shl | Alu::Shr => &[1],
            Alu::Div
            | Alu::Rem
            | Alu::ShfL
            | Alu::ShfR
            | Alu::Bfe
            | Alu::Bfi
            | Alu::Prmt
            | Alu::PrmtMode(_)
            | Alu::Bmsk
            | Alu::Szext
            | Alu::Fns
            | Alu::Dp4a(_)
            | Alu::Dp2a { .. }
            | Alu::Video(_)
            | Alu::Copysign
            | Alu::Pack
            | Alu::Unpack => &[],
        },
        Op::Cvt { .. } | Op::Testp { .. } => &[0],
        Op::Setp { .. } | Op::Set { .. } | Op::Selp { .. } => &[1, 0],
        _ => &[],
    }
}
