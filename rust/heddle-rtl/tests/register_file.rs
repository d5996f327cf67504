//! The bridge, with the fixture design behind it.

mod common;

use std::path::PathBuf;
use std::sync::OnceLock;
use std::time::Duration;

use heddle_port::{
    Command, CommandOp, Done, Issue, Operands, PortConfig, RegIn, RegOut, RegisterData, RegisterFile,
    ResultWrite,
};
use heddle_rtl::{Manifest, ModelLibrary, RtlRegisterFile, build};

fn root() -> PathBuf {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    ROOT.get_or_init(|| common::fixture("register_file")).clone()
}

fn library(elaboration: &str) -> ModelLibrary {
    let manifest = Manifest::load(&root(), "flat").unwrap();
    let elaboration = manifest.elaboration(Some(elaboration)).unwrap();
    build(&root(), &manifest, elaboration, &mut |stage| println!("{stage}")).unwrap()
}

fn config() -> PortConfig {
    PortConfig { bank_cycles: 2, ..PortConfig::default() }
}

fn write(warp: u8, register: u8, mask: u32) -> ResultWrite {
    ResultWrite { valid: true, tag: 0x155, warp, register, mask, last: true }
}

fn step(registers: &mut RtlRegisterFile, input: &RegIn) -> RegOut {
    let mut out = RegOut::default();
    registers.step(input, &mut out).unwrap();
    out
}

#[test]
fn values_go_in_and_come_out_by_slot_register_and_lane() {
    for (elaboration, issue_width, result_width) in [("default", 2, 2), ("wide", 4, 3)] {
        let mut registers = library(elaboration).instance(3).unwrap();
        assert_eq!(registers.widths().issue, issue_width);
        assert_eq!(registers.widths().result, result_width);
        let out = registers.reset(&config()).unwrap();
        assert!(out.issue_ready[..issue_width].iter().all(|&r| r));
        assert!(!out.issue_ready[issue_width..].iter().any(|&r| r));
        assert!(out.command_ready);
        assert_eq!(registers.cycle(), 0);

        // Different data into register 10 + slot of warp 7 through each result slot; then lane 5 alone.
        let mut input = RegIn::default();
        for slot in 0..result_width {
            input.result[slot] = write(7, 10 + slot as u8, u32::MAX);
            for lane in 0..32 {
                input.result_data[slot][lane] = (slot as u32) << 16 | lane as u32;
            }
        }
        let out = step(&mut registers, &input);
        assert_eq!(out.events[0], (1 << result_width) - 1);
        assert_eq!(out.status.bank_busy, [1, 0, 0, 0]);
        let mut input = RegIn::default();
        input.result[1] = write(7, 11, 1 << 5);
        input.result_data[1] = [0xffff_ffff; 32];
        step(&mut registers, &input);

        // Every issue slot reads two registers in different source slots.
        let mut input = RegIn::default();
        for slot in 0..issue_width {
            input.issue[slot] = Issue {
                valid: true,
                tag: 0x3f0 + slot as u16,
                warp: 7,
                mask: u32::MAX,
                source_valid: 0b10_0001,
                source: [10, 0, 0, 0, 0, 11],
                ..Issue::default()
            };
        }
        let out = step(&mut registers, &input);
        for slot in 0..issue_width {
            assert_eq!(out.operands[slot], Operands { valid: true, tag: 0x3f0 + slot as u16 });
            assert!(!out.issue_ready[slot]);
            let data = &registers.operand_data()[slot];
            let plain: Vec<u32> = (0..32).collect();
            assert_eq!(data[0][..], plain);
            let mut other: Vec<u32> = (0..32).map(|lane| 1 << 16 | lane).collect();
            other[5] = 0xffff_ffff;
            assert_eq!(data[5][..], other);
        }
        // Only the last slot is taken; payloads without valid are zero.
        let mut input = RegIn::default();
        input.operands_ready[issue_width - 1] = true;
        let out = step(&mut registers, &input);
        assert!(out.operands[0].valid);
        assert_eq!(out.operands[issue_width - 1], Operands::default());
        assert_eq!(registers.cycle(), 4);
    }
}

