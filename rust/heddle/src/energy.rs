//! `heddle energy`.

use std::collections::BTreeSet;

use heddle_energy::{EnergyError, Named, RunEnergy, Technology};
use heddle_files::Input;
use serde_json::{Map, Value, json};

use crate::args::EnergyArgs;
use crate::column::Column;
use crate::result_lines::{ResultLine, read};
use crate::root::root;
use crate::settings::differences;
use crate::table::Rows;
use crate::technology_names::Nameable;
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
    let root = root()?;
    let technology = Technology::load(&root, &args.technology)?;
    let mut lines = Vec::new();
    for path in &args.results {
        lines.extend(read(path, RESULTS)?);
    }
    let nameable = Nameable::new(&root)?;
    // A design that was made elsewhere, and what it counts, is in its rows.
    let in_a_row = |named: &Named| lines.iter().any(|line| named.is_in(&line.values));
    technology.check_names(|named| {
        nameable.check(named).or_else(|what| if in_a_row(named) { Ok(()) } else { Err(what) })
    })?;
    let runs = lines.into_iter().map(|line| of_run(line, &technology));
    let runs = runs.collect::<Result<Vec<Run>, Failure>>()?;
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

/// The run of a line of results, by a technology.
fn of_run(line: ResultLine, technology: &Technology) -> Result<Run, Failure> {
    let ResultLine { place, values: row } = line;
    let energy = RunEnergy::new(technology, &row).map_err(|e| Failure::usage(format!("{place}: {e}")))?;
    Ok(Run { row, energy })
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
