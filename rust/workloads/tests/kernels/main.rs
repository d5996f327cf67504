//! Every workload, and kernels of users, through the compiler and the golden machine: one test for each
//! workload and property, so that `cargo test --test kernels bfs` runs those of one workload.

mod addresses;
mod faults;
mod launches;
mod memory;
mod own_ptx;
mod properties;
mod run;

use std::process::ExitCode;

use heddle_workloads::{Workload, all};
use libtest_mimic::{Arguments, Trial, run};

use crate::run::TestResult;

/// A property that every workload has.
struct Property {
    name: &'static str,
    /// Takes too long for every run of the tests.
    long: bool,
    holds: fn(&'static dyn Workload) -> TestResult,
}

const PROPERTIES: &[Property] = &[
    Property { name: "smoke_is_right_in_every_form", long: false, holds: properties::smoke_is_right },
    Property { name: "other_seeds_are_right_too", long: false, holds: properties::other_seeds },
    Property { name: "a_wrong_word_is_seen", long: false, holds: properties::wrong_word_is_seen },
    Property { name: "planted_faults_are_seen", long: false, holds: faults::planted_faults_are_seen },
    Property { name: "small_is_right_in_every_form", long: false, holds: properties::small_is_right },
    Property { name: "paper_is_right", long: true, holds: properties::paper_is_right },
];

fn main() -> ExitCode {
    let mut trials = Vec::new();
    for &workload in all() {
        for property in PROPERTIES {
            let name = format!("{}::{}", workload.name(), property.name);
            let holds = property.holds;
            let trial = Trial::test(name, move || holds(workload).map_err(|e| e.to_string().into()));
            trials.push(trial.with_ignored_flag(property.long));
        }
    }
    for &(name, holds) in own_ptx::TESTS.iter().chain(launches::TESTS).chain(addresses::TESTS) {
        let name = format!("own_ptx::{name}");
        trials.push(Trial::test(name, move || holds().map_err(|e| e.to_string().into())));
    }
    run(&Arguments::from_args(), trials).exit_code()
}
