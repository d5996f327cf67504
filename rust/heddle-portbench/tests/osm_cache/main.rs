//! The shared-memory cache: RTL and model in lock-step under random traffic, every loaded value held against
//! golden memory through evictions and refills.

mod lockstep;
mod rtl;

use heddle_designs::osm::{CacheShape, OsmConfig, layout};
use lockstep::{Summary, run};
use rtl::{RtlCache, build, build_planted};

/// The elaboration that takes every size and threshold.
const LARGEST: CacheShape = CacheShape { sets: 8, read_counter: true, word_lock: false, unified: false };

/// The elaboration of the planted bugs: all that can go wrong, in little.
const PLANTED: CacheShape = CacheShape { sets: 2, read_counter: true, word_lock: false, unified: true };
/// That of the planted bugs of locks by word.
const PLANTED_WORDS: CacheShape = CacheShape { read_counter: false, word_lock: true, ..PLANTED };

/// Requests of the quick test of one configuration.
const FEW: u64 = 4_000;
/// Requests of the long test of one size, of the seven.
const MANY: u64 = 145_000;

/// Events that happen in large caches only.
const RARE: [usize; 1] = [layout::STALL_FILLS];

fn config(size_log2: u8) -> OsmConfig {
    OsmConfig { size_log2, ..OsmConfig::default() }
}

fn check(
    library: &verilated_runtime::Library,
    shape: CacheShape,
    config: OsmConfig,
    requests: u64,
) -> Summary {
    let mut rtl = RtlCache::new(library, &config, 7);
    let summary = match run(&mut rtl, shape, config, 1, requests) {
        Ok(summary) => summary,
        Err(what) => panic!("{config:?}: {what}"),
    };
    println!(
        "{} KB, lock {}, {} reads: {} cycles, {} requests, {} lanes performed, {} words compared, {} fetches, {} write-backs",
        1 << config.size_log2,
        config.lock,
        config.reads_to_unlock,
        summary.cycles,
        summary.requests,
        summary.lanes_performed,
        summary.words_compared,
        summary.fetches,
        summary.write_backs
    );
    assert!(summary.words_compared > requests);
    summary
}

#[test]
fn the_default_elaboration_agrees_with_its_model() {
    let shape = CacheShape::default();
    let library = build(shape);
    let mut all = [0; layout::BITS];
    for size_log2 in [0, 1, 2, 3] {
        let summary = check(&library, shape, config(size_log2), FEW);
        all.iter_mut().zip(summary.events).for_each(|(sum, count)| *sum += count);
    }
    check(&library, shape, OsmConfig { lock: false, ..config(0) }, FEW);
    check(&library, shape, OsmConfig { sectors: false, ..config(0) }, FEW);
    check(&library, shape, OsmConfig { hit_latency: 4, ..config(1) }, FEW);
    check(&library, shape, OsmConfig { hit_latency: 63, ..config(3) }, FEW);
    let unseen: Vec<usize> = (0..layout::LINE).filter(|e| all[*e] == 0 && !RARE.contains(e)).collect();
    assert!(unseen.is_empty(), "events {unseen:?} never happened: {all:?}");
    assert_ne!(all[layout::STALL_ADDITION], 0, "no request waited for sums");
}

#[test]
fn the_unified_cache_agrees_with_its_model() {
    let library = build(CacheShape::UNIFIED);
    let mut all = [0; layout::BITS];
    for size_log2 in [0, 3, 7] {
        let summary = check(&library, CacheShape::UNIFIED, config(size_log2), FEW);
        all.iter_mut().zip(summary.events).for_each(|(sum, count)| *sum += count);
    }
    for event in
        [layout::THROUGH, layout::PAST, layout::RETURN, layout::FLUSH, layout::TAG_LOOKUP, layout::STALL_COPY]
    {
        assert_ne!(all[event], 0, "event {event}");
    }
    for event in RARE {
        assert_ne!(all[event], 0, "event {event}");
    }
    check(&library, CacheShape::UNIFIED, OsmConfig { lock: false, ..config(7) }, FEW);
    check(&library, CacheShape::UNIFIED, OsmConfig { sectors: false, ..config(0) }, FEW);
    check(&library, CacheShape::UNIFIED, OsmConfig { hit_latency: 4, ..config(3) }, FEW);
}

#[test]
fn a_lock_bit_a_word_agrees_with_its_model() {
    let shape = CacheShape { word_lock: true, ..CacheShape::default() };
    let library = build(shape);
    for size_log2 in [0, 3] {
        let summary = check(&library, shape, config(size_log2), FEW);
        assert!(summary.events[layout::LOCK] > 0 && summary.events[layout::UNLOCK] > 0);
    }
}

#[test]
#[ignore = "builds the elaboration for 64 KB"]
fn a_million_accesses_in_all_sizes_agree_with_the_model() {
    let library = build(LARGEST);
    let mut accesses = 0;
    for size_log2 in 0..=6 {
        accesses += check(&library, LARGEST, config(size_log2), MANY).requests;
    }
    assert!(accesses >= 1_000_000, "{accesses} accesses");
    for reads_to_unlock in [2, 3, 15] {
        check(&library, LARGEST, OsmConfig { reads_to_unlock, ..config(1) }, FEW);
    }
    check(&library, LARGEST, OsmConfig { lock: false, ..config(5) }, FEW);
}

#[test]
#[ignore = "builds the instrumented variant"]
fn every_planted_bug_is_found() {
    find_all(PLANTED, &[config(0), OsmConfig { reads_to_unlock: 2, ..config(4) }], false);
    find_all(PLANTED_WORDS, &[config(0)], true);
}

/// Runs the cache with each bug that is in the locks by word, or in none of them.
fn find_all(shape: CacheShape, configs: &[OsmConfig], word_lock: bool) {
    let block = build_planted(shape, word_lock);
    let bugs = block.bugs();
    let mut missed = Vec::new();
    for number in 0..=bugs.len() {
        let (mut activations, mut failure) = (0, None);
        for &config in configs {
            let mut rtl = RtlCache::planted(&block, &config, 7, number.checked_sub(1));
            failure = run(&mut rtl, shape, config, 1, FEW).err();
            activations += rtl.activations();
            if failure.is_some() {
                break;
            }
        }
        let Some(bug) = number.checked_sub(1).and_then(|at| bugs.get(at)) else {
            assert_eq!((failure, activations), (None, 0), "nothing is wrong without a bug");
            continue;
        };
        match failure {
            // The list says by what the whole design finds it.
            Some(what) if activations > 0 => println!("{}: {what}", bug.id),
            other => missed.push(format!("{}: {activations} activations, {other:?}", bug.id)),
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
