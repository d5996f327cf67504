//! All workloads in smoke size on the SM with the designs' cycle models, against the CPU reference.

mod simulate;
mod stretches;

use heddle_config::{Policy, load};
use heddle_sm::CtaChoice;
use heddle_workloads::{Size, all};

use simulate::{Job, simulate};

fn run_all(design: &str, policy: Policy, max_registers: u32, bank_cycles: u32) {
    let mut preset = load("maxwell").expect("the preset ships");
    preset.scheduler.policy = policy;
    preset.register_file.bank_cycles = bank_cycles;
    for workload in all() {
        let name = workload.name();
        let job = Job {
            workload: name,
            size: Size::Smoke,
            design,
            max_registers,
            ctas: CtaChoice::All,
            stretch: 0,
        };
        let total = simulate(&job, &preset).unwrap_or_else(|e| panic!("{name} on {design}: {e}"));
        assert!(total.warp_instructions > 1000, "{name}");
    }
}

#[test]
fn baseline_two_level() {
    run_all("baseline", Policy::TwoLevel, 255, 1);
}

#[test]
fn baseline_gto_with_few_registers_and_slow_banks() {
    run_all("baseline", Policy::Gto, 16, 6);
}

#[test]
fn baseline_round_robin() {
    run_all("baseline", Policy::RoundRobin, 32, 2);
}

#[test]
fn ltrf_two_level() {
    run_all("ltrf", Policy::TwoLevel, 255, 6);
}

#[test]
fn ltrf_with_few_registers() {
    run_all("ltrf", Policy::TwoLevel, 16, 1);
}

#[test]
fn a_run_gives_the_same_counters_again() {
    let preset = load("maxwell").expect("the preset ships");
    let job = Job {
        workload: "bfs",
        size: Size::Smoke,
        design: "ltrf",
        max_registers: 255,
        ctas: CtaChoice::EveryNth { n: 2, first: 1 },
        stretch: 0,
    };
    let once = simulate(&job, &preset).expect("runs");
    let again = simulate(&job, &preset).expect("runs");
    assert_eq!((once.cycles, once.last), (again.cycles, again.last));
}

#[test]
fn every_preset_runs_with_its_own_widths_and_policy() {
    for name in heddle_config::machine_names() {
        let preset = load(name).expect("the preset ships");
        for workload in ["reduction", "divergence"] {
            let ctas = CtaChoice::All;
            let job =
                Job { workload, size: Size::Smoke, design: "baseline", max_registers: 63, ctas, stretch: 0 };
            let total = simulate(&job, &preset).unwrap_or_else(|e| panic!("{workload} on {name}: {e}"));
            assert!(total.cycles > 0);
        }
    }
}
