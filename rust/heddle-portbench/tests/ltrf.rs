//! The RTL of LTRF and its cycle model under random traffic.

mod common;

use common::{Bench, Falsify, root};
use heddle_port::{PortConfig, RegIn, RegOut, RegisterFile};
use heddle_portbench::{BenchConfig, run};
use heddle_rtl::{Manifest, planted};

fn bench(elaboration: Option<&str>, width: Option<i64>) -> Bench {
    Bench::new("ltrf", elaboration, width)
}

/// So many registers decoded a cycle, banks that are busy until the word is there, and slots that are free at once.
const fn decode(width: u32) -> [u32; 8] {
    [width, 0, 0, 1, 0, 0, 0, 0]
}

fn port(bank_cycles: u8) -> PortConfig {
    PortConfig { bank_cycles, own: decode(16), ..common::port() }
}

#[test]
fn rtl_and_model_agree_for_every_bank_time() {
    let bench = bench(None, None);
    for (seed, bank_cycles) in [(1, 1), (2, 2), (3, 6)] {
        bench.clean(port(bank_cycles), seed, 20_000);
    }
}

#[test]
fn rtl_and_model_agree_for_smaller_caches_and_slower_crossbars() {
    let bench = bench(None, None);
    let few_warps = PortConfig { active_warps: 3, ..port(2) };
    let few_registers = PortConfig { registers_per_interval: 5, ..port(1) };
    let slow_decoder = PortConfig { own: decode(3), ..port(2) };
    let slow_crossbar = PortConfig { crossbar_cycles: 9, ..port(3) };
    let slow_banks = PortConfig { active_warps: 8, ..port(40) };
    for (seed, port) in (10..).zip([few_warps, few_registers, slow_decoder, slow_crossbar, slow_banks]) {
        bench.clean(port, seed, 10_000);
    }
}

#[test]
fn rtl_and_model_agree_when_a_slot_is_free_after_its_registers_have_left() {
    let bench = bench(None, None);
    for (seed, bank_cycles) in [(70, 1), (71, 2), (72, 6)] {
        bench.clean(PortConfig { own: [16, 0, 0, 0, 0, 0, 0, 0], ..port(bank_cycles) }, seed, 10_000);
    }
}

#[test]
fn rtl_and_model_agree_for_banks_that_are_busy_for_a_part_of_their_latency() {
    let bench = bench(None, None);
    for (seed, (bank_cycles, busy)) in (30..).zip([(6, 1), (2, 1), (8, 3), (40, 1), (6, 6), (6, 5)]) {
        let port = PortConfig { own: [16, busy, 0, 1, 0, 0, 0, 0], ..port(bank_cycles) };
        bench.clean(port, seed, 10_000);
    }
}

#[test]
fn rtl_and_model_agree_for_banks_that_take_a_part_of_a_cycle() {
    let bench = bench(None, None);
    for (seed, (bank_cycles, eighths)) in (50..).zip([(1, 3), (3, 7)]) {
        let port = PortConfig { own: [16, 0, eighths, 1, 0, 0, 0, 0], ..port(bank_cycles) };
        bench.clean(port, seed, 10_000);
    }
}

/// Two instructions of a warp are issued in one cycle here, as no kernel does: both count for its live registers.
#[test]
fn rtl_and_model_agree_with_liveness_and_dirty_bits() {
    for elaboration in ["plus", "plus-dirty"] {
        bench(Some(elaboration), None).clean(port(1), 1, 20_000);
    }
}

/// A warp beyond the slots would wait for its activation for ever: RTL and model refuse such a configuration at once.
#[test]
fn what_does_not_fit_the_cache_is_refused() {
    let bench = bench(None, None);
    let config = port(1);
    for (port, assertion, key) in [
        (PortConfig { active_warps: 9, ..config }, "WarpsFit: 9", "scheduler.active_warps"),
        (PortConfig { active_warps: 64, ..config }, "WarpsFit: 64", "scheduler.active_warps"),
        (PortConfig { active_warps: 0, ..config }, "WarpsFit: 0", "scheduler.active_warps"),
        (
            PortConfig { registers_per_interval: 17, ..config },
            "RegistersFit: 17",
            "register_file.registers_per_interval",
        ),
        (
            PortConfig { own: [16, 2, 0, 0, 0, 0, 0, 0], ..config },
            "BusyFits: a bank is busy for 2",
            "design.bank_busy_cycles",
        ),
    ] {
        let mut rtl = bench.library.instance(1).expect("an instance");
        let (input, mut out) = (RegIn::default(), RegOut::default());
        let refused = rtl.reset(&port).and_then(|_| rtl.step(&input, &mut out)).expect_err("too many");
        assert!(refused.to_string().contains(assertion), "{refused}");
        let mut model = heddle_designs::create("ltrf", rtl.made_with()).expect("the model");
        let refused = model.reset(&port).expect_err("too many");
        assert!(refused.to_string().contains(key), "{refused}");
    }
}

