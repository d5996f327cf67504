//! Designs that hold the data of their L1: the RTL's arrays have lines as they were taken, and what an SM stores in them goes to no
//! other place than its own.

use std::collections::BTreeSet;

use heddle_cosim::{Check, Engine, Fault, RtlSms, RunError, RunReport};

use super::litmus::{Outcome, PLAIN, WAITS, message, set};
use super::program::{Program, after};

/// Designs with the presets of their papers.
pub const DESIGNS: [(&str, &str); 3] = [("cerf", "fermi"), ("cerf-fair", "fermi"), ("ucm", "volta")];

/// What registers (CTA, register) hold after a program, and what the run reports.
type Left = (Outcome, RunReport);

/// Two CTAs on two SMs: the second SM is RTL beside a model, or, in every other `turn`, both are RTL; then both are models without
/// a golden machine. They leave the same in the same cycles.
fn run(turn: usize, design: &str, preset: &str, program: &Program, seen: &[(usize, usize)]) -> Left {
    let on = |engine, rtl: &[u32]| {
        let rtl = RtlSms::Some(rtl.iter().copied().collect());
        let (left, report) = program.run_with(preset, |spec| {
            (spec.design, spec.engine, spec.rtl_sms) = (design.to_owned(), engine, rtl);
        });
        (seen.iter().map(|&(cta, register)| left[cta][register]).collect::<Outcome>(), report)
    };
    let (left, report) = on(Engine::Cosim, [&[1][..], &[0, 1]][turn % 2]);
    let (other, its) = on(Engine::Sim, &[]);
    assert_eq!((other, its.cycles), (left.clone(), report.cycles), "{design}");
    (left, report)
}

/// A line that is there stays as it was taken, a fence keeps it, and the way past the L1 finds what is stored.
#[test]
fn a_message_passes_past_the_l1_alone() {
    let flag_and_data = [(1, 1), (1, 2)];
    for (design, preset) in DESIGNS {
        let outcomes = |fence, load| -> BTreeSet<Outcome> {
            let program = message(fence, load);
            let waits = WAITS.iter().zip(0..).flat_map(|(a, turn)| [(turn, [*a, 1]), (turn + 1, [*a, 250])]);
            waits.map(|(turn, waits)| run(turn, design, preset, &program(waits), &flag_and_data).0).collect()
        };
        let stale = set([[0, 0], [1, 0]]);
        assert_eq!(outcomes("", PLAIN), stale, "{design}");
        assert_eq!(outcomes("membar.gl;", PLAIN), stale, "{design}: the design knows no fence");
        let strong = set([[0, 0], [0, 1], [1, 1]]);
        for load in ["ld.global.cg.u32", "ld.volatile.global.u32"] {
            let seen = outcomes("membar.gl;", load);
            assert!(seen.is_subset(&strong) && seen.contains(&vec![1, 1]), "{design} {load} {seen:?}");
        }
    }
}

/// Each of two CTAs holds a line, stores a word of it and loads both words; then both from memory, then both again.
fn neighbours(waits: [u32; 2]) -> Program {
    let side = |wait, own: u32| {
        let other = 1 - own;
        let store = format!("mov.u32 %v0, {};\nst.global.u32 [%x+{}], %v0;", own + 1, 4 * own);
        let held = format!("ld.global.u32 %r1, [%x+{}];\nld.global.u32 %r2, [%x+{}];", 4 * own, 4 * other);
        let memory = after(250, "ld.global.cg.u32 %r3, [%x];\nld.global.cg.u32 %r4, [%x+4];");
        let again = "ld.global.u32 %r5, [%x];\nld.global.u32 %r6, [%x+4];";
        format!("ld.global.u32 %r0, [%x];\n{}\n{held}\n{memory}\n{again}", after(wait, &store))
    };
    Program::of_words([side(waits[0], 0), side(waits[1], 1)])
}

/// Two SMs hold one line, and each stores a word of it: neither takes the other's back, however late its line comes to L2.
#[test]
fn words_of_one_line_that_two_sms_store_both_stay() {
    for (design, preset) in DESIGNS {
        for (turn, waits) in [[90, 90], [90, 200], [200, 90]].into_iter().enumerate() {
            for cta in 0..2 {
                let seen: Vec<(usize, usize)> = (1..7).map(|register| (cta, register)).collect();
                let (left, report) = run(turn + cta, design, preset, &neighbours(waits), &seen);
                assert_eq!(left, [cta as u32 + 1, 0, 1, 2, 1, 2], "{design} {waits:?}");
                assert!(report.stale_loads > Some(0), "{design}: the other's word as it was");
            }
        }
    }
}

/// A store that does not reach the line of its own SM is found there, though memory has what was stored.
#[test]
fn a_line_that_lacks_a_store_of_its_own_sm_is_found_in_that_sm() {
    for sm in [0, 1] {
        let fault = Fault { id: "store-leaves-an-old-copy".to_owned(), sm: Some(sm) };
        let run = neighbours([90, 90]).try_run("volta", |spec| {
            (spec.design, spec.fault) = ("ucm".to_owned(), Some(fault));
            spec.rtl_sms = RtlSms::Some([0, 1].into());
        });
        let Err(RunError::Mismatch(found)) = run else { panic!("{:?}", run.map(|(left, _)| left)) };
        assert_eq!((found.check, found.place.sm), (Check::Operand, Some(sm as usize)), "{found}");
    }
}
