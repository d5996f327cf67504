//! `heddle compare`: two sets of results side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use heddle_files::Input;
use serde_json::{Map, Value, json};

use crate::args::{CompareArgs, CompareBy};
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// One line of results.
struct Run {
    design: String,
    kernel: String,
    size: String,
    seed: u64,
    place: String,
    values: Map<String, Value>,
}

/// What pairs runs: design (empty when it does not count), kernel, size, seed.
type Key<'a> = (&'a str, &'a str, &'a str, u64);

/// Prints cycles and IPC of both sets and their ratio; a run that is in one set only is named.
pub fn compare(args: &CompareArgs) -> Outcome {
    let (a, b) = (read(&args.a)?, read(&args.b)?);
    let one_each = designs(&a).len() == 1 && designs(&b).len() == 1;
    let by = args.by.unwrap_or(if one_each { CompareBy::Kernel } else { CompareBy::Design });
    let (a, b) = (paired(&a, by)?, paired(&b, by)?);
    let mut rows = Rows::new(&[
        "kernel",
        "size",
        "seed",
        "design_a",
        "design_b",
        "cycles_a",
        "cycles_b",
        "cycles_b_to_a",
        "ipc_a",
        "ipc_b",
        "ipc_b_to_a",
    ]);
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
        let row = json!({
            "kernel": key.1, "size": key.2, "seed": key.3,
            "design_a": x.map(|r| &r.design), "design_b": y.map(|r| &r.design),
            "cycles_a": value(x, "cycles"), "cycles_b": value(y, "cycles"), "cycles_b_to_a": ratio("cycles"),
            "ipc_a": value(x, "ipc"), "ipc_b": value(y, "ipc"), "ipc_b_to_a": ratio("ipc"),
        });
        if let Value::Object(row) = row {
            rows.push(row);
        }
    }
    print(&rows.text(args.format));
    Ok(())
}

fn designs(runs: &[Run]) -> BTreeSet<&str> {
    runs.iter().map(|r| r.design.as_str()).collect()
}

fn paired(runs: &[Run], by: CompareBy) -> Result<BTreeMap<Key<'_>, &Run>, Failure> {
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
