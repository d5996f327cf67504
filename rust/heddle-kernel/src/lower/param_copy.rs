//! Copies of parameters in local memory, for programs that take their address.

use heddle_isa::{CacheOp, Op, Operand as IrOperand, Space, Type};

use super::symbols::{Storage, Symbol};
use super::{Lowered, Lowering, frame};
use crate::ast::{Instruction, Variable, VariableSpace, Word};
use crate::span::Span;

impl Lowering<'_> {
    /// Copies the kernel's parameters to local memory where something takes their generic address.
    pub(super) fn copy_params(&mut self) {
        let Some(copy) = self.frame.param_copy else {
            return;
        };
        let mut at = 0;
        while at < self.frame.param_bytes {
            let ty = if self.frame.param_bytes - at >= 4 { Type::B32 } else { Type::B8 };
            let word = Word { text: String::new(), span: Span::default() };
            let Ok(Storage::Reg(value)) = self.symbols.fresh(ty, &word) else {
                return;
            };
            let mut load =
                self.new_instr(Op::Ld { space: Space::Param, ty, vector: 1, cache: CacheOp::default() });
            load.dsts.push(value);
            load.srcs.push(IrOperand::Imm(at.into()));
            let mut store =
                self.new_instr(Op::St { space: Space::Local, ty, vector: 1, cache: CacheOp::default() });
            store.srcs.extend([IrOperand::Imm((copy + at).into()), IrOperand::Reg(value)]);
            self.emit(load);
            self.emit(store);
            at += ty.bytes();
        }
    }

    /// What stands for the parameter `formal` of a function whose value is in `symbol`: a copy in local
    /// memory where the function takes its address (PTX ISA, `mov`: "the parameter will be copied onto the
    /// stack and the address will be in the local state space").
    pub(super) fn copy_argument(&mut self, formal: &Variable, symbol: Symbol, span: Span) -> Lowered<Symbol> {
        let place = self.frame.offsets.get(&formal.name.span.start);
        let (Symbol::CallParam(id), Some(&copy)) = (symbol, place) else {
            return Ok(symbol);
        };
        // Every word, whether a store of it stands before the call in the text or not.
        for at in (0..self.call_params[id].bytes).step_by(4) {
            if u64::from(at) >= frame::copied_bytes(formal) {
                break;
            }
            let word = self.param_word(id, at, span)?;
            let cache = CacheOp::default();
            let mut store = self.new_instr(Op::St { space: Space::Local, ty: Type::B32, vector: 1, cache });
            store.srcs.extend([IrOperand::Imm(u64::from(copy) + u64::from(at)), IrOperand::Reg(word)]);
            self.emit(store);
        }
        Ok(Symbol::Variable(VariableSpace::Local, copy))
    }

    /// Where an access to `space` goes: the parameters of a function that have an address are in local
    /// memory.
    pub(super) fn param_space(&self, space: Space, i: &Instruction) -> Space {
        let of_kernel = self.calls.is_empty() || i.modifiers.iter().any(|m| m.text == "param::entry");
        if space == Space::Param && !of_kernel { Space::Local } else { space }
    }
}
