//! A sheet as plain text.

use std::fmt::Write as _;

use heddle_workloads::Workload;

use crate::check::check;
use crate::page::residency_text;
use crate::sheet::{RunCharacter, Sheet};

/// The sheet of `workload`, to be read in a terminal.
#[must_use]
pub fn text(workload: &'static dyn Workload, sheet: &Sheet) -> String {
    let mut text = format!("{}: {}\n", workload.name(), workload.title());
    for e in &sheet.entries {
        let [x, y, z] = e.block;
        let _ = writeln!(
            text,
            "\n{}: block {x}x{y}x{z}, {} registers, {} bytes local, {} bytes shared",
            e.entry, e.registers, e.local_bytes, e.shared_bytes
        );
        for (preset, residency) in &e.residency {
            let shown = residency.as_ref().map_or_else(|| "does not fit".to_owned(), residency_text);
            let _ = writeln!(text, "  {preset}: warps {shown}");
        }
    }
    for (preset, run) in &sheet.runs {
        run_text(&mut text, preset, run);
    }
    text.push_str("\npublished values\n");
    for finding in check(workload, sheet) {
        let _ = writeln!(text, "  {finding}");
    }
    text
}

#[allow(clippy::cast_precision_loss)]
fn run_text(text: &mut String, preset: &str, r: &RunCharacter) {
    let _ = writeln!(
        text,
        "\n{preset}, size {}, one of {} SMs: {} launches, {} blocks, {} cycles, {} warp instructions",
        r.size, r.sms, r.launches, r.ctas, r.cycles, r.warp_instructions
    );
    let (m, u) = (&r.mix, &r.reuse);
    let shares = |shares: &[(&str, f64)]| {
        let shown: Vec<_> = shares.iter().map(|(name, s)| format!("{name} {:.1} %", 100.0 * s)).collect();
        shown.join(", ")
    };
    let arithmetic =
        [("integer", m.integer), ("float", m.float), ("special", m.special), ("double", m.double)];
    let memory = [
        ("global load", m.global_load),
        ("store", m.global_store),
        ("shared", m.shared),
        ("local", m.local),
        ("atomic", m.atomic),
        ("control", m.control),
    ];
    let reuse = [("never", u.never), ("once", u.once), ("twice", u.twice), ("more", u.more)];
    let miss = r.l1_miss_rate.map_or_else(|| "no reads".to_owned(), |m| format!("{:.1} %", 100.0 * m));
    let _ = writeln!(text, "  mix: {}\n       {}", shares(&arithmetic), shares(&memory));
    let _ = writeln!(text, "  executing lanes of a warp instruction: {:.1}", r.lanes);
    let _ = writeln!(text, "  footprint {:.0} KB, L1 misses {miss}", r.footprint_bytes as f64 / 1024.0);
    let _ = writeln!(text, "  values in registers read {}", shares(&reuse));
}
