//! Latencies measured by pointer chases: table 1 of the OSM paper, and the hops of which they are made.

mod common;

use heddle_config::Override;
use heddle_cosim::{Latency, Path, latencies};

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

#[test]
fn volta_has_the_latencies_of_table_1() {
    let osm = measure("osm", "volta", &[]);
    let all = [Path::L1Hit, Path::L2Hit, Path::Memory, Path::SharedHit, Path::SharedMemory];
    assert_eq!(all.map(|path| of(&osm, path)), [28.0, 193.0, 470.0, 28.0, 310.0]);
    hops_add_up(&osm);
    let baseline = measure("baseline", "volta", &[]);
    assert_eq!(all[..4].iter().map(|p| of(&baseline, *p)).collect::<Vec<_>>(), [28.0, 193.0, 470.0, 28.0]);
    assert_eq!(baseline.len(), 4, "shared memory on chip does not miss");
    hops_add_up(&baseline);
}

#[test]
fn each_value_of_the_preset_moves_its_own_hop() {
    let before = measure("osm", "volta", &[]);
    for (setting, moved) in [
        ("l1d.hit_latency=24", vec![(Path::L1Hit, 3.0)]),
        ("shared_memory.latency=23", vec![(Path::SharedHit, 2.0), (Path::SharedMemory, 2.0)]),
        ("l2.latency=194", vec![(Path::L2Hit, 10.0), (Path::Memory, 10.0)]),
        ("l2.bypass_latency=119", vec![(Path::SharedMemory, 5.0)]),
        ("dram.translation_latency=131", vec![(Path::Memory, 6.0)]),
        ("dram.latency=106", vec![(Path::Memory, 6.0), (Path::SharedMemory, 6.0)]),
    ] {
        let after = measure("osm", "volta", &[setting]);
        hops_add_up(&after);
        for latency in &before {
            let change = moved.iter().find(|(path, _)| *path == latency.path).map_or(0.0, |(_, by)| *by);
            assert_eq!(of(&after, latency.path) - latency.cycles, change, "{setting}: {:?}", latency.path);
        }
    }
}

#[test]
fn other_presets_and_the_unified_cache_are_measured_too() {
    for (design, preset, paths) in [("baseline", "maxwell", 4), ("ltrf", "maxwell", 4), ("ucm", "volta", 4)] {
        let all = measure(design, preset, &[]);
        assert_eq!(all.len(), paths, "{design}");
        hops_add_up(&all);
        assert!(of(&all, Path::L1Hit) < of(&all, Path::L2Hit), "{design}");
        assert!(of(&all, Path::L2Hit) < of(&all, Path::Memory), "{design}");
    }
}
