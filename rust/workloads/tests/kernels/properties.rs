//! What must hold for every workload.

use std::ops::Range;

use heddle_workloads::{Size, Workload};

use crate::memory::loaded;
use crate::run::{Form, Outcome, TestResult, run};

/// Smallest number of registers that the compiler takes.
const FEW: u32 = 16;
/// As many registers as there are.
const ALL: Form = Form::Allocated { max_registers: 255 };
/// Warp instructions of a smoke run: a co-simulation of it takes about a second.
const SMOKE: Range<u64> = 4_000..120_000;
/// Warp instructions of a small run.
const SMALL: Range<u64> = 100_000..1_000_000;

fn outcome(workload: &dyn Workload, size: Size, seed: u64, form: Form) -> TestResult<Outcome> {
    let name = workload.name();
    run(workload.ptx(), workload.instance(size, seed)?, form)
        .map_err(|e| format!("{name}, {size}, {form:?}: {e}").into())
}

/// Every form gives the reference's result, and the same memory; the run is of the size it should be.
fn right_in_every_form(
    workload: &dyn Workload,
    size: Size,
    few: &[u32],
    instructions: Range<u64>,
) -> TestResult {
    let parsed = outcome(workload, size, 1, Form::Parsed)?;
    let checked = parsed.checked?;
    if checked.words == 0 {
        return Err("compared nothing".into());
    }
    for &max_registers in few {
        let form = Form::Allocated { max_registers };
        let allocated = outcome(workload, size, 1, form)?;
        let words = allocated.checked.map_err(|e| format!("{form:?}: {e}"))?.words;
        if words != checked.words || allocated.memory.regions() != parsed.memory.regions() {
            return Err(format!("{form:?}: memory differs from that of the program as parsed").into());
        }
    }
    println!(
        "{}, {size}: {} launches, {} warp instructions, {} words",
        workload.name(),
        parsed.launches,
        parsed.warp_instructions,
        checked.words
    );
    if !instructions.contains(&parsed.warp_instructions) {
        let count = parsed.warp_instructions;
        return Err(format!("{count} warp instructions in {size}, expected {instructions:?}").into());
    }
    Ok(())
}

pub(crate) fn smoke_is_right(workload: &'static dyn Workload) -> TestResult {
    right_in_every_form(workload, Size::Smoke, &[255, FEW], SMOKE)
}

pub(crate) fn small_is_right(workload: &'static dyn Workload) -> TestResult {
    right_in_every_form(workload, Size::Small, &[255], SMALL)
}

pub(crate) fn paper_is_right(workload: &'static dyn Workload) -> TestResult {
    let paper = outcome(workload, Size::Paper, 1, ALL)?;
    let words = paper.checked?.words;
    println!(
        "{}, paper: {} launches, {} warp instructions, {words} words",
        workload.name(),
        paper.launches,
        paper.warp_instructions
    );
    Ok(())
}

pub(crate) fn other_seeds(workload: &'static dyn Workload) -> TestResult {
    let one = outcome(workload, Size::Smoke, 1, ALL)?;
    let two = outcome(workload, Size::Smoke, 2, ALL)?;
    two.checked?;
    if one.memory.regions() == two.memory.regions() {
        return Err("seeds 1 and 2 leave the same memory".into());
    }
    Ok(())
}

/// A word with a wrong exponent, in the last word of any one buffer that the run wrote, is seen; so is
/// one in most of these buffers' words, which are compared.
pub(crate) fn wrong_word_is_seen(workload: &'static dyn Workload) -> TestResult {
    let mut outcome = outcome(workload, Size::Smoke, 1, ALL)?;
    // An instance that was only set up has the same addresses, so it can judge the memory.
    let mut judge = workload.instance(Size::Smoke, 1)?;
    let mut before = loaded(workload)?;
    judge.set_up(&mut before)?;
    judge.check(&outcome.memory)?;
    let written: Vec<(String, u64)> = outcome
        .memory
        .regions()
        .iter()
        .filter(|r| r.data.len() >= 4 && !before.regions().contains(r))
        .map(|r| (r.name.to_string(), u64::from(r.start) + (r.data.len() as u64 / 4 - 1) * 4))
        .collect();
    let mut seen = Vec::new();
    for (name, last) in &written {
        let word = outcome.memory.load(*last, 4)?;
        outcome.memory.store(*last, 4, word ^ 0x4041_4141)?;
        if judge.check(&outcome.memory).is_err() {
            seen.push(name);
        }
        outcome.memory.store(*last, 4, word)?;
    }
    if seen.is_empty() {
        return Err(format!("no fault was seen in any of {written:?}").into());
    }
    println!("{}: {} of {} written buffers are compared", workload.name(), seen.len(), written.len());
    Ok(())
}
