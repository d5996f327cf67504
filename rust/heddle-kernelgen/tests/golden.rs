//! Random kernels on the golden machine: as parsed, as allocated, and with sixteen registers, where
//! most of them spill, with operands of a bank and with loads early, they leave the same memory. What the compiler declares dead nobody reads, and
//! register-intervals form and pass their checker.

mod common;

use std::ops::Range;
use std::sync::Arc;

use common::execute;
use heddle_isa::{Alu, Executable, Op, Operand};
use heddle_kernel::alloc::MAX_PREDICATES;
use heddle_kernel::{AllocOptions, CompileOptions, compile};
use heddle_kernelgen::{GenOptions, GeneratedKernel, generate, shrink};
use heddle_passes::{DesignNeeds, build_executable};

/// The seeds that are tried: 0 to 79, or what `HEDDLE_SEEDS=FIRST..END` says.
fn seeds() -> Range<u64> {
    let given = std::env::var("HEDDLE_SEEDS").ok();
    let range = given.as_deref().and_then(|s| s.split_once(".."));
    range.and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?)).unwrap_or(0..80)
}

/// Compares the memories that a kernel leaves; the warp instructions executed, or what is wrong.
fn agree(kernel: &GeneratedKernel, break_it: impl Fn(&mut Executable)) -> Result<u64, String> {
    let ptx = kernel.ptx();
    let compiled = |max_registers, constant_operands, early_loads| {
        let options =
            CompileOptions { alloc: AllocOptions { max_registers }, constant_operands, early_loads };
        compile("generated.ptx", &ptx, None, options).map_err(|e| format!("{max_registers} registers: {e}"))
    };
    let parsed = Arc::new(compiled(255, true, 64)?.parsed);
    let (expected, instructions) = execute(kernel, parsed, Vec::new()).map_err(|e| format!("parsed: {e}"))?;
    // Another limit for each seed, from the smallest to where few kernels spill.
    let other = u32::try_from(10 + kernel.seed * 7 % 55).unwrap_or(10);
    for (max_registers, limit, constants, early) in [
        (255, None, false, 0),
        (255, Some(16), true, 0),
        (255, None, false, 32),
        (255, None, true, 255),
        (24, Some(32), false, 0),
        (16, Some(16), false, 0),
        (16, None, true, 16),
        (other, None, false, 0),
    ] {
        let fail = |e: String| {
            format!(
                "{max_registers} registers, intervals of {limit:?}, operands of a bank {constants}, loads early \
                 with {early}: {e}"
            )
        };
        let allocated = compiled(max_registers, constants, early)?.allocated;
        if allocated.num_regs > max_registers || u32::from(allocated.num_preds) > MAX_PREDICATES {
            return Err(fail(format!(
                "{} registers, {} predicates",
                allocated.num_regs, allocated.num_preds
            )));
        }
        let needs = DesignNeeds { intervals: limit, ..DesignNeeds::default() };
        let mut executable = build_executable(Arc::new(allocated), needs).map_err(|e| fail(e.to_string()))?;
        break_it(&mut executable);
        let (memory, _) = execute(kernel, executable.program, executable.dead_sources).map_err(fail)?;
        if memory.regions() != expected.regions() {
            return Err(fail("memory differs".into()));
        }
    }
    Ok(instructions)
}

/// Seeds of 40 in which a fault is found, each shrunk to a kernel with `wanted` in its text.
fn found_with(break_it: impl Fn(&mut Executable), wanted: &str) -> usize {
    let mut found = 0;
    for seed in 0..40 {
        let kernel = generate(seed, &GenOptions::varied(seed));
        if agree(&kernel, &break_it).is_ok() {
            continue;
        }
        let small = shrink(&kernel, |k| agree(k, &break_it).is_err());
        assert!(agree(&small, |_| {}).is_ok(), "seed {seed}");
        assert!(small.ptx().contains(wanted), "seed {seed}:\n{}", small.ptx());
        assert!(small.statements() <= 4, "seed {seed}:\n{}", small.ptx());
        found += 1;
    }
    found
}

#[test]
fn random_kernels_leave_the_same_memory_before_and_after_allocation() {
    let seeds = seeds();
    let mut total = 0;
    for seed in seeds.clone() {
        let kernel = generate(seed, &GenOptions::varied(seed));
        match agree(&kernel, |_| {}) {
            Ok(instructions) => total += instructions,
            Err(message) => {
                let small = shrink(&kernel, |k| agree(k, |_| {}).is_err());
                let again = agree(&small, |_| {}).err().unwrap_or(message);
                panic!("seed {seed}, shrunk: {again}\n{}", small.ptx());
            }
        }
    }
    println!("seeds {seeds:?}: {total} warp instructions");
    let seeds = seeds.end.saturating_sub(seeds.start);
    assert!(seeds > 0 && total > 500 * seeds, "{seeds} seeds, {total} warp instructions");
}

#[test]
fn more_predicates_than_the_hardware_has_leave_the_same_memory() {
    for seed in 0..24 {
        let options = GenOptions { preds: 12, ..GenOptions::varied(seed) };
        agree(&generate(seed, &options), |_| {}).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
    }
}

#[test]
fn a_wrong_operation_is_found_and_shrunk() {
    // A compiler that takes every maximum for a minimum.
    let found = found_with(
        |executable| {
            for instr in &mut Arc::make_mut(&mut executable.program).instrs {
                if let Op::Alu { op, .. } = &mut instr.op
                    && *op == Alu::Max
                {
                    *op = Alu::Min;
                }
            }
        },
        "max.",
    );
    assert!(found >= 5, "{found} of 40 kernels show it");
}

#[test]
fn a_wrong_place_in_a_bank_is_found() {
    // A compiler that takes the word before each constant, the word after the first.
    let found = found_with(
        |executable| {
            for operand in Arc::make_mut(&mut executable.program).instrs.iter_mut().flat_map(|i| &mut i.srcs)
            {
                if let Operand::Constant(constant) = operand {
                    constant.offset = constant.offset.checked_sub(4).unwrap_or(4);
                }
            }
        },
        "ld.",
    );
    assert!(found >= 5, "{found} of 40 kernels show it");
}

#[test]
fn a_wrong_dead_bit_is_found_and_shrunk() {
    // A pass that calls the first source of every maximum dead.
    let found = found_with(
        |executable| {
            let Executable { program, dead_sources, .. } = executable;
            for (instr, dead) in program.instrs.iter().zip(dead_sources) {
                if matches!(instr.op, Op::Alu { op: Alu::Max, .. }) {
                    *dead |= 1;
                }
            }
        },
        "max.",
    );
    assert!(found >= 5, "{found} of 40 kernels show it");
}
