//! `heddle sim --sample`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_cosim::{Engine, MIN_WINDOWS, RunError, SampledReport, Sampling, Session};
use serde_json::{Map, Value};

use crate::args::{Format, RunArgs, TlpArg};
use crate::column::Column;
use crate::made_by::made_by;
use crate::points::points;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::{SETTINGS, kernels, object, spec};
use crate::settings::warn_of_unread;
use crate::table::Rows;
use crate::{Failure, Outcome, complain, ended, print};

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
    let root = root()?;
    let mut terminal = Terminal::new(args.kernel.quiet, Arc::clone(interrupted));
    let made_by = made_by(&root);
    let points = points(&args.overrides);
    let mut columns = COLUMNS.to_vec();
    if points.len() > 1 {
        columns.insert(1, SETTINGS);
    }
    let csv = args.kernel.format == Format::Csv;
    columns.extend(csv.then_some(Column::kept("preset")));
    let mut rows = Rows::new(&columns).whole_in_csv();
    let mut notes = String::new();
    let mut worst: Option<u8> = None;
    let kernels = kernels(&args.kernel)?;
    let designs: Vec<&str> = args.design.split(',').map(str::trim).collect();
    terminal.batch(designs.len() * points.len() * kernels.len());
    'all: for (design, point) in designs.iter().flat_map(|design| points.iter().map(move |p| (*design, p))) {
        if points.first() == Some(point) {
            warn_of_unread(&root, design, args.preset.as_deref(), &point.overrides);
        }
        for kernel in kernels.iter().cloned() {
            let mut spec = spec(&root, design, kernel, args, engine);
            spec.overrides.clone_from(&point.overrides);
            spec.made_by = made_by.clone();
            let name = format!("{design} {} {}", spec.kernel_name(), point.varied).trim_end().to_owned();
            terminal.next(name.clone());
            let outcome = Session::new(spec).and_then(|mut session| session.sample(&mut terminal, plan));
            terminal.clear();
            match outcome {
                Ok(report) => {
                    let mut row = row(&report, args.kernel.format == Format::Table);
                    if points.len() > 1 && args.kernel.format != Format::Json {
                        row.insert(SETTINGS.key.to_owned(), point.varied.clone().into());
                    }
                    rows.push(row);
                    notes.push_str(&note(&name, &report));
                }
                Err(error) => {
                    let stop = matches!(error, RunError::Usage { .. } | RunError::Interrupted { .. });
                    complain(&format!("{name}: {error}"));
                    worst = worst.max(Some(error.exit_code()));
                    if stop {
                        break 'all;
                    }
                }
            }
        }
    }
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
