//! From the list of instructions to a program: labels, unreachable code, control flow, zeros at entry.

use heddle_isa::{Op, Param, Pc, Program};

use super::declared::declared;
use super::layout::ModuleLayout;
use super::{Lowered, Lowering};
use crate::ast::Function;
use crate::cfg;
use crate::diagnostic::{Diagnostic, DiagnosticKind};
use crate::initialise::initialise;

pub(super) fn program(
    lowering: Lowering<'_>,
    layout: &ModuleLayout<'_>,
    function: &Function,
    params: Vec<Param>,
    param_bytes: u32,
) -> Lowered<Program> {
    let mut instrs = lowering.instrs;
    let targets: Vec<Pc> =
        lowering.labels.iter().map(|at| Pc(u32::try_from(at.unwrap_or(0)).unwrap_or(u32::MAX))).collect();
    for instr in &mut instrs {
        if let Op::Bra { target, .. } = &mut instr.op {
            *target = targets[target.index()];
        }
    }
    cfg::shorten_branches(&mut instrs);
    let mut program = Program {
        name: function.name.text.clone(),
        source: lowering.module.source.clone(),
        instrs,
        blocks: Vec::new(),
        num_regs: lowering.symbols.num_regs(),
        num_preds: lowering.symbols.num_preds(),
        allocated: false,
        params,
        param_bytes,
        shared_bytes: lowering.frame.shared_bytes,
        local_bytes: lowering.frame.local_bytes,
        constants: layout.constants.clone(),
        globals: layout.globals.clone(),
        declared: declared(function)?,
    };
    cfg::refresh(&mut program);
    if !crate::alloc::can_be_analysed(&program) {
        let message = format!("kernel '{}' has too many registers and blocks to be analysed", program.name);
        return Err(Diagnostic::new(DiagnosticKind::OutOfRange, function.name.span, message));
    }
    Ok(initialise(program))
}
