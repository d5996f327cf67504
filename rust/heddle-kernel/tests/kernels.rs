//! Real kernels, as nvcc wrote them: they compile, and the allocation is proved at every limit.

use heddle_kernel::{AllocOptions, allocate_traced, check_allocation, compile, lower, parse};

use crate::common;
use crate::common::nvcc_files;

#[test]
fn every_kernel_is_allocated_right_at_every_limit() {
    let mut reads = 0;
    for (file, text) in nvcc_files() {
        let name = file.display().to_string();
        let module = parse(&name, &text).unwrap_or_else(|e| panic!("{e}"));
        for program in lower(&module).unwrap_or_else(|e| panic!("{e}")) {
            for max_registers in [10, 13, 16, 17, 20, 24, 32, 64, 255] {
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

#[test]
fn a_large_kernel_compiles_in_good_time() {
    let mut body = String::new();
    for i in 0..5000 {
        body.push_str(&format!(
            "add.s32 %r{}, %r{}, {i};\nmul.lo.s32 %r{}, %r{}, %r{};\n",
            i % 240,
            (i * 7 + 3) % 240,
            (i * 13) % 240,
            i % 240,
            (i * 5 + 1) % 240
        ));
        if i % 10 == 9 {
            let target = if i % 100 == 99 { i - 50 } else { i };
            body.push_str(&format!("setp.lt.s32 %p0, %r{}, 9;\n@%p0 bra L{target};\nL{i}:\n", i % 240));
        }
    }
    for i in 0..240 {
        body.push_str(&format!("st.shared.u32 [out+{}], %r{i};\n", i * 4));
    }
    let text = format!(
        ".version 8.5\n.target sm_75\n.address_size 64\n.entry k() {{\n.reg .pred %p<2>;\n.reg .b32 %r<240>;\n\
         .shared .b8 out[1024];\n{body}ret;\n}}\n"
    );
    for max_registers in [16, 32, 255] {
        let start = std::time::Instant::now();
        let compiled = compile("large.ptx", &text, None, AllocOptions { max_registers });
        let compiled = compiled.unwrap_or_else(|e| panic!("{e}"));
        let seconds = start.elapsed().as_secs_f64();
        assert!(compiled.parsed.instrs.len() > 10_000);
        assert!(seconds < 20.0, "took {seconds} s with {max_registers} registers");
    }
}

#[test]
fn options_are_checked() {
    let text = common::kernel("");
    for max_registers in [0, 9, 256] {
        let error = compile("k.ptx", &text, None, AllocOptions { max_registers }).expect_err("a bad limit");
        assert!(error.to_string().contains("expected 10 to 255"), "{error}");
    }
    let compiled = compile("k.ptx", &text, Some("k"), AllocOptions::default()).expect("a good kernel");
    let error =
        heddle_kernel::allocate(&compiled.allocated, AllocOptions::default()).expect_err("allocated twice");
    assert!(error.to_string().contains("already allocated"), "{error}");
}
