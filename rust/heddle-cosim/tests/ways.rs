//! Both policies of CERF with other associativities than four: each is an elaboration of its own.

use heddle_config::Override;
use heddle_cosim::Session;
use heddle_workloads::Size;

use crate::common;

#[test]
fn sets_of_two_and_of_eight_ways_run_kernels() {
    for design in ["cerf", "cerf-fair"] {
        let mut cycles = Vec::new();
        for ways in [2_u32, 8] {
            for kernel in ["reduction", "bfs"] {
                let folder = tempfile::tempdir().expect("temporary folder");
                let mut spec = common::cosim(design, kernel, Size::Smoke, &folder);
                spec.overrides.push(Override { key: "register_file.ways".into(), value: ways.to_string() });
                let report = Session::new(spec)
                    .and_then(|mut session| session.run(&mut ()))
                    .unwrap_or_else(|e| panic!("{design} {ways} ways {kernel}: {e}"));
                assert!(report.ok && report.operands_compared > 0, "{design} {ways} {kernel}");
                assert_eq!(report.parameters["ways"], ways, "{design} {kernel}");
                cycles.push(report.cycles);
            }
        }
        assert_ne!(cycles[..2], cycles[2..], "{design}: the ways change nothing");
    }
}
