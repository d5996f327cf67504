//! Instructions that give the same value whenever a thread executes them.

use std::collections::HashMap;

use heddle_isa::{Alu, Instr, Op, Operand, Program, Space};

use super::facts::Location;

/// Such an instruction: operation, sources, offset and number of results.
type Constant = (Op, Vec<Operand>, i32, usize);

/// The constants of a program, and the location that stands for the first result of each. It holds
/// every virtual register that surely has that value.
pub(super) struct Constants {
    locations: HashMap<Constant, Location>,
}

impl Constants {
    /// The constants of `program`, with locations from `first` on.
    pub(super) fn of(program: &Program, mut first: Location) -> Self {
        let mut locations = HashMap::new();
        for instr in &program.instrs {
            if let Some(constant) = constant(instr) {
                locations.entry(constant).or_insert_with(|| {
                    first += 2;
                    first - 2
                });
            }
        }
        Self { locations }
    }

    /// The location of the first result of `instr`, if it is a constant of the program.
    pub(super) fn location(&self, instr: &Instr) -> Option<Location> {
        self.locations.get(&constant(instr)?).copied()
    }
}

fn constant(instr: &Instr) -> Option<Constant> {
    let from_nothing = match instr.op {
        Op::Alu { op: Alu::Mov, .. } => true,
        Op::Ld { space, .. } => matches!(space, Space::Param | Space::Const),
        _ => false,
    };
    let is_constant = from_nothing
        && instr.guard.is_none()
        && instr.pred_dsts.is_empty()
        && instr.pred_srcs.is_empty()
        && instr.dsts.len() <= 2
        && instr.srcs.iter().all(is_constant_operand);
    is_constant.then(|| (instr.op.clone(), instr.srcs.to_vec(), instr.offset, instr.dsts.len()))
}

/// Immediates, values of a bank, and special registers that do not change as long as the thread lives.
fn is_constant_operand(operand: &Operand) -> bool {
    match operand {
        Operand::Imm(_) | Operand::Constant(_) => true,
        Operand::Special(special) => special.is_constant(),
        _ => false,
    }
}
