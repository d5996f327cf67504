//! Real kernels, as nvcc wrote them: they compile, the allocation is proved, and the registers they
//! take are near those of the real compiler.

mod common;

use common::nvcc_files;
use heddle_kernel::{AllocOptions, allocate_traced, check_allocation, compile, lower, parse};

#[test]
fn every_kernel_is_allocated_right_at_every_limit() {
    let mut reads = 0;
    for (file, text) in nvcc_files() {
        let name = file.display().to_string();
        let module = parse(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        for program in lower(&module).unwrap_or_else(|e| panic!("{e}")) {
            for max_registers in [16, 17, 20, 24, 32, 48, 64, 255] {
                let allocation = allocate_traced(&program, AllocOptions { max_registers })
                    .unwrap_or_else(|e| panic!("{name}: {e}"));
                assert!(allocation.program.num_regs <= max_registers);
                let checked = check_allocation(&program, &allocation)
                    .unwrap_or_else(|e| panic!("{name} with {max_registers}: {e}"));
                reads += checked.reads;
            }
        }
    }
    assert!(reads > 10_000, "only {reads} reads were checked");
}

/// Registers that ptxas 13.0 gives the same kernels for sm_75, `-O3`. It schedules and unrolls, which
/// costs it registers (matrixmul) or saves some; this compiler keeps the order of the text.
#[test]
fn register_counts_are_near_those_of_the_real_compiler() {
    let real = [
        ("vectoradd", 12),
        ("bfs_expand", 22),
        ("bfs_advance", 7),
        ("hotspot", 26),
        ("reduction", 10),
        ("k_math", 24),
        ("k_int", 34),
        ("k_atom", 24),
        ("k_shared", 18),
        ("k_small", 18),
        ("k_ctrl", 11),
    ];
    let mut found = 0;
    for (file, text) in nvcc_files() {
        let module = parse(&file.display().to_string(), &text).unwrap_or_else(|e| panic!("{e}"));
        for program in lower(&module).unwrap_or_else(|e| panic!("{e}")) {
            let Some((_, wanted)) = real.iter().find(|(n, _)| *n == program.name) else {
                continue;
            };
            let ours = heddle_kernel::allocate(&program, AllocOptions::default())
                .unwrap_or_else(|e| panic!("{e}"))
                .num_regs;
            assert!(ours <= wanted + 6, "{}: {ours} registers, ptxas takes {wanted}", program.name);
            found += 1;
        }
    }
    assert_eq!(found, real.len(), "kernels are missing");
}

#[test]
fn a_large_kernel_compiles_in_good_time() {
    let mut body = String::new();
    for i in 0..4000 {
        body.push_str(&format!(
            "add.s32 %r{}, %r{}, {i};\nmul.lo.s32 %r{}, %r{}, %r{};\n",
            i % 200,
            (i * 7 + 3) % 200,
            (i * 13) % 200,
            i % 200,
            (i * 5 + 1) % 200
        ));
        if i % 50 == 49 {
            body.push_str(&format!("setp.lt.s32 %p0, %r{}, 9;\n@%p0 bra L{i};\nL{i}:\n", i % 200));
        }
    }
    for i in 0..200 {
        body.push_str(&format!("st.shared.u32 [out+{}], %r{i};\n", i * 4));
    }
    let text = format!(
        ".version 8.5\n.target sm_75\n.address_size 64\n.entry k() {{\n.reg .pred %p<2>;\n.reg .b32 %r<200>;\n\
         .shared .b8 out[1024];\n{body}ret;\n}}\n"
    );
    let start = std::time::Instant::now();
    for max_registers in [32, 255] {
        compile("large.ptx", &text, None, AllocOptions { max_registers }).unwrap_or_else(|e| panic!("{e}"));
    }
    let seconds = start.elapsed().as_secs_f64();
    assert!(seconds < 20.0, "took {seconds} s");
}

#[test]
fn options_are_checked() {
    let text = common::kernel("");
    for max_registers in [0, 15, 256] {
        let error = compile("k.ptx", &text, None, AllocOptions { max_registers }).expect_err("a bad limit");
        assert!(error.to_string().contains("expected 16 to 255"), "{error}");
    }
    let compiled = compile("k.ptx", &text, Some("k"), AllocOptions::default()).expect("a good kernel");
    let error =
        heddle_kernel::allocate(&compiled.allocated, AllocOptions::default()).expect_err("allocated twice");
    assert!(error.to_string().contains("already allocated"), "{error}");
}
