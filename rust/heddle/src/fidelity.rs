//! `heddle fidelity`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_fidelity::{
    FidelityError, Folder, Judgement, Limits, REFERENCES_OF, Setting, Verdict, bounds, chosen, chosen_bounds,
    hold, judge, measure, references,
};
use serde_json::{Map, Value, json};

use crate::args::{FidelityArgs, Format};
use crate::column::Column;
use crate::progress::Terminal;
use crate::root::root;
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("trace"),
    Column::kept("cycles"),
    Column::ranked("reference_low", 3),
    Column::ranked("reference_high", 4),
    Column::kept("distance").fraction(),
    Column::ranked("distance_to_simulator", 5).fraction(),
    Column::ranked("distance_to_hardware", 6).fraction(),
    Column::ranked("distance_limit", 2).fraction(),
    Column::kept("verdict"),
];

impl From<FidelityError> for Failure {
    fn from(error: FidelityError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// Runs the micro-traces, prints how far they are from their references, or from the bounds of a preset that has none, and fails
/// where one is too far.
pub fn fidelity(args: &FidelityArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let (design, preset) = (args.design.clone(), args.preset.clone());
    let setting = Setting { root: root()?, design, preset, overrides: args.overrides.clone() };
    let folder = Folder::new(args.out.clone())?;
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    let judgement = if setting.preset()?.name == REFERENCES_OF {
        by_references(&args.traces, &setting, &folder, &mut terminal)?
    } else {
        by_bounds(&args.traces, &setting, &folder, &mut terminal)?
    };
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    for judged in &judgement.rows {
        if let Ok(Value::Object(mut row)) = serde_json::to_value(judged) {
            row.insert("design".to_owned(), json!(setting.design));
            row.insert("preset".to_owned(), json!(setting.preset));
            rows.push(shown(row, args.format));
        }
    }
    let mut text = rows.text(args.format);
    if args.format == Format::Table {
        let known = judgement.rows.iter().filter(|row| row.verdict == Verdict::Known);
        let mechanisms = known.filter_map(|row| row.mechanism.as_ref().map(|why| (&row.trace, why)));
        let bounds = judgement.rows.iter().filter_map(|row| row.bound.as_ref().map(|why| (&row.trace, why)));
        for (trace, why) in mechanisms.chain(bounds) {
            text.push_str(&format!("{trace}: {why}\n"));
        }
    }
    print(&text)?;
    let failed: Vec<&str> =
        judgement.rows.iter().filter(|row| !row.verdict.passes()).map(|row| row.trace.as_str()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let bounds = judgement.rows.iter().any(|row| row.bound.is_some());
    let what = match bounds {
        true => "not within the bounds that follow from the preset",
        false => "not as the limits say (rust/heddle-fidelity/data/limits.toml)",
    };
    let (count, all) = (failed.len(), judgement.rows.len());
    Err(Failure::failed(format!("{count} of {all} rows are {what}: {}", failed.join(", "))))
}

/// The micro-traces against the cycles of others.
fn by_references(
    names: &str,
    setting: &Setting,
    folder: &Folder,
    terminal: &mut Terminal,
) -> Result<Judgement, Failure> {
    let (limits, references) = (Limits::load()?, references()?);
    let traces = heddle_fidelity::all();
    let chosen = chosen(&traces, names)?;
    terminal.batch(chosen.len());
    let mut measured = Vec::new();
    for trace in chosen {
        terminal.next(trace.name.to_owned());
        let one = measure(trace, setting, folder.path(), terminal);
        terminal.clear();
        measured.push(one?);
    }
    Ok(judge(&traces, &measured, &references, &limits)?)
}

/// What follows from the preset against a run of it.
fn by_bounds(
    names: &str,
    setting: &Setting,
    folder: &Folder,
    terminal: &mut Terminal,
) -> Result<Judgement, Failure> {
    let all = bounds(&setting.preset()?);
    let chosen = chosen_bounds(&all, names)?;
    terminal.batch(chosen.len());
    let mut rows = Vec::new();
    for bound in chosen {
        terminal.next(bound.name.to_owned());
        let row = hold(bound, setting, folder.path(), terminal);
        terminal.clear();
        rows.push(row?);
    }
    Ok(Judgement { rows })
}

/// A row as it is printed: the table says in words what a verdict is.
fn shown(mut row: Map<String, Value>, format: Format) -> Map<String, Value> {
    if format == Format::Table {
        let words = match row.get("verdict").and_then(Value::as_str) {
            Some("beyond") => "NO",
            Some("row-not-needed") => "row not needed",
            Some("known") => "known",
            _ => "yes",
        };
        row.insert("verdict".to_owned(), json!(words));
    }
    row
}
