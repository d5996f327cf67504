//! `heddle sim --sample`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Engine, MIN_WINDOWS, SampledReport, Sampling, Session};
use serde_json::{Map, Value};

use crate::args::{Format, RunArgs, TlpArg};
use crate::batch::{Batch, SETTINGS};
use crate::column::Column;
use crate::progress::Terminal;
use crate::run::object;
use crate::table::Rows;
use crate::{Failure, Outcome, ended, print};

/// Columns of the table; those of the table `sampled` are named with a point, as in CSV.
const COLUMNS: &[Column] = &[
    Column::kept("design"),
    Column::kept("kernel"),
    Column::ranked("size", 4),
    Column::kept("sampled.estimated_cycles"),
    Column::kept("sampled.bound_cycles"),
    Column::kept("sampled.bound").fraction(),
    Column::kept("sampled.windows"),
    Column::ranked("sampled.measured_share", 1).fraction(),
    Column::ranked("warp_instructions", 2),
    Column::ranked("sampled.estimated_ipc", 1).fraction(),
    Column::ranked("reference_words_compared", 6),
    Column::ranked("mismatches", 7),
    Column::ranked("ok", 5),
];

/// Runs every kernel on every design in windows of `plan`, prints the estimates and returns the worst exit code.
pub fn run(args: &RunArgs, engine: Engine, plan: Sampling, interrupted: &Arc<AtomicBool>) -> Outcome {
    if args.timeline.is_some() {
        return Err(Failure::usage("--sample leaves cycles out, which --timeline shows: give one of them"));
    }
    if args.tlp == TlpArg::Best {
        return Err(Failure::usage("--sample takes no --tlp best, which is chosen by whole runs"));
    }
    if args.threads.is_some() {
        return Err(Failure::usage("--sample runs on one thread: --threads has no meaning"));
    }
    let batch = Batch::new(args, engine, interrupted)?;
    let mut columns = COLUMNS.to_vec();
    if batch.varies() {
        columns.insert(1, SETTINGS);
    }
    columns.extend((args.kernel.format == Format::Csv).then_some(Column::kept("preset")));
    let mut rows = Rows::new(&columns).whole_in_csv();
    let mut notes = String::new();
    let run = |spec, terminal: &mut Terminal| Session::new(spec)?.sample(terminal, plan);
    let worst = batch.each(interrupted, run, |name, varied, report| {
        let mut row = row(&report, args.kernel.format == Format::Table);
        row.extend(batch.settings(varied));
        rows.push(row);
        notes.push_str(&note(name, &report));
    });
    let mut text = rows.text(args.kernel.format);
    if args.kernel.format == Format::Table {
        text.push_str(&notes);
    }
    ended(print(&text), worst)
}

/// A row; in a table the keys of `sampled` stand beside the others, under their whole names.
fn row(report: &SampledReport, table: bool) -> Map<String, Value> {
    let mut row = object(report);
    if table && let Some(Value::Object(sampled)) = row.remove("sampled") {
        row.extend(sampled.into_iter().map(|(key, value)| (format!("sampled.{key}"), value)));
    }
    row
}

/// What the table says below itself of an estimate.
fn note(name: &str, report: &SampledReport) -> String {
    let s = &report.sampled;
    match s.bound_cycles {
        Some(0) if s.windows == 0 => format!("{name}: all cycles counted, none estimated\n"),
        Some(bound) => format!(
            "{name}: estimated, {} cycles within {bound} with 95 % confidence of sampling alone; what short warm-ups leave out is \
             not in the bound: docs/sampling.md\n",
            s.estimated_cycles
        ),
        None => format!(
            "{name}: estimated, no bound: an entry has fewer than {MIN_WINDOWS} windows; shorten `every`\n"
        ),
    }
}
