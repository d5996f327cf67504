//! Random kernels: the allocation of each is proved at several limits.

use heddle_kernel::{AllocOptions, allocate_traced, check_allocation, lower, parse};
use heddle_kernelgen::{GenOptions, generate};

#[test]
fn random_kernels_are_allocated_right() {
    let mut spilled = 0;
    for seed in 0..120 {
        let text = generate(seed, &GenOptions::varied(seed)).ptx();
        let module = parse("generated.ptx", &text).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let program = lower(&module).unwrap_or_else(|e| panic!("seed {seed}: {e}")).remove(0);
        for max_registers in [16, 28, 255] {
            let allocation = allocate_traced(&program, AllocOptions { max_registers })
                .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            check_allocation(&program, &allocation).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            spilled += usize::from(allocation.program.local_bytes > program.local_bytes);
        }
    }
    assert!(spilled > 20, "only {spilled} allocations spilled");
}
