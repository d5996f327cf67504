//! `heddle fidelity`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_fidelity::{FidelityError, Folder, Limits, Setting, Verdict, chosen, judge, measure, references};
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

/// Runs the micro-traces, prints how far they are from their references, and fails where one is too far.
pub fn fidelity(args: &FidelityArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let (limits, references) = (Limits::load()?, references()?);
    let (design, preset) = (args.design.clone(), args.preset.clone());
    let setting = Setting { root: root()?, design, preset, overrides: args.overrides.clone() };
    let traces = heddle_fidelity::all();
    let chosen = chosen(&traces, &args.traces)?;
    let folder = Folder::new(args.out.clone())?;
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    terminal.batch(chosen.len());
    let mut measured = Vec::new();
    for trace in chosen {
        terminal.next(trace.name.to_owned());
        let one = measure(trace, &setting, folder.path(), &mut terminal);
        terminal.clear();
        measured.push(one?);
    }
    let judgement = judge(&traces, &measured, &references, &limits)?;
    let mut rows = Rows::new(COLUMNS);
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
        for row in known {
            let why = row.mechanism.as_deref().unwrap_or_default();
            text.push_str(&format!("{}: {why}\n", row.trace));
        }
    }
    print(&text)?;
    let failed: Vec<&str> =
        judgement.rows.iter().filter(|row| !row.verdict.passes()).map(|row| row.trace.as_str()).collect();
    if failed.is_empty() {
        return Ok(());
    }
    let what = "not as the limits say (rust/heddle-fidelity/data/limits.toml)";
    let (count, all) = (failed.len(), judgement.rows.len());
    Err(Failure::failed(format!("{count} of {all} rows are {what}: {}", failed.join(", "))))
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
