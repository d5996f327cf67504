//! Every workload on the golden machine, as parsed and as allocated, against its CPU reference.

use crate::run::{Form, Outcome, TestResult, program, run};
use heddle_isa::DeviceMemory;
use heddle_workloads::{CheckFailure, Size, Workload, all, find};

/// Smallest number of registers that the compiler takes.
const FEW: u32 = 16;

fn smoke(workload: &dyn Workload, seed: u64, form: Form) -> TestResult<Outcome> {
    run(workload.ptx(), workload.instance(Size::Smoke, seed)?, form)
}

#[test]
fn every_workload_gives_what_its_reference_gives() -> TestResult {
    for &workload in all() {
        let name = workload.name();
        let fail = |form: Form| move |e| format!("{name}, {form:?}: {e}");
        let parsed = smoke(workload, 1, Form::Parsed).map_err(fail(Form::Parsed))?;
        let checked = parsed.checked?;
        assert!(checked.words > 0, "{name} compared nothing");
        for max_registers in [255, FEW] {
            let form = Form::Allocated { max_registers };
            let allocated = smoke(workload, 1, form).map_err(fail(form))?;
            assert_eq!(allocated.checked?.words, checked.words);
            assert!(
                allocated.memory.regions() == parsed.memory.regions(),
                "{name}, {form:?}: memory differs from that of the program as parsed"
            );
        }
        println!(
            "{name}: {} launches, {} warp instructions, {} words",
            parsed.launches, parsed.warp_instructions, checked.words
        );
    }
    Ok(())
}

#[test]
fn other_seeds_are_other_inputs_and_right_too() -> TestResult {
    let form = Form::Allocated { max_registers: 255 };
    for &workload in all() {
        let (one, two) = (smoke(workload, 1, form)?, smoke(workload, 2, form)?);
        two.checked?;
        assert!(one.memory.regions() != two.memory.regions());
    }
    Ok(())
}

#[test]
fn smoke_runs_are_of_the_size_of_a_smoke_run() -> TestResult {
    for &workload in all() {
        let outcome = smoke(workload, 1, Form::Allocated { max_registers: 255 })?;
        assert!(
            (5_000..60_000).contains(&outcome.warp_instructions),
            "{}: {} warp instructions",
            workload.name(),
            outcome.warp_instructions
        );
    }
    Ok(())
}

#[test]
fn a_wrong_word_fails_the_check() -> TestResult {
    for &workload in all() {
        let mut instance = workload.instance(Size::Smoke, 1)?;
        let mut outcome =
            run(workload.ptx(), workload.instance(Size::Smoke, 1)?, Form::Allocated { max_registers: 255 })?;
        // An instance that was only set up has the same addresses, so it can judge the memory.
        instance.set_up(&mut DeviceMemory::new())?;
        let output = output(workload);
        let region = outcome.memory.regions().iter().find(|r| r.name == output);
        let region = region.ok_or("the output buffer is there")?;
        let last = u64::from(region.start) + region.data.len() as u64 - 4;
        let word = outcome.memory.load(last, 4)?;
        outcome.memory.store(last, 4, word ^ 1)?;
        let failure = instance.check(&outcome.memory).err();
        assert!(
            matches!(failure, Some(CheckFailure::Differs { wrong: 1, .. })),
            "{}: {failure:?}",
            workload.name()
        );
    }
    Ok(())
}

/// Two hundred million warp instructions: run it built with `--release`.
#[test]
#[ignore = "takes minutes"]
fn paper_runs_are_right() -> TestResult {
    for workload in all() {
        let form = Form::Allocated { max_registers: 255 };
        let paper = run(workload.ptx(), workload.instance(Size::Paper, 1)?, form)?;
        let checked = paper.checked?;
        println!(
            "{}: {} launches, {} warp instructions, {} words",
            workload.name(),
            paper.launches,
            paper.warp_instructions,
            checked.words
        );
    }
    Ok(())
}

/// An output buffer of a workload.
fn output(workload: &dyn Workload) -> &'static str {
    match workload.name() {
        "hotspot" => "temperature 0",
        "bfs" => "cost",
        "reduction" => "total",
        "divergence" => "output",
        _ => "c",
    }
}

#[test]
fn small_runs_are_right_and_ten_times_a_smoke_run() -> TestResult {
    for &workload in all() {
        let form = Form::Allocated { max_registers: 255 };
        let smoke = smoke(workload, 1, form)?.warp_instructions;
        let small = run(workload.ptx(), workload.instance(Size::Small, 1)?, form)?;
        small.checked?;
        let ratio = small.warp_instructions / smoke;
        assert!((8..31).contains(&ratio), "{}: {ratio}", workload.name());
        println!("{}: {} warp instructions in size small", workload.name(), small.warp_instructions);
    }
    Ok(())
}

#[test]
fn kernels_have_the_registers_of_the_real_compiler() -> TestResult {
    // Registers as ptxas reports them for sm_75; ours may take a quarter more and four.
    let real = [
        ("vectoradd", "vectoradd", 12),
        ("hotspot", "hotspot", 26),
        ("bfs", "bfs_expand", 22),
        ("reduction", "reduction", 10),
        ("divergence", "divergence", 42),
    ];
    for (name, entry, registers) in real {
        let (file, text) = find(name)?.ptx();
        let allocated = program(file, text, entry, Form::Allocated { max_registers: 255 })?;
        let limit = registers + registers / 4 + 4;
        let found = allocated.num_regs;
        assert!(found <= limit, "{entry}: {found} registers, ptxas {registers}");
        println!("{entry}: {found} registers, ptxas {registers}");
    }
    Ok(())
}