#[test]
fn commands_are_answered() {
    let mut registers = library("default").instance(1).unwrap();
    registers.reset(&config()).unwrap();
    let input = RegIn {
        command: Command {
            valid: true,
            op: CommandOp::Prefetch as u8,
            warp: 63,
            interval: 0xabcd,
            ..Command::default()
        },
        ..RegIn::default()
    };
    let out = step(&mut registers, &input);
    assert_eq!(out.done, Done { valid: true, op: 6, warp: 63, interval: 0xabcd });
    assert_eq!(step(&mut registers, &RegIn::default()).done, Done::default());
}

#[test]
fn an_assertion_is_an_error_with_its_place_and_cycle() {
    let mut registers = library("default").instance(1).unwrap();
    registers.reset(&config()).unwrap();
    step(&mut registers, &RegIn::default());
    let mut input = RegIn::default();
    input.result[0] = write(0, 200, 1);
    let error = registers.step(&input, &mut RegOut::default()).unwrap_err().to_string();
    assert!(error.starts_with("flat: [1]"), "{error}");
    assert!(error.contains(" flat_top.sv:"), "{error}");
    assert!(error.contains("register 200 is beyond 64"), "{error}");

    let mut registers = library("default").instance(1).unwrap();
    registers.reset(&PortConfig::default()).unwrap();
    let error = registers.step(&RegIn::default(), &mut RegOut::default());
    assert!(error.unwrap_err().to_string().contains("bank_cycles is 0"));
}

#[test]
fn a_waveform_begins_with_cycle_0() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flat.vcd");
    let mut registers = library("default").instance(1).unwrap();
    registers.trace_open(&path).unwrap();
    registers.reset(&config()).unwrap();
    for _ in 0..3 {
        step(&mut registers, &RegIn::default());
    }
    registers.trace_flush().unwrap();
    registers.trace_close().unwrap();
    registers.finish().unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let times: Vec<&str> = text.lines().filter(|l| l.starts_with('#')).collect();
    assert_eq!(times, ["#0", "#500", "#1000", "#1500", "#2000", "#2500", "#3000"]);
    assert!(text.contains("issue_ready_o"));
}

#[test]
fn an_instance_can_be_reset_again_and_moved_to_a_thread() {
    let library = library("default");
    let runs: Vec<_> = (0..2)
        .map(|seed| {
            let mut registers = library.instance(seed).unwrap();
            std::thread::spawn(move || {
                for _ in 0..2 {
                    registers.reset(&config()).unwrap();
                    for _ in 0..10 {
                        step(&mut registers, &RegIn::default());
                    }
                    assert_eq!(registers.cycle(), 10);
                }
            })
        })
        .collect();
    for run in runs {
        run.join().unwrap();
    }
}

/// Processor time of this thread, so that other programs do not count.
fn cpu_time() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").expect("Linux tells");
    Duration::from_nanos(text.split(' ').next().and_then(|n| n.parse().ok()).expect("a number"))
}

/// Not a limit but a report: what one cycle across the border costs with a nearly empty design.
#[test]
fn the_cost_of_a_cycle_is_printed() {
    let mut registers = library("default").instance(1).unwrap();
    registers.reset(&config()).unwrap();
    let idle = RegIn::default();
    let mut busy = RegIn { operands_ready: [true; 4], ..RegIn::default() };
    for slot in 0..2 {
        busy.issue[slot] =
            Issue { valid: true, source_valid: 0b111, source: [1, 2, 3, 0, 0, 0], ..Issue::default() };
        busy.result[slot] = write(slot as u8, 3, u32::MAX);
    }
    for (name, input) in [("idle", &idle), ("busy", &busy)] {
        const CYCLES: u32 = 100_000;
        let mut out = RegOut::default();
        let start = cpu_time();
        for _ in 0..CYCLES {
            registers.step(input, &mut out).unwrap();
        }
        let each = (cpu_time() - start) / CYCLES;
        println!("{name}: {} ns a cycle", each.as_nanos());
        assert!(each.as_micros() < 50, "{name}: {each:?} a cycle");
    }
}
