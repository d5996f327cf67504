//! `heddle energy`.

use std::collections::BTreeSet;
use std::path::Path;

use heddle_energy::{EnergyError, RunEnergy, Technology};
use heddle_files::Input;
use serde_json::{Map, Value, json};

use crate::args::EnergyArgs;
use crate::column::Column;
use crate::root::root;
use crate::settings::differences;
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::kept("design"),
    Column::kept("kernel"),
    Column::ranked("size", 2),
    Column::ranked("cycles", 1),
    Column::kept("dynamic_pj"),
    Column::kept("leakage_pj"),
    Column::kept("total_pj"),
    Column::ranked("average_mw", 1),
    Column::kept("relative").fraction().optional(),
];
/// Results of many runs.
const RESULTS: Input = Input { expected: "results as JSON lines", most: 1 << 30 };
/// What two runs have in common of which one is shown by the other.
const SAME: [&str; 5] = ["kernel", "size", "preset", "seed", "sms"];

impl From<EnergyError> for Failure {
    fn from(error: EnergyError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// A run and what it took.
struct Run {
    row: Map<String, Value>,
    energy: RunEnergy,
}

/// Prints the energy of runs.
pub fn run(args: &EnergyArgs) -> Outcome {
    let technology = Technology::load(&root()?, &args.technology)?;
    let mut runs = Vec::new();
    for path in &args.results {
        runs.extend(read(path, &technology)?);
    }
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    for run in &runs {
        let relative = args.relative_to.as_deref().map(|design| relative(&runs, run, design)).transpose()?;
        let mut row = Map::new();
        for key in ["design", "kernel", "size", "preset", "seed", "sms", "cycles"] {
            row.insert(key.to_owned(), run.row.get(key).cloned().unwrap_or_default());
        }
        row.insert("technology".to_owned(), json!(args.technology));
        if let Ok(Value::Object(energy)) = serde_json::to_value(&run.energy) {
            row.extend(energy);
        }
        row.insert("relative".to_owned(), json!(relative));
        rows.push(row);
    }
    print(&rows.text(args.format))
}

fn read(path: &Path, technology: &Technology) -> Result<Vec<Run>, Failure> {
    let text = RESULTS.text(path).map_err(Failure::usage)?;
    let mut runs = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let place = format!("{}:{}", path.display(), index + 1);
        let wrong = |what: String| Failure::usage(format!("{place}: {what}"));
        let value: Value = serde_json::from_str(line).map_err(|e| wrong(format!("not JSON: {e}")))?;
        let Value::Object(row) = value else { return Err(wrong("expected a JSON object".to_owned())) };
        let energy = RunEnergy::new(technology, &row).map_err(|e| wrong(e.to_string()))?;
        runs.push(Run { row, energy });
    }
    if runs.is_empty() {
        return Err(Failure::usage(format!(
            "{} has no results; expected JSON lines of `heddle sim`",
            path.display()
        )));
    }
    Ok(runs)
}

/// The energy of a run by that of `design` on the same work; of several such runs, by the one that has the settings of the run in which they
/// differ.
fn relative(runs: &[Run], run: &Run, design: &str) -> Result<f64, Failure> {
    let same = |other: &&Run| {
        other.row.get("design").and_then(Value::as_str) == Some(design)
            && SAME.iter().all(|key| other.row.get(*key) == run.row.get(*key))
    };
    let shown = |key: &str| run.row.get(key).map(ToString::to_string).unwrap_or_default();
    let of = || SAME.map(|key| format!("{key} {}", shown(key))).join(", ");
    let mut bases: Vec<&Run> = runs.iter().filter(same).collect();
    let Some(first) = bases.first().copied() else {
        let what = format!("--relative-to {design}: the results have no run of it with {}", of());
        return Err(Failure::usage(what));
    };
    let varying: BTreeSet<String> =
        bases.iter().flat_map(|base| differences(&first.row, &base.row)).map(|(key, _, _)| key).collect();
    let setting =
        |row: &Map<String, Value>, key: &str| row.get("parameters").and_then(|p| p.get(key)).cloned();
    bases.retain(|base| varying.iter().all(|key| setting(&base.row, key) == setting(&run.row, key)));
    match bases[..] {
        [base] => Ok(run.energy.total_pj / base.energy.total_pj),
        _ => {
            let by = if varying.is_empty() {
                String::new()
            } else {
                let each = varying.iter().map(|key| {
                    format!(
                        "{key} {}",
                        setting(&run.row, key).map_or_else(|| "none".to_owned(), |v| v.to_string())
                    )
                });
                format!(", and {}", each.collect::<Vec<_>>().join(", "))
            };
            let what = format!(
                "--relative-to {design}: the results have {} runs of it with {}{by}; expected one",
                bases.len(),
                of()
            );
            Err(Failure::usage(what))
        }
    }
}
