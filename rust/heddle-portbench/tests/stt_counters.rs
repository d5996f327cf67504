//! The counters of the STT-RAM register files on cases made by hand, RTL and cycle model: every counted event, by the
//! name that the manifest gives it. Cycles in the comments are counted as in docs/designs/hybrid.md.

#[path = "common/counting.rs"]
mod counting;

use counting::{counts, issues, reads, ready, result};
use heddle_port::{Command, CommandOp, PortConfig, RegIn};

fn port() -> PortConfig {
    PortConfig {
        bank_cycles: 1,
        write_cycles: 4,
        active_warps: 1,
        rows_per_bank: 64,
        wakeup_cycles: 1,
        ..PortConfig::default()
    }
}

fn command(op: CommandOp, value: u16) -> RegIn {
    counting::command(Command { op: op as u8, value, ..Command::default() })
}

/// Registers 0 and 8 lie in the same array, so the second is read a cycle after the first. The result of the other bank
/// is written in cycles 1 to 4, in which the read of the instruction issued with it waits.
#[test]
fn reads_of_stt_ram_alone_wait_for_an_array_and_for_a_write() {
    let base = |warp, value| {
        counting::command(Command { op: CommandOp::WarpBase as u8, warp, value, ..Command::default() })
    };
    let case = |input| [base(0, 0), base(1, 512), input];
    let conflict = case(issues(&[reads(0, &[0, 8])]));
    let once = [("command", 2), ("collector_alloc", 1), ("collector_dispatch", 1)];
    let expected = [("sttram_read", 2), ("read_conflict", 1)];
    counts("sttram", port(), &conflict, 20, &[&once[..], &expected].concat());
    let mut both = issues(&[reads(0, &[0])]);
    both.result[0] = result(1, 0, u32::MAX);
    let expected =
        [("sttram_read", 1), ("result_accept", 1), ("sttram_write", 1), ("write_stall", 4), ("read_wait", 4)];
    counts("sttram", port(), &case(both), 20, &[&once[..], &expected].concat());
}

/// A period of warp 0 with `entries` results of different registers.
fn period(entries: u8) -> Vec<RegIn> {
    let mut inputs = vec![command(CommandOp::KernelStart, 64), command(CommandOp::WarpBase, 0)];
    inputs.extend([command(CommandOp::Activate, 0), ready(), ready(), ready()]);
    for register in 0..entries {
        let mut input = ready();
        input.result[0] = result(0, register, u32::MAX);
        inputs.push(input);
    }
    inputs.extend([ready(), ready(), ready(), ready(), command(CommandOp::Deactivate, 0)]);
    inputs
}

/// A result for a warp whose 64 entries are written back enters the queue in the cycle after Deactivate, in which the
/// drain begins. It waits for the other 254 of its 255 cycles, and in two more until the bank can take it after the last entry.
#[test]
fn a_result_waits_for_a_full_buffer_that_drains() {
    let mut inputs = period(64);
    let mut late = ready();
    late.result[0] = result(0, 5, u32::MAX);
    inputs.push(late);
    let expected = [
        ("command", 4),
        ("period_entries_49_to_64", 1),
        ("result_accept", 65),
        ("buffer_write", 64),
        ("rcm_write", 64),
        ("write_back", 64),
        ("late_write", 1),
        ("sttram_write", 65),
        ("result_wait_full", 254),
        ("result_wait_bank", 2),
        ("filling_cycles", 8 + 64),
        ("draining_cycles", 255),
        ("upper_on_cycles", 2 * 400),
    ];
    counts("hybrid", port(), &inputs, 400, &expected);
}

/// Register 0 is in the buffer. Register 8 is in the same array, of the buffer and of the bank, and is read a cycle later.
#[test]
fn reads_choose_between_buffer_and_stt_ram() {
    let mut inputs = period(1);
    inputs.pop();
    inputs.push(issues(&[reads(0, &[0, 8])]));
    let filling = 400 - 3;
    let expected = [
        ("command", 3),
        ("result_accept", 1),
        ("buffer_write", 1),
        ("rcm_write", 1),
        ("collector_alloc", 1),
        ("collector_dispatch", 1),
        ("rcm_read", 2),
        ("buffer_read", 1),
        ("sttram_read", 2),
        ("read_conflict", 1),
        ("filling_cycles", filling),
        ("upper_on_cycles", 2 * 400),
    ];
    counts("hybrid", port(), &inputs, 400, &expected);
}

/// The ends of each class of entries used. The buffer belongs to its warp from the cycle after Activate to that of
/// Deactivate. The bank takes the first entry in the third cycle of the drain, and each further one four cycles later;
/// an empty buffer is found to be so in one. Without gating both buffers are on all the time.
#[test]
fn the_entries_of_a_period_are_counted_by_class() {
    let classes = [
        (0, 0, "period_entries_0"),
        (1, 4, "period_entries_1_to_4"),
        (5, 8, "period_entries_5_to_8"),
        (9, 12, "period_entries_9_to_12"),
        (13, 16, "period_entries_13_to_16"),
        (17, 32, "period_entries_17_to_32"),
        (33, 48, "period_entries_33_to_48"),
        (49, 64, "period_entries_49_to_64"),
    ];
    for (least, most, name) in classes {
        for entries in [least, most] {
            let n = u32::from(entries);
            let expected = [
                ("command", 4),
                (name, 1),
                ("result_accept", n),
                ("buffer_write", n),
                ("rcm_write", n),
                ("write_back", n),
                ("sttram_write", n),
                ("filling_cycles", 8 + n),
                ("draining_cycles", (4 * n).saturating_sub(1).max(1)),
                ("upper_on_cycles", 2 * 400),
            ];
            let expected: Vec<(&str, u32)> = expected.into_iter().filter(|(_, n)| *n > 0).collect();
            counts("hybrid", port(), &period(entries), 400, &expected);
        }
    }
}