#[test]
#[ignore = "verilates two more elaborations"]
fn wider_ports_and_the_large_elaboration_agree_too() {
    bench(None, Some(4)).clean(port(2), 20, 50_000);
    bench(Some("8x"), None).clean(PortConfig { rows_per_bank: 1024, ..port(6) }, 21, 50_000);
}

/// More than a million cycles in all; `cargo test --release -- --ignored`.
#[test]
#[ignore = "a million cycles"]
fn a_million_cycles_agree() {
    let bench = bench(None, None);
    for seed in 100..105 {
        for bank_cycles in [1, 2, 6] {
            bench.clean(port(bank_cycles), seed, 70_000);
        }
    }
}

/// The storage of the paper without the liveness vector of LTRF+, from the sizes in the package.
#[test]
fn warp_control_blocks_have_98496_bits() {
    let package = std::fs::read_to_string(root().join("rtl/ltrf/ltrf_pkg.sv")).expect("the package");
    let value = |name: &str| -> u64 {
        let line = package
            .lines()
            .find(|line| line.contains(&format!("localparam int unsigned {name} ")))
            .unwrap_or_else(|| panic!("{name} is a parameter of the package"));
        let text = line.split('=').nth(1).and_then(|text| text.split(';').next()).expect("a value");
        text.trim().parse().unwrap_or_else(|_| panic!("{name} is a number: {line}"))
    };
    let (warps, registers) = (heddle_port::NUM_WARPS as u64, heddle_port::NUM_REGS as u64);
    let bits = warps * (registers * (value("CacheBankBits") + 1) + value("SlotBits") + registers);
    assert_eq!(bits, 98_496);
    // The elaboration of warp_control_block stops where its arrays have another size than WcbBits.
    let block = std::fs::read_to_string(root().join("rtl/ltrf/warp_control_block.sv")).expect("the block");
    assert!(block.contains("!= WcbBits"), "the RTL compares its arrays with WcbBits");
}

#[test]
fn a_wrong_output_of_the_model_is_named() {
    let bench = bench(None, None);
    let cases: [(Falsify, &str); 3] = [
        (|out| out.command_ready ^= true, "command_ready"),
        (|out| out.result_ready[1] ^= true, "result_ready"),
        (|out| out.status.bank_busy[0] ^= 1 << 3, "bank_busy"),
    ];
    for (falsify, name) in cases {
        bench.names(port(1), falsify, name);
    }
    for (event, bit) in [("wcb_lookup", 0), ("slot_service", 0)] {
        bench.names_event(port(1), event, bit);
    }
}

/// Every planted bug makes a difference, and the bench finds it.
#[test]
#[ignore = "verilates the design with its planted bugs"]
fn every_planted_bug_is_found() {
    let manifest = Manifest::load(root(), "ltrf").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = planted::build(root(), &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let attempt = |bug: Option<&str>, seed: u64, bank_cycles: u8| {
        let mut rtl = library.instance(seed, bug).expect("an instance");
        let mut port = port(bank_cycles);
        // An access takes a part of a cycle more where a bug is in how that is made up for.
        port.own[2] = if bug == Some("part-of-a-cycle-lost") { 3 } else { 0 };
        // Banks are free before the word is there where a bug is in the fetches' way to them.
        port.own[1] = bug.is_some_and(|id| id.starts_with("fetch-path")).into();
        let config = BenchConfig::new(&manifest, rtl.made_with(), port);
        let mut model = heddle_designs::create("ltrf", rtl.made_with()).expect("the model");
        let outcome = run(&config, &mut rtl, &mut *model, seed, 20_000);
        (outcome, rtl.activations().expect("a count"))
    };
    let (clean, activations) = attempt(None, 1, 1);
    assert!(clean.is_ok() && activations == 0, "without a bug: {clean:?}");
    // LTRF+ is another elaboration.
    let elaborated =
        |variant: &Option<String>| !variant.as_deref().is_some_and(|name| name.starts_with("plus"));
    for bug in library.bugs().iter().filter(|bug| elaborated(&bug.variant)) {
        let found = [(1, 1), (2, 6), (3, 2), (4, 1), (5, 6)].into_iter().any(|(seed, bank_cycles)| {
            let (outcome, activations) = attempt(Some(&bug.id), seed, bank_cycles);
            if let Err(failure) = &outcome {
                assert!(activations > 0, "{} was never active: {failure}", bug.id);
                println!("{}: {failure}", bug.id);
            }
            outcome.is_err()
        });
        assert!(found, "{} is not found", bug.id);
    }
}
