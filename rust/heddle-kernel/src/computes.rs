//! Which instructions only compute. Checkers have lists of their own, so that they share nothing with what they check.

use heddle_isa::Op;

/// Whether an instruction writes registers and predicates by what it reads of them, and does nothing else.
pub(crate) fn only_computes(op: &Op) -> bool {
    matches!(
        op,
        Op::Alu { .. }
            | Op::Cvt { .. }
            | Op::Setp { .. }
            | Op::Set { .. }
            | Op::Testp { .. }
            | Op::Selp { .. }
            | Op::Pred { .. }
    )
}
