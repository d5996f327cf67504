//! OSM and UCM: RTL and cycle model of the whole design under random traffic through both ports.

mod common;

use common::Bench;
use heddle_port::PortConfig;
use heddle_portbench::{FailureKind, run};

const CYCLES: u64 = 20_000;

fn port(cache_size_log2: u8) -> PortConfig {
    PortConfig { active_warps: 64, rows_per_bank: 32, cache_size_log2, ..common::port() }
}

/// A run that must find nothing and compare loaded words too.
fn clean(bench: &Bench, name: &str, port: PortConfig, seed: u64) {
    let mut rtl = bench.library.instance(seed).expect("an instance");
    let config = bench.config(&rtl, port);
    let mut model = heddle_designs::create(name, rtl.made_with()).expect("the model");
    let summary = run(&config, &mut rtl, &mut *model, seed, CYCLES)
        .unwrap_or_else(|failure| panic!("{port:?}: {failure}"));
    println!("{name}, {port:?}: {summary}");
    assert!(summary.operands > CYCLES / 50 && summary.loaded > CYCLES / 4, "too little compared: {summary}");
}

#[test]
fn rtl_and_model_of_osm_agree_with_and_without_locks() {
    let bench = Bench::new("osm", None, None);
    for size in 0..=3 {
        clean(&bench, "osm", port(size), size.into());
    }
    bench.clean(PortConfig { reads_to_unlock: 0, hit_latency: 4, ..port(1) }, 9, CYCLES);
}

#[test]
#[ignore = "builds the elaboration for 64 KB"]
fn rtl_and_model_of_osm_agree_in_all_sizes_and_thresholds() {
    let bench = Bench::new("osm", Some("64k"), None);
    for (seed, reads_to_unlock) in [(1, 1), (2, 2), (3, 3), (4, 15)] {
        for size in 0..=6 {
            clean(&bench, "osm", PortConfig { reads_to_unlock, ..port(size) }, seed);
        }
    }
}

#[test]
#[ignore = "builds the unified cache"]
fn rtl_and_model_of_ucm_agree() {
    let bench = Bench::new("ucm", None, None);
    for size in [0, 3, 7] {
        clean(&bench, "ucm", port(size), size.into());
    }
}

#[test]
fn what_is_not_elaborated_is_named() {
    let bench = Bench::new("osm", None, None);
    for (wrong, name) in [
        (port(4), "SizeIsElaborated"),
        (PortConfig { reads_to_unlock: 2, ..port(3) }, "ThresholdIsElaborated"),
        (PortConfig { hit_latency: 68, ..port(3) }, "LatencyFits"),
    ] {
        let mut rtl = bench.library.instance(1).expect("an instance");
        let config = bench.config(&rtl, wrong);
        let failure = heddle_portbench::run_alone(&config, &mut rtl, 1, 100).expect_err(name);
        assert!(failure.to_string().contains(name), "{failure}");
    }
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let bench = Bench::new("osm", None, None);
    bench.names_event(port(3), "line_lock", 0);
    bench.names_event(port(3), "cache_bank_read", 3);
    bench.names(port(3), |out| out.issue_ready[1] ^= true, "issue_ready");
}

#[test]
fn a_model_with_another_threshold_is_named() {
    let bench = Bench::new("osm", None, None);
    let mut rtl = bench.library.instance(1).expect("an instance");
    let config = bench.config(&rtl, port(0));
    // The RTL locks, the model does not.
    let mut model = Unlocked(heddle_designs::create("osm", rtl.made_with()).expect("the model"));
    let failure = run(&config, &mut rtl, &mut model, 1, CYCLES).expect_err("the fault is found");
    assert!(
        matches!(&failure.kind, FailureKind::Output { field, .. } if field.contains("line_lock")),
        "{failure}"
    );
}

/// A model that is reset without locks.
struct Unlocked(Box<dyn heddle_port::RegisterFile + Send>);

impl heddle_port::RegisterFile for Unlocked {
    fn reset(&mut self, config: &PortConfig) -> Result<heddle_port::RegOut, heddle_port::DesignError> {
        self.0.reset(&PortConfig { reads_to_unlock: 0, ..*config })
    }

    fn step(
        &mut self,
        input: &heddle_port::RegIn,
        out: &mut heddle_port::RegOut,
    ) -> Result<(), heddle_port::DesignError> {
        self.0.step(input, out)
    }

    fn memory_side(&mut self) -> Option<&mut dyn heddle_port::MemorySide> {
        self.0.memory_side()
    }
}
