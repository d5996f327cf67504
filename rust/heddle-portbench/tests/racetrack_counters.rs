//! The counters of the racetrack register file on cases made by hand, RTL and cycle model: every counted event, by the
//! name that the manifest gives it. Cycles in the comments are counted as in docs/designs/racetrack.md from the first
//! handshake: that of an issue in cycle 0, the request in its queue in cycle 1, the bank's first action in cycle 2.

#[path = "common/counting.rs"]
mod counting;

use counting::{issues, ready, result};
use heddle_port::{Command, CommandOp, Issue, PortConfig, RegIn};

/// Cycles after which each case has come to rest.
const CYCLES: usize = 60;

/// Registers of warp slot `warp` begin at row `row` of bank 0.
fn base(warp: u8, row: u16) -> RegIn {
    counting::command(Command { op: CommandOp::WarpBase as u8, warp, value: row * 16, ..Command::default() })
}

/// An instruction of warp slot `warp` that reads registers 0 to `sources` - 1.
fn reads(warp: u8, sources: u8) -> Issue {
    counting::reads(warp, &(0..sources).collect::<Vec<u8>>())
}

/// Both machines count what is expected, and nothing else.
fn counts(port: PortConfig, inputs: &[RegIn], expected: &[(&str, u32)]) {
    counting::counts("racetrack", port, inputs, CYCLES, expected);
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
    // Where a shifting bank gives its place back, the fifth begins to shift in cycle 3 and reads in cycle 18.
    let releasing = [("shift", 5 * 15), ("read_wait", 4 * 15 + 16)];
    let port = PortConfig { own: [1, 0, 0, 0, 0, 0, 0, 0], ..port(false) };
    counts(port, &inputs, &[&both[..], &releasing].concat());
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
        results.result[..2].copy_from_slice(&[result(0, 16, u32::MAX), result(0, 0, mask)]);
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
