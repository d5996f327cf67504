//! The counters of the racetrack register file on cases made by hand, RTL and cycle model: every counted event, by the
//! name that the manifest gives it. Cycles in the comments are counted as in docs/designs/racetrack.md from the first
//! handshake: that of an issue in cycle 0, the request in its queue in cycle 1, the bank's first action in cycle 2.

use std::collections::BTreeMap;
use std::path::Path;

use heddle_port::{Command, CommandOp, Issue, PortConfig, RegIn, RegOut, RegisterFile, ResultWrite};
use heddle_rtl::{Manifest, build};

/// Cycles after which each case has come to rest.
const CYCLES: usize = 60;

fn ready() -> RegIn {
    RegIn { operands_ready: [true; 4], ..RegIn::default() }
}

/// Registers of warp slot `warp` begin at row `row` of bank 0.
fn base(warp: u8, row: u16) -> RegIn {
    let command =
        Command { valid: true, op: CommandOp::WarpBase as u8, warp, value: row * 16, ..Command::default() };
    RegIn { command, ..ready() }
}

/// An instruction of warp slot `warp` that reads registers 0 to `sources` - 1.
fn reads(warp: u8, sources: u8) -> Issue {
    Issue {
        valid: true,
        tag: u16::from(warp) + 1,
        warp,
        source: std::array::from_fn(|source| source as u8),
        source_valid: (1 << sources) - 1,
        ..Issue::default()
    }
}

fn result(register: u8, mask: u32) -> ResultWrite {
    ResultWrite { valid: true, register, mask, last: true, ..ResultWrite::default() }
}

fn issues(issues: &[Issue]) -> RegIn {
    let mut input = ready();
    input.issue[..issues.len()].copy_from_slice(issues);
    input
}

/// Sums of the counted events of a run and of the numbers that count at its end, those above 0.
fn count(
    manifest: &Manifest,
    design: &mut dyn RegisterFile,
    port: &PortConfig,
    inputs: &[RegIn],
) -> BTreeMap<String, u32> {
    let mut sums = BTreeMap::new();
    let mut out: RegOut = design.reset(port).expect("a good configuration");
    let idle = ready();
    for cycle in 0..CYCLES {
        design.step(inputs.get(cycle).unwrap_or(&idle), &mut out).expect("the contract is kept");
        for event in manifest.events.iter().filter(|event| event.counted) {
            let bits = event.lsb..event.lsb + event.width;
            let set =
                bits.filter(|bit| out.events[usize::from(bit / 32)] >> (bit % 32) & 1 != 0).count() as u32;
            if set > 0 {
                *sums.entry(event.name.clone()).or_default() += set;
            }
        }
    }
    for event in &manifest.events {
        let Some(bits) = event.at_end else { continue };
        let numbers = (event.lsb..event.lsb + event.width).step_by(usize::from(bits));
        let mask = (1 << bits) - 1;
        let sum: u32 = numbers.map(|lsb| out.events[usize::from(lsb / 32)] >> (lsb % 32) & mask).sum();
        if sum > 0 {
            sums.insert(format!("{}_at_end", event.name), sum);
        }
    }
    sums
}

/// Both machines count what is expected, and nothing else.
fn counts(port: PortConfig, inputs: &[RegIn], expected: &[(&str, u32)]) {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let manifest = Manifest::load(root, "racetrack").expect("the manifest");
    let elaboration = manifest.elaboration(None).expect("the default");
    let library = build(root, &manifest, elaboration, &mut |s| println!("{s}")).expect("a model");
    let mut rtl = library.instance(1).expect("an instance");
    let mut model = heddle_designs::create("racetrack", rtl.widths()).expect("the model");
    let expected: BTreeMap<String, u32> = expected.iter().map(|(name, n)| ((*name).to_owned(), *n)).collect();
    assert_eq!(count(&manifest, model.as_mut(), &port, inputs), expected, "the model");
    assert_eq!(count(&manifest, &mut rtl, &port, inputs), expected, "the RTL");
}

fn port(preshift: bool) -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        write_cycles: 1,
        shift_cycles: 1,
        active_warps: 48,
        rows_per_bank: 128,
        preshift,
        ..PortConfig::default()
    }
}

/// Row 127 lies at offset 15. Five banks ask at once: four are served and shift in cycles 2 to 16, the fifth preshifts
/// beside them. The four read in cycle 17 and so wait 15 cycles each, the fifth reads in cycle 18 and waits 16.
#[test]
fn shifts_and_preshifts_are_counted_apart() {
    let inputs = [base(0, 127), issues(&[reads(0, 5)])];
    let both = [
        ("command", 1),
        ("collector_alloc", 1),
        ("collector_dispatch", 1),
        ("read_queued", 5),
        ("main_bank_read", 5),
        ("position_at_end", 5 * 15),
    ];
    let preshifting = [("shift", 4 * 15), ("preshift", 15), ("read_wait", 4 * 15 + 16)];
    counts(port(true), &inputs, &[&both[..], &preshifting].concat());
    // Without preshifting the fifth begins to shift in cycle 18, reads in cycle 33 and waits 31 cycles.
    let plain = [("shift", 5 * 15), ("read_wait", 4 * 15 + 31)];
    counts(port(false), &inputs, &[&both[..], &plain].concat());
}

/// Rows 24 and 8 of bank 0 lie at offsets 3 and 1; a step takes two cycles. The first read's steps begin in cycles 2, 4
/// and 6, it reads in cycle 8 and waits 6; the second's begin in 9 and 11, it reads in 13 and waits 4 as the oldest.
#[test]
fn the_way_goes_on_from_where_the_bank_stands() {
    let inputs = [base(1, 24), base(0, 8), issues(&[reads(1, 1), reads(0, 1)])];
    let expected = [
        ("command", 2),
        ("collector_alloc", 2),
        ("collector_dispatch", 2),
        ("read_queued", 2),
        ("shift", 3 + 2),
        ("main_bank_read", 2),
        ("read_wait", 6 + 4),
        ("position_at_end", 1),
    ];
    counts(PortConfig { shift_cycles: 2, ..port(false) }, &inputs, &expected);
}

/// Two results for bank 0 enter its write buffer in cycles 1 and 2 and are written in cycles 2 to 4 and 5 to 7. The
/// register of the second is asked for in cycle 1, so its read is the oldest in cycle 3: the buffer serves it where it
/// holds all lanes; else it waits in cycles 3 to 7 and reads in cycle 8.
#[test]
fn a_buffered_result_serves_a_read_or_keeps_it_waiting() {
    for (mask, more) in
        [(u32::MAX, &[("write_buffer_read", 1)][..]), (0xffff, &[("main_bank_read", 1), ("read_wait", 5)])]
    {
        let mut results = ready();
        results.result[..2].copy_from_slice(&[result(16, u32::MAX), result(0, mask)]);
        let inputs = [base(0, 0), results, issues(&[reads(0, 1)])];
        let mut expected = vec![
            ("command", 1),
            ("collector_alloc", 1),
            ("collector_dispatch", 1),
            ("read_queued", 1),
            ("result_accept", 2),
            ("write_buffer_write", 2),
            ("main_bank_write", 2),
        ];
        expected.extend(more);
        counts(PortConfig { write_cycles: 3, ..port(true) }, &inputs, &expected);
    }
}
