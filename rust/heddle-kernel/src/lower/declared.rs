//! What the directives between a kernel's parameters and its body say of its launches.

use heddle_isa::{Declared, MAX_BLOCK, MAX_BLOCK_THREADS, threads_of};

use super::Lowered;
use crate::ast::{Function, Word};
use crate::diagnostic::{Diagnostic, DiagnosticKind};

pub(super) fn declared(function: &Function) -> Lowered<Declared> {
    let mut declared = Declared::default();
    for (word, numbers) in &function.directives {
        match word.text.as_str() {
            "reqntid" => declared.block = Some(required(word, numbers)?),
            "maxntid" => declared.threads = Some(threads_of(dimensions(word, numbers)?)),
            "maxnreg" => match numbers[..] {
                [registers] if (1..=u64::from(u32::MAX)).contains(&registers) => {
                    declared.registers = u32::try_from(registers).ok();
                }
                _ => return Err(wrong(word, "one number of registers, at least 1")),
            },
            _ => {}
        }
        if declared.block.is_some() && declared.threads.is_some() {
            let message = "a kernel cannot have both .reqntid and .maxntid";
            let fault = Diagnostic::new(DiagnosticKind::Syntax, word.span, message);
            return Err(fault.help("expected one of them: .reqntid says all that .maxntid does"));
        }
    }
    Ok(declared)
}

/// The numbers of a directive as the dimensions of a block; those left out are 1.
fn dimensions(word: &Word, numbers: &[u64]) -> Lowered<[u32; 3]> {
    let given = numbers.iter().map(|&n| u32::try_from(n).ok().filter(|&n| n > 0));
    let fits = (1..=3).contains(&numbers.len());
    let given: Option<Vec<u32>> = given.collect::<Option<Vec<_>>>().filter(|_| fits);
    let given = given.ok_or_else(|| wrong(word, "one to three numbers of threads, each at least 1"))?;
    let mut block = [1; 3];
    block[..given.len()].copy_from_slice(&given);
    Ok(block)
}

/// The dimensions that each block is to have, which a block can have.
fn required(word: &Word, numbers: &[u64]) -> Lowered<[u32; 3]> {
    let block = dimensions(word, numbers)?;
    let fits = block.iter().zip(MAX_BLOCK).all(|(&n, most)| u64::from(n) <= most);
    if fits && threads_of(block) <= MAX_BLOCK_THREADS {
        return Ok(block);
    }
    let message = format!(".reqntid asks for blocks of {block:?} threads, which no launch can have");
    Err(Diagnostic::new(DiagnosticKind::OutOfRange, word.span, message).help(format!(
        "expected at most {MAX_BLOCK_THREADS} threads in all, and at most {MAX_BLOCK:?} in x, y and z"
    )))
}

fn wrong(word: &Word, expected: &str) -> Diagnostic {
    let message = format!("the numbers of .{} are no limit", word.text);
    Diagnostic::new(DiagnosticKind::OutOfRange, word.span, message).help(format!("expected {expected}"))
}
