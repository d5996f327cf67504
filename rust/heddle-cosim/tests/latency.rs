//! Latencies measured by pointer chases: table 1 of the OSM paper, and the hops of which they are made.

use heddle_config::Override;
use heddle_cosim::{Hops, Latency, Path, arithmetic_latencies, latencies};

use crate::common;

/// One of the hops.
type Hop = fn(&mut Hops) -> &mut f64;

fn measure(design: &str, preset: &str, settings: &[&str]) -> Vec<Latency> {
    let overrides: Vec<Override> = settings.iter().map(|s| s.parse().expect("an override")).collect();
    latencies(&common::root(), design, Some(preset), &overrides, &mut ()).expect("the chases run")
}

fn of(all: &[Latency], path: Path) -> f64 {
    all.iter().find(|l| l.path == path).expect("the path is measured").cycles
}

/// The hops of each path add up to what the difference of two chases says.
fn hops_add_up(all: &[Latency]) {
    for latency in all {
        let sum = latency.hops.sum();
        assert!((sum - latency.cycles).abs() < 1e-9, "{latency:?}: {sum}");
    }
}

/// Table 1 of the OSM paper, but for hits of shared memory; its worst case of a TLB is a setting. An address of global
/// memory is a pair of registers, whose words leave through the one result slot of a sub-core: a cycle more.
#[test]
fn volta_has_the_latencies_of_table_1() {
    let osm = measure("osm", "volta", &[]);
    let all = [Path::L1Hit, Path::L2Hit, Path::Memory, Path::SharedHit, Path::SharedMemory];
    assert_eq!(all.map(|path| of(&osm, path)), [29.0, 194.0, 347.0, 25.0, 296.0]);
    hops_add_up(&osm);
    let baseline = measure("baseline", "volta", &[]);
    assert_eq!(all[..4].iter().map(|p| of(&baseline, *p)).collect::<Vec<_>>(), [29.0, 194.0, 347.0, 25.0]);
    assert_eq!(baseline.len(), 4, "shared memory on chip does not miss");
    hops_add_up(&baseline);
    let worst = measure("osm", "volta", &["dram.translation_latency=123"]);
    assert_eq!(all.map(|path| of(&worst, path)), [29.0, 194.0, 470.0, 25.0, 296.0]);
}

#[test]
fn each_value_of_the_preset_moves_its_own_hop() {
    let before = measure("osm", "volta", &[]);
    let level: Hop = |hops| &mut hops.first_level;
    let fill: Hop = |hops| &mut hops.fill;
    let l2: Hop = |hops| &mut hops.l2;
    let networks: Hop = |hops| &mut hops.interconnect;
    let translation: Hop = |hops| &mut hops.translation;
    let dram: Hop = |hops| &mut hops.dram;
    let misses = [Path::L2Hit, Path::Memory, Path::SharedMemory];
    let all_misses = |by| misses.map(|path| (path, networks, by)).to_vec();
    for (setting, moved) in [
        ("l1d.hit_latency=24", vec![(Path::L1Hit, level, 3.0)]),
        // The answer to a miss goes through the pipeline of a hit.
        ("shared_memory.latency=20", vec![(Path::SharedHit, level, 2.0), (Path::SharedMemory, fill, 2.0)]),
        ("l2.latency=80", vec![(Path::L2Hit, l2, 10.0), (Path::Memory, l2, 10.0)]),
        ("interconnect.request_delay=62", all_misses(5.0)),
        ("interconnect.reply_delay=53", all_misses(-4.0)),
        ("dram.translation_latency=6", vec![(Path::Memory, translation, 6.0)]),
        ("dram.latency=106", vec![(Path::Memory, dram, 6.0), (Path::SharedMemory, dram, 6.0)]),
    ] {
        let after = measure("osm", "volta", &[setting]);
        hops_add_up(&after);
        for (old, new) in before.iter().zip(&after) {
            let mut expected = *old;
            for (_, hop, by) in moved.iter().filter(|(path, ..)| *path == old.path) {
                *hop(&mut expected.hops) += by;
                expected.cycles += by;
            }
            assert_eq!(*new, expected, "{setting}");
        }
    }
}

