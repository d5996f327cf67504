//! `heddle compare`: two sets of results side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use heddle_files::Input;
use serde_json::{Map, Value, json};

use crate::args::{CompareArgs, CompareBy, Format};
use crate::column::Column;
use crate::mean::means;
use crate::settings::{differences, line};
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// One line of results.
pub struct Run {
    pub design: String,
    pub kernel: String,
    pub size: String,
    pub seed: u64,
    place: String,
    pub values: Map<String, Value>,
}

/// What pairs runs: design (empty when it does not count), kernel, size, seed.
pub type Key<'a> = (&'a str, &'a str, &'a str, u64);

/// Columns of the table; CSV has the presets too.
const COLUMNS: &[Column] = &[
    Column::kept("kernel"),
    Column::ranked("size", 4),
    Column::ranked("seed", 5),
    Column::ranked("design_a", 3),
    Column::kept("design_b"),
    Column::ranked("cycles_a", 2),
    Column::ranked("cycles_b", 2),
    Column::kept("cycles_b_to_a").fraction(),
    Column::ranked("ipc_a", 6).fraction(),
    Column::ranked("ipc_b", 6).fraction(),
    Column::ranked("ipc_b_to_a", 1).fraction(),
];

/// Prints cycles and IPC of both sets and their ratio, and whether the runs of a pair had the same SM; a run that
/// is in one set only is named.
pub fn compare(args: &CompareArgs) -> Outcome {
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    if let Some(key) = &args.mean {
        return means(args, key, &a, &b);
    }
    let one_each = designs(&a).len() == 1 && designs(&b).len() == 1;
    let by = args.by.unwrap_or(if one_each { CompareBy::Kernel } else { CompareBy::Design });
    let (a, b) = (paired(&a, by)?, paired(&b, by)?);
    let mut columns = COLUMNS.to_vec();
    if args.format == Format::Csv {
        columns.extend(["preset_a", "preset_b"].map(Column::kept));
    }
    let mut rows = Rows::new(&columns);
    let mut pairs = 0;
    let mut differing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let keys: BTreeSet<&Key<'_>> = a.keys().chain(b.keys()).collect();
    for key in keys {
        let (x, y) = (a.get(key).copied(), b.get(key).copied());
        let value = |run: Option<&Run>, name: &str| {
            run.and_then(|r| r.values.get(name)).cloned().unwrap_or(Value::Null)
        };
        let ratio = |name: &str| match (value(x, name).as_f64(), value(y, name).as_f64()) {
            (Some(x), Some(y)) if x != 0.0 => json!(y / x),
            _ => Value::Null,
        };
        let mut found = Vec::new();
        if let (Some(x), Some(y)) = (x, y) {
            pairs += 1;
            found = differences(&x.values, &y.values);
            if !found.is_empty() {
                let name = format!("{} {} {}", x.kernel, x.size, x.seed);
                differing.entry(line(&found)).or_default().push(name);
            }
        }
        let differ: Map<String, Value> = found.into_iter().map(|(key, x, y)| (key, json!([x, y]))).collect();
        let row = json!({
            "kernel": key.1, "size": key.2, "seed": key.3,
            "design_a": x.map(|r| &r.design), "design_b": y.map(|r| &r.design),
            "cycles_a": value(x, "cycles"), "cycles_b": value(y, "cycles"), "cycles_b_to_a": ratio("cycles"),
            "ipc_a": value(x, "ipc"), "ipc_b": value(y, "ipc"), "ipc_b_to_a": ratio("ipc"),
            "preset_a": value(x, "preset"), "preset_b": value(y, "preset"), "differ": differ,
        });
        if let Value::Object(row) = row {
            rows.push(row);
        }
    }
    let mut text = rows.text(args.format);
    if args.format == Format::Table {
        for (line, names) in &differing {
            let of = if names.len() == pairs { String::new() } else { format!(" of {}", names.join(", ")) };
            text.push_str(&format!("the ratios{of} compare different SMs, a and b: {line}\n"));
        }
    }
    print(&text)?;
    if pairs == 0 {
        let (a, b) = (args.a.display(), args.b.display());
        let advice = if by == CompareBy::Design { "design, " } else { "" };
        let what = format!("no run of {a} has one of the same {advice}kernel, size and seed in {b}");
        return Err(Failure::usage(what));
    }
    Ok(())
}

/// The designs of some runs.
pub fn designs(runs: &[Run]) -> BTreeSet<&str> {
    runs.iter().map(|r| r.design.as_str()).collect()
}

/// Runs by what makes them a pair; a run that is there twice is wrong use.
pub fn paired(runs: &[Run], by: CompareBy) -> Result<BTreeMap<Key<'_>, &Run>, Failure> {
    let mut pairs: BTreeMap<Key<'_>, &Run> = BTreeMap::new();
    for run in runs {
        let design = if by == CompareBy::Design { run.design.as_str() } else { "" };
        let key = (design, run.kernel.as_str(), run.size.as_str(), run.seed);
        if let Some(other) = pairs.insert(key, run) {
            let Run { design, kernel, size, seed, place, .. } = run;
            let advice = if other.design == *design { "" } else { "; use --by design" };
            return Err(Failure::usage(format!(
                "{place}: {design} {kernel} {size} with seed {seed} is there twice, first in {}{advice}",
                other.place
            )));
        }
    }
    Ok(pairs)
}

/// A file with results: a line of about a kilobyte for each run.
const RESULTS: Input = Input { expected: "lines of --format json", most: 64 << 20 };

fn read(path: &Path) -> Result<Vec<Run>, Failure> {
    let text = RESULTS.text(path).map_err(Failure::usage)?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines.map(|(index, line)| run(line, format!("{}:{}", path.display(), index + 1))).collect()
}

fn run(line: &str, place: String) -> Result<Run, Failure> {
    let value: Value =
        serde_json::from_str(line).map_err(|e| Failure::usage(format!("{place}: not JSON: {e}")))?;
    let Value::Object(values) = value else {
        return Err(Failure::usage(format!("{place}: expected a JSON object")));
    };
    let missing = |name: &str| {
        Failure::usage(format!("{place}: the object has no '{name}'; expected a line of --format json"))
    };
    let text =
        |name: &str| values.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing(name));
    let (design, kernel, size) = (text("design")?, text("kernel")?, text("size")?);
    let seed = values.get("seed").and_then(Value::as_u64).ok_or_else(|| missing("seed"))?;
    Ok(Run { design, kernel, size, seed, place, values })
}
