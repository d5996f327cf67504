//! The checker of orders against execution: instructions of random kernels change places at random, and whatever the
//! checker accepts leaves the memory that the program as parsed leaves.

mod common;

use std::sync::Arc;

use common::execute;
use heddle_kernel::{Ordered, cfg, check_order, lower, parse};
use heddle_kernelgen::{GenOptions, generate};
use heddle_workloads::random::SplitMix64;

/// Exchanges neighbours in blocks of the program, `tries` times; those that the checker refuses are taken back.
fn shuffled(ordered: &mut Ordered, tries: usize, random: &mut SplitMix64, refused: &mut usize) {
    let program = ordered.program.clone();
    for _ in 0..tries {
        let at = random.below(program.instrs.len() as u32 - 1) as usize;
        ordered.program.instrs.swap(at, at + 1);
        ordered.origins.swap(at, at + 1);
        if check_order(&program, ordered).is_err() {
            ordered.program.instrs.swap(at, at + 1);
            ordered.origins.swap(at, at + 1);
            *refused += 1;
        }
    }
}

#[test]
fn whatever_the_checker_of_orders_accepts_leaves_the_same_memory() {
    let (mut refused, mut changed) = (0, 0);
    for seed in 0..60 {
        let kernel = generate(seed, &GenOptions::varied(seed));
        let module = parse("generated.ptx", &kernel.ptx()).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let parsed = lower(&module).unwrap_or_else(|e| panic!("seed {seed}: {e}")).remove(0);
        let (expected, _) = execute(&kernel, Arc::new(parsed.clone()), Vec::new())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let origins = parsed.blocks.iter().flat_map(cfg::pcs).collect();
        let mut ordered = Ordered { program: parsed.clone(), origins };
        let tries = 4 * parsed.instrs.len();
        shuffled(&mut ordered, tries, &mut SplitMix64::new(seed, 0), &mut refused);
        changed += ordered.program.instrs.iter().zip(&parsed.instrs).filter(|(a, b)| a != b).count();
        let (memory, _) = execute(&kernel, Arc::new(ordered.program), Vec::new())
            .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        assert!(memory.regions() == expected.regions(), "seed {seed}: memory differs");
    }
    println!("{changed} instructions in another place, {refused} exchanges refused");
    assert!(changed > 1000 && refused > 1000, "{changed} in another place, {refused} refused");
}