/// A miss of UCM takes two cycles more to the queue and three more from the fill to the response than one of the L1;
/// a miss of shared memory is that of osm, where the cache is smaller than the shared memory.
#[test]
fn the_unified_cache_has_the_same_hits_and_the_same_way_to_shared_memory() {
    let ucm = measure("ucm", "volta", &["shared_memory.cache_bytes=16384"]);
    let all = [Path::L1Hit, Path::L2Hit, Path::Memory, Path::SharedHit, Path::SharedMemory];
    assert_eq!(all.map(|path| of(&ucm, path)), [26.0, 199.0, 352.0, 25.0, 296.0]);
    hops_add_up(&ucm);
    let whole = measure("ucm", "volta", &[]);
    assert_eq!(whole.len(), 4, "96 KB of shared memory do not miss in 128 KB");
    assert_eq!(whole[..], ucm[..4]);
}

#[test]
fn misses_are_not_measured_where_lifetimes_are_known() {
    let all = measure("osm-ideal-lifetime", "volta", &[]);
    assert_eq!(all.iter().map(|l| l.cycles).collect::<Vec<_>>(), [29.0, 194.0, 347.0, 25.0]);
    hops_add_up(&all);
}

#[test]
fn other_presets_are_measured_too() {
    for (design, preset, paths) in [("baseline", "maxwell", 4), ("ltrf", "maxwell", 4)] {
        let all = measure(design, preset, &[]);
        assert_eq!(all.len(), paths, "{design}");
        hops_add_up(&all);
        assert!(of(&all, Path::L1Hit) < of(&all, Path::L2Hit), "{design}");
        assert!(of(&all, Path::L2Hit) < of(&all, Path::Memory), "{design}");
    }
}

/// Cycles that the baseline's port takes on an otherwise idle SM: one to collect the operands, their bank and register,
/// and one each for the result and for the issue after it.
const BASELINE_PORT: f64 = 5.0;

#[test]
fn the_pipelines_are_as_deep_for_every_design_and_a_slower_port_adds_what_it_takes() {
    for preset in heddle_config::machine_names() {
        let pipeline = heddle_config::load(preset).expect("it ships").pipeline;
        let expected = [
            pipeline.fp32.latency,
            pipeline.int.latency,
            pipeline.int_multiply_latency,
            pipeline.fp64.latency,
            pipeline.sfu.latency,
            pipeline.exchange.latency,
        ];
        let rows = heddle_config::load(preset).expect("it ships").register_file.rows_per_bank;
        // The latter three have 64 rows a bank at most.
        let designs = ["baseline", "osm", "racetrack", "ltrf", "sttram", "hybrid", "cerf"];
        for design in &designs[..if rows > 64 { 4 } else { 7 }] {
            let settings: Vec<Override> = match *design {
                "ltrf" => vec!["scheduler.active_warps=8".parse().expect("an override")],
                _ => Vec::new(),
            };
            let all = arithmetic_latencies(&common::root(), design, Some(preset), &settings, &mut ());
            let all = all.expect("the chains run");
            assert_eq!(all.iter().map(|l| l.unit).collect::<Vec<_>>(), expected.map(f64::from), "{design}");
            for l in &all {
                let sum = l.issue + l.unit + l.write_back;
                assert!((sum - l.cycles).abs() < 1e-9, "{design} {preset} {l:?}: {sum}");
                if *design == "baseline" {
                    // The second word of a result waits for the slot of its sub-core.
                    let pairs = if l.path == "fp64" && preset == "volta" { 1.0 } else { 0.0 };
                    assert_eq!(l.cycles, BASELINE_PORT + pairs + l.unit, "{preset} {}", l.path);
                }
            }
        }
    }
}
