//! What prefetches in the code cost a design that does not prefetch.

use heddle_config::Override;
use heddle_cosim::{Engine, Kernel, RunReport, RunSpec, Session};
use heddle_workloads::Size;

use crate::common;

/// `sgemm` on an SM with 4 KB of instruction cache.
fn run(design: &str, changes: &[(&str, &str)]) -> RunReport {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kernel = Kernel::Workload { name: "sgemm".to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Sim);
    (spec.results, spec.preset) = (folder.path().to_owned(), Some("maxwell".to_owned()));
    let size = ("instruction_cache.bytes", "4096");
    for (key, value) in [size].iter().chain(changes) {
        spec.overrides.push(Override { key: (*key).into(), value: (*value).into() });
    }
    Session::new(spec)
        .and_then(|mut session| session.run(&mut ()))
        .unwrap_or_else(|e| panic!("{design}: {e}"))
}

#[test]
fn prefetches_in_all_code_take_their_place_and_do_nothing() {
    let (all, instruction) =
        (("instruction_cache.prefetch_code", "all"), ("instruction_cache.prefetch_instruction", "true"));
    let small = ("register_file.registers_per_interval", "8");
    let runs = [&[][..], &[all], &[all, instruction], &[all, small]].map(|changes| run("baseline", changes));
    let bytes = runs.each_ref().map(|run| run.statistics["memory.instructions.bytes"]);
    assert!(bytes[0] < bytes[1] && bytes[1] < bytes[2] && bytes[1] < bytes[3], "{bytes:?}");
    for run in &runs {
        assert_eq!((run.prefetches, run.warp_instructions), (0, runs[0].warp_instructions));
    }
    // The code of a design that prefetches has them anyway.
    let prefetching = [&[][..], &[all], &[all, instruction]].map(|changes| run("ltrf", changes));
    let cycles = prefetching.each_ref().map(|run| run.cycles);
    assert!(cycles[0] == cycles[1] && cycles[1] != cycles[2], "{cycles:?}");
    assert!(prefetching[0].prefetches > 0);
}
