//! All sheets on one page of Markdown.

use std::fmt::Write as _;

use heddle_workloads::Workload;
use heddle_workloads::published::{NOT_HELD, Quantity};

use crate::check::{Finding, Verdict, check};
use crate::entries::{EntryCharacter, Residency};
use crate::sheet::{RunCharacter, Sheet};

const HEAD: &str = "\
# Character sheets

Written by `make sheet`; `make sheet-check` holds it against the programs and the published values. The same in JSON, with
more digits: one file a kernel next to this page.

Runs are one SM's share of the blocks on the baseline register file. Published values are the rows of
`rust/workloads/data/published.csv` that a kernel names; more than 1.25 times off (footprint: 2 times) needs the reason that is
given below.
";

const ENTRIES: &str = "
## Entries

Occupancy is warps of warp slots, with what allows no more. Blocks are those of the launches in size smoke, the largest of an
entry; a few entries, such as `leukocyte_gicov`, take the block from the size of the input.

| kernel | papers | entry | block | registers | local | shared | fermi | maxwell | volta |
|---|---|---|---|---|---|---|---|---|---|
";

const RUNS: &str = "
## Runs

CPU s: CPU seconds of the run; shares of the warp instructions in percent; lanes: executing lanes of a warp instruction on average; footprint: unique bytes of
global memory that the SM touched; reuse: share of the values in registers that are read never, once, twice, more often.

| kernel | preset | size | launches | cycles | warp instr. | CPU s | int | float | special | double | load | store | shared | local | atomic | control | lanes | footprint KB | L1 miss | reuse 0 / 1 / 2 / more |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|
";

const PUBLISHED: &str = "
## Published values

| kernel | entry | row | quantity | ours | published | |
|---|---|---|---|---|---|---|
";

const NOT_HELD_ROWS: &str = "
## Not held

Rows of `published.csv` with values that no entry is held against.

| rows | because |
|---|---|
";

/// The page of `sheets`.
#[must_use]
pub fn page(sheets: &[(&'static dyn Workload, Sheet)]) -> String {
    let mut text = HEAD.to_owned();
    text.push_str(ENTRIES);
    for (workload, sheet) in sheets {
        let papers: Vec<_> = workload.papers().iter().map(|p| p.name()).collect();
        for entry in &sheet.entries {
            entry_row(&mut text, workload.name(), &papers.join(", "), entry);
        }
    }
    text.push_str(RUNS);
    for (workload, sheet) in sheets {
        for (preset, run) in &sheet.runs {
            run_row(&mut text, workload.name(), preset, run);
        }
    }
    text.push_str(PUBLISHED);
    for (workload, sheet) in sheets {
        for finding in check(*workload, sheet) {
            finding_row(&mut text, &finding);
        }
    }
    text.push_str(NOT_HELD_ROWS);
    for not_held in NOT_HELD {
        let rows: Vec<_> = not_held.rows.iter().map(|row| format!("`{row}`")).collect();
        let _ = writeln!(text, "| {} | {} |", rows.join(", "), not_held.reason);
    }
    text
}

fn entry_row(text: &mut String, workload: &str, papers: &str, e: &EntryCharacter) {
    let [x, y, z] = e.block;
    let block = match (y, z) {
        (1, 1) => x.to_string(),
        (_, 1) => format!("{x}x{y}"),
        _ => format!("{x}x{y}x{z}"),
    };
    let _ = write!(
        text,
        "| `{workload}` | {papers} | `{}` | {block} | {} | {} | {} |",
        e.entry, e.registers, e.local_bytes, e.shared_bytes
    );
    for preset in ["fermi", "maxwell", "volta"] {
        let residency = e.residency.get(preset).and_then(Option::as_ref);
        let _ = write!(text, " {} |", residency.map_or_else(|| "does not fit".to_owned(), residency_text));
    }
    text.push('\n');
}

pub(crate) fn residency_text(r: &Residency) -> String {
    format!("{} of {}, {}", r.warps, r.warp_slots, r.limit)
}

#[allow(clippy::cast_precision_loss)]
fn run_row(text: &mut String, workload: &str, preset: &str, r: &RunCharacter) {
    let m = &r.mix;
    let _ = write!(
        text,
        "| `{workload}` | {preset} | {} | {} | {} | {} | {:.1} |",
        r.size, r.launches, r.cycles, r.warp_instructions, r.cpu_seconds
    );
    for share in [
        m.integer,
        m.float,
        m.special,
        m.double,
        m.global_load,
        m.global_store,
        m.shared,
        m.local,
        m.atomic,
        m.control,
    ] {
        let _ = write!(text, " {:.0} |", 100.0 * share);
    }
    let miss = r.l1_miss_rate.map_or_else(|| "–".to_owned(), |m| format!("{:.0} %", 100.0 * m));
    let u = &r.reuse;
    let _ = writeln!(
        text,
        " {:.1} | {:.0} | {miss} | {:.2} / {:.2} / {:.2} / {:.2} |",
        r.lanes,
        r.footprint_bytes as f64 / 1024.0,
        u.never,
        u.once,
        u.twice,
        u.more
    );
}

fn finding_row(text: &mut String, f: &Finding) {
    let unit = |bytes: u64| {
        if f.quantity == Quantity::Footprint { format!("{} KB", bytes >> 10) } else { bytes.to_string() }
    };
    let ours = f.ours.map_or_else(|| "not measured".to_owned(), unit);
    let published = match f.published {
        None => "–".to_owned(),
        Some((low, high)) if low == high => unit(low),
        Some((low, high)) => format!("{} to {}", unit(low), unit(high)),
    };
    let remark = match f.verdict {
        Verdict::Near => "",
        Verdict::Explained(reason) => reason,
        Verdict::Off => "**off**",
        Verdict::NeedlessReason(_) | Verdict::NothingToExplain(_) => "**a reason without need**",
    };
    let entry = if f.entry == heddle_workloads::published::WHOLE { "all" } else { f.entry };
    let _ = writeln!(
        text,
        "| `{}` | {entry} | `{}` | {} | {ours} | {published} | {remark} |",
        f.workload, f.row, f.quantity
    );
}
