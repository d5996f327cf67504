//! From the list of instructions to a program: labels, unreachable code, control flow, zeros at entry.

use heddle_isa::{Declared, Op, Param, Pc, Program};

use super::layout::ModuleLayout;
use super::{Lowered, Lowering};
use crate::ast::{Function, Word};
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

/// What the directives between a kernel's parameters and its body say of its launches.
fn declared(function: &Function) -> Lowered<Declared> {
    let mut declared = Declared::default();
    for (word, numbers) in &function.directives {
        let dimensions = || -> Lowered<[u32; 3]> {
            let mut block = [1; 3];
            let given = numbers.iter().map(|&n| u32::try_from(n).ok().filter(|&n| n > 0));
            let fits = (1..=3).contains(&numbers.len());
            let given: Option<Vec<u32>> = given.collect::<Option<Vec<_>>>().filter(|_| fits);
            let given =
                given.ok_or_else(|| wrong(word, "one to three numbers of threads, each at least 1"))?;
            block[..given.len()].copy_from_slice(&given);
            Ok(block)
        };
        match word.text.as_str() {
            "reqntid" => declared.block = Some(dimensions()?),
            "maxntid" => {
                let threads = dimensions()?.iter().fold(1_u64, |all, &n| all.saturating_mul(n.into()));
                declared.threads = Some(threads);
            }
            "maxnreg" => match numbers[..] {
                [registers] if (1..=u64::from(u32::MAX)).contains(&registers) => {
                    declared.registers = u32::try_from(registers).ok();
                }
                _ => return Err(wrong(word, "one number of registers, at least 1")),
            },
            _ => {}
        }
    }
    Ok(declared)
}

fn wrong(word: &Word, expected: &str) -> Diagnostic {
    let message = format!("the numbers of .{} are no limit", word.text);
    Diagnostic::new(DiagnosticKind::OutOfRange, word.span, message).help(format!("expected {expected}"))
}
