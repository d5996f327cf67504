//! Kernels with one fault each: the checks of the workloads, or the golden machine, must see it.

use crate::run::{Form, TestResult, run};
use heddle_workloads::{Size, find};

/// A fault: in the PTX of `workload`, occurrence `nth` of `from` becomes `to`.
struct Mutant {
    workload: &'static str,
    nth: usize,
    from: &'static str,
    to: &'static str,
    /// Part of the message that tells the fault.
    seen_as: &'static str,
}

const fn mutant(
    workload: &'static str,
    nth: usize,
    from: &'static str,
    to: &'static str,
    seen_as: &'static str,
) -> Mutant {
    Mutant { workload, nth, from, to, seen_as }
}

const DIFFERS: &str = "differ from the CPU reference";

const MUTANTS: &[Mutant] = &[
    mutant("vectoradd", 0, "add.rn.f32", "sub.rn.f32", DIFFERS),
    mutant("vectoradd", 0, "add.rn.f32", "add.rz.f32", DIFFERS),
    mutant("vectoradd", 0, "setp.ge.s32", "setp.gt.s32", "outside"),
    // Rounding of a single product of the sixteen in the tile.
    mutant("matrixmul", 9, "fma.rn.f32", "fma.rz.f32", DIFFERS),
    mutant("matrixmul", 0, "bar.sync", "// bar.sync", "never written"),
    mutant("matrixmul", 1, "bar.sync", "// bar.sync", "race"),
    mutant("hotspot", 0, "max.s32", "min.s32", "never written"),
    mutant("hotspot", 0, "%f9, %f5", "%f5, %f9", DIFFERS),
    mutant("hotspot", 2, "rcp.rn.f32", "mov.f32", DIFFERS),
    // The last of the six rounds to the temperature that is stored.
    mutant("hotspot", 5, "fma.rn.f32", "fma.rm.f32", DIFFERS),
    mutant("hotspot", 0, "min.s32", "max.s32", "never written"),
    mutant("hotspot", 1, "bar.sync", "// bar.sync", "race"),
    mutant("bfs", 0, "setp.ne.s16", "setp.eq.s16", DIFFERS),
    mutant("bfs", 2, "st.global.u8", "// st.global.u8", DIFFERS),
    mutant("bfs", 0, "add.s32 \t%r21, %r20, 1", "add.s32 \t%r21, %r20, 2", DIFFERS),
    mutant("reduction", 0, "setp.ge.u32", "setp.gt.u32", "outside"),
    mutant("reduction", 1, "bar.sync", "// bar.sync", "race"),
    mutant("divergence", 20, "shf.l.wrap.b32", "shf.r.wrap.b32", DIFFERS),
    mutant("divergence", 0, "setp.lt.u32", "setp.le.u32", DIFFERS),
    mutant("divergence", 0, "not.b32", "neg.s32", DIFFERS),
];

fn replace_nth(text: &str, nth: usize, from: &str, to: &str) -> Option<String> {
    let (at, _) = text.match_indices(from).nth(nth)?;
    Some(format!("{}{to}{}", &text[..at], &text[at + from.len()..]))
}

#[test]
fn every_fault_is_seen() -> TestResult {
    let form = Form::Allocated { max_registers: 255 };
    let mut survived = Vec::new();
    for m in MUTANTS {
        let workload = find(m.workload)?;
        let (name, text) = workload.ptx();
        let text = replace_nth(text, m.nth, m.from, m.to)
            .ok_or_else(|| format!("{}: no '{}' number {}", m.workload, m.from, m.nth))?;
        let outcome = run((name, &text), workload.instance(Size::Smoke, 1)?, form);
        let message = match outcome {
            Err(error) => error.to_string(),
            Ok(outcome) => outcome.checked.err().map_or("nothing".into(), |f| f.to_string()),
        };
        if !message.contains(m.seen_as) {
            survived.push(format!("{} {} -> {}: {message}", m.workload, m.from, m.to));
        }
    }
    assert!(survived.is_empty(), "{} not seen:\n{}", survived.len(), survived.join("\n"));
    Ok(())
}
