//! The write buffers of the hybrid register file alone, with the register control module and the arbiter of
//! their write-back: RTL and model in lock-step under random traffic, every output compared in every cycle.
//! The model has no data; the bench itself knows what each entry holds.

mod bench;
mod traffic;

use std::path::Path;

use heddle_designs::hybrid::buffer::Gating;
use heddle_port::NUM_LANES;
use heddle_rtl::{Block, Manifest, planted};
use verilated_runtime::{Instance, Options};

use bench::{Bench, Seen};

type Data = [u32; NUM_LANES];

/// Words of testbench/hybrid/write_buffers_shim.cpp.
const IN: usize = 39;
const OUT: usize = 599;
/// First word of the data: those of the writes, a bank each, and those that are read.
const WRITE_DATA: usize = 23;
const READ_DATA: usize = 87;
const ENTRIES: usize = 64;
const ARRAYS: usize = 8;

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn manifest() -> Manifest {
    Manifest::load(root(), "hybrid").expect("the manifest")
}

fn block() -> Block {
    let block = Block::new(root(), &manifest(), "write_buffers", "testbench/hybrid/write_buffers_shim.cpp");
    block.expect("the block").inside("write_buffers_bench", "testbench/hybrid/write_buffers_bench.sv")
}

/// The block as shipped, in the random state of a seed.
fn shipped() -> impl Fn(u64) -> Instance {
    let library = block().build().expect("it builds");
    move |seed| library.instance(&Options { seed, ..Options::default() }).expect("an instance of the block")
}

/// Without power gating, and with a short, the usual and a long wake-up.
const GATINGS: [Gating; 4] = [
    Gating { on: false, wakeup_cycles: 4 },
    Gating { on: true, wakeup_cycles: 1 },
    Gating { on: true, wakeup_cycles: 4 },
    Gating { on: true, wakeup_cycles: 40 },
];

/// `cycles` for each gating; the first cycle that differs, and how.
fn run(instance: impl Fn(u64) -> Instance, cycles: u32) -> Result<(), String> {
    for (seed, gating) in (1..).zip(GATINGS) {
        let mut bench = Bench::new(instance(seed), seed, gating);
        for number in 0..cycles {
            bench.cycle().map_err(|what| format!("{gating:?}, cycle {number}: {what}"))?;
        }
        let seen = bench.seen;
        println!("{gating:?}: {seen:?}");
        let Seen { merges, appends, late, full, power, lost, both_written, reads, written_back } = seen;
        let enough = [merges, appends, late, reads, written_back].iter().all(|&n| n > cycles / 100)
            && [full, lost, both_written].iter().all(|&n| n > cycles / 2000)
            && (power > cycles / 2000) == gating.on;
        assert!(enough, "{gating:?}: too little was seen: {seen:?}");
    }
    Ok(())
}

#[test]
fn rtl_and_model_of_the_write_buffers_agree() {
    assert_eq!(run(shipped(), 15_000), Ok(()));
}

/// A million cycles; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_of_the_write_buffers_agree() {
    assert_eq!(run(shipped(), 250_000), Ok(()));
}

/// Bugs that the assertions of the whole design find alone: nothing reads what an array lost with its power.
const ASSERTED: [&str; 1] = ["loss-forgotten"];

/// Each planted bug of the block's modules, chosen by instance.
#[test]
#[ignore = "verilates the block with its planted bugs"]
fn every_planted_bug_of_the_write_buffers_is_found() {
    let bugs = planted::load(root(), &manifest()).expect("the list");
    let block = block().build_planted(bugs).expect("it builds");
    let instance = |bug| {
        let block = &block;
        move |seed| block.instance(seed, bug).expect("an instance of the block")
    };
    assert_eq!(run(instance(None), 15_000), Ok(()), "without a bug");
    for (place, bug) in block.bugs().iter().enumerate() {
        match run(instance(Some(place)), 15_000) {
            Err(what) => {
                assert!(!ASSERTED.contains(&bug.id.as_str()), "{} is found: {what}", bug.id);
                println!("{}: {what}", bug.id);
            }
            Ok(()) => assert!(ASSERTED.contains(&bug.id.as_str()), "{} is not found", bug.id),
        }
    }
    assert!(block.bugs().len() >= 10, "{} bugs are in the block", block.bugs().len());
}
