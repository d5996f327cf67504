//! How much of the register file and of the L1D is in use.

use heddle_cosim::{Engine, Kernel, RunReport, RunSpec, Session};
use heddle_workloads::Size;

use crate::common;

fn run(design: &str, sms: u32) -> RunReport {
    let folder = tempfile::tempdir().expect("temporary folder");
    let kernel = Kernel::Workload { name: "matrixmul".to_owned(), size: Size::Smoke };
    let mut spec = RunSpec::new(common::root(), design, kernel, Engine::Sim);
    (spec.results, spec.sms) = (folder.path().to_owned(), sms);
    Session::new(spec)
        .and_then(|mut session| session.run(&mut ()))
        .unwrap_or_else(|e| panic!("{design}: {e}"))
}

/// 128 KB of registers are 1,024 warp registers, the 16 KB of L1D beside them 128 lines.
#[test]
fn separate_memories_have_registers_and_lines() {
    for sms in [1, 2] {
        let report = run("baseline-4-groups", sms);
        let held = report.statistics["data_use.live_register_cycles"]
            + report.statistics["memory.l1.valid_line_cycles"];
        let room = (1024 + 128) * report.cycles * u64::from(sms);
        let share = report.on_chip_utilisation.expect("the SM has both");
        assert!(held > 0 && (share - held as f64 / room as f64).abs() < 1e-12, "{sms} SMs: {share}");
    }
}

/// One memory of 128 KB, of which registers and L1D are parts.
#[test]
fn a_divided_memory_has_one_size() {
    let report = run("unified-rf", 1);
    let held =
        report.statistics["data_use.live_register_cycles"] + report.statistics["memory.l1.valid_line_cycles"];
    let share = report.on_chip_utilisation.expect("it has both");
    assert!(held > 0 && (share - held as f64 / (1024 * report.cycles) as f64).abs() < 1e-12, "{share}");
}

#[test]
fn an_integrated_memory_has_entries() {
    let report = run("cerf", 1);
    let held = report.events["register_entries"] + report.events["line_entries"];
    let share = report.on_chip_utilisation.expect("the design has both");
    assert!(held > 0 && (share - held as f64 / (1024 * report.cycles) as f64).abs() < 1e-12, "{share}");
    assert_eq!(run("ucm", 1).on_chip_utilisation, None, "its lines are in a cache of the design");
}
