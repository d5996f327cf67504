//! Random kernels on the golden machine: as parsed, as allocated, and with sixteen registers, where
//! most of them spill, they leave the same memory.

use std::ops::Range;
use std::sync::Arc;

use heddle_functional::Golden;
use heddle_isa::{DeviceMemory, Program};
use heddle_kernel::{AllocOptions, compile};
use heddle_kernelgen::{GenOptions, GeneratedKernel, generate, shrink};

/// Warp instructions after which a kernel counts as one that does not end.
const LIMIT: u64 = 5_000_000;

/// The seeds that are tried: 0 to 149, or what `HEDDLE_SEEDS=FIRST..END` says.
fn seeds() -> Range<u64> {
    let given = std::env::var("HEDDLE_SEEDS").ok();
    let range = given.as_deref().and_then(|s| s.split_once(".."));
    range.and_then(|(first, end)| Some(first.parse().ok()?..end.parse().ok()?)).unwrap_or(0..150)
}

/// The final memory of `program`, and how many warp instructions it took.
fn execute(kernel: &GeneratedKernel, program: Program) -> Result<(DeviceMemory, u64), String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let mut memory = DeviceMemory::new();
    let mut instance = kernel.instance();
    instance.set_up(&mut memory).map_err(|e| text(&e))?;
    let launch = instance.next_launch(&mut memory).map_err(|e| text(&e))?;
    let launch = launch.ok_or("a generated kernel has one launch")?.launch;
    let mut golden = Golden::new(Arc::new(program), &launch, memory).map_err(|e| text(&e))?;
    let summary = golden.run_all(0..launch.num_ctas(), Some(LIMIT)).map_err(|e| text(&e))?;
    Ok((golden.into_memory(), summary.warp_instructions))
}

/// Compares the memories that a kernel leaves; the warp instructions executed, or what is wrong.
fn agree(kernel: &GeneratedKernel, break_it: impl Fn(&mut Program)) -> Result<u64, String> {
    let ptx = kernel.ptx();
    let compiled = |max_registers| {
        compile("generated.ptx", &ptx, None, AllocOptions { max_registers })
            .map_err(|e| format!("{max_registers} registers: {e}"))
    };
    let parsed = compiled(255)?.parsed;
    let (expected, instructions) = execute(kernel, parsed).map_err(|e| format!("parsed: {e}"))?;
    for max_registers in [255, 24, 16] {
        let mut allocated = compiled(max_registers)?.allocated;
        if allocated.num_regs > max_registers {
            return Err(format!("{} of {max_registers} registers", allocated.num_regs));
        }
        break_it(&mut allocated);
        let (memory, _) =
            execute(kernel, allocated).map_err(|e| format!("allocated, {max_registers} registers: {e}"))?;
        if memory.regions() != expected.regions() {
            return Err(format!("memory differs with {max_registers} registers"));
        }
    }
    Ok(instructions)
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
    assert!(total > 100_000, "{total} warp instructions");
}

#[test]
fn a_wrong_allocation_is_found_and_shrunk() {
    use heddle_isa::{Alu, Op};
    // A compiler that takes every maximum for a minimum.
    let break_it = |program: &mut Program| {
        for instr in &mut program.instrs {
            if let Op::Alu { op, .. } = &mut instr.op
                && *op == Alu::Max
            {
                *op = Alu::Min;
            }
        }
    };
    let mut found = 0;
    for seed in 0..40 {
        let kernel = generate(seed, &GenOptions::varied(seed));
        if agree(&kernel, break_it).is_ok() {
            continue;
        }
        let small = shrink(&kernel, |k| agree(k, break_it).is_err());
        assert!(agree(&small, |_| {}).is_ok(), "seed {seed}");
        assert!(small.ptx().contains("max."), "seed {seed}:\n{}", small.ptx());
        assert!(small.statements() <= 4, "seed {seed}:\n{}", small.ptx());
        found += 1;
    }
    assert!(found >= 5, "{found} of 40 kernels show it");
}
