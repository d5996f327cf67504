//! `heddle compare`: sets of results side by side.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use heddle_files::Input;
use serde_json::{Map, Value, json};

use crate::args::{CompareArgs, CompareBy, Format};
use crate::column::Column;
use crate::mean::means;
use crate::result_lines::{self, ResultLine};
use crate::settings::{differences, line};
use crate::table::Rows;
use crate::variants::{FILE, Settings, Varying, line as settings_line, shown};
use crate::{Failure, Outcome, print};

/// Columns of the table; CSV has the presets too.
const COLUMNS: &[Column] = &[
    Column::kept("kernel"),
    Column::ranked("size", 5),
    Column::ranked("seed", 6),
    Column::ranked("design_a", 3),
    Column::ranked("settings_a", 4).optional(),
    Column::kept("design_b"),
    Column::kept("settings_b").text().optional(),
    Column::ranked("cycles_a", 2),
    Column::ranked("cycles_b", 2),
    Column::kept("cycles_b_to_a").fraction(),
    Column::ranked("ipc_a", 7).fraction(),
    Column::ranked("ipc_b", 7).fraction(),
    Column::ranked("ipc_b_to_a", 1).fraction(),
];

/// One line of results.
pub struct Run {
    pub design: String,
    pub kernel: String,
    pub size: String,
    pub seed: u64,
    pub place: String,
    pub values: Map<String, Value>,
}

/// What every design and setting shares: kernel, size, seed.
pub type Task<'a> = (&'a str, &'a str, u64);

impl Run {
    pub fn task(&self) -> Task<'_> {
        (&self.kernel, &self.size, self.seed)
    }
}

/// Two runs side by side, or one without a partner.
type Pair<'a> = (Option<&'a Run>, Option<&'a Run>);

/// Prints cycles and IPC of both sets and their ratio, and whether the runs of a pair had the same SM; a run that
/// is in one set only is there too.
pub fn compare(args: &CompareArgs) -> Outcome {
    let (a, b) = (read(&args.a)?, read_all(&args.b)?);
    let (varying_a, varying_b) = (Varying::of(&a), Varying::of(&b));
    if let Some(key) = &args.mean {
        return means(args, key, &a, &b, &varying_b);
    }
    let tasks: BTreeSet<Task<'_>> = a.iter().map(Run::task).collect();
    let one = designs(&a).len() == 1 && tasks.len() == a.len();
    let by = args.by.unwrap_or(if one { CompareBy::Kernel } else { CompareBy::Design });
    let names =
        |run: Option<&Run>, varying: &Varying| run.map(|run| varying.settings(run)).unwrap_or_default();
    let (pairs, varying_a, varying_b) = match by {
        CompareBy::Kernel => (with_one(&a, &b, &varying_b)?, varying_a, varying_b),
        CompareBy::Design => {
            let varying = varying_a.and(varying_b);
            (with_own(&a, &b, &varying)?, varying, Varying::default())
        }
    };
    let mut columns = COLUMNS.to_vec();
    if args.format == Format::Csv {
        columns.extend(["preset_a", "preset_b"].map(Column::kept));
    }
    let mut rows = Rows::new(&columns);
    let mut differing: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let whole = pairs.iter().filter(|(x, y)| x.is_some() && y.is_some()).count();
    for (x, y) in pairs {
        let settings_a = names(x, &varying_a);
        let settings_b = match by {
            CompareBy::Kernel => names(y, &varying_b),
            CompareBy::Design => names(y, &varying_a),
        };
        let mut found = Vec::new();
        if let (Some(x), Some(y)) = (x, y) {
            found = differences(&x.values, &y.values);
            if !found.is_empty() {
                let name = [x.kernel.clone(), x.size.clone(), x.seed.to_string(), y.design.clone()];
                let name = [name.join(" "), settings_line(&settings_b)].join(" ");
                differing.entry(line(&found)).or_default().push(name.trim_end().to_owned());
            }
        }
        rows.push(row((x, y), (&settings_a, &settings_b), args.format, found));
    }
    let mut text = rows.text(args.format);
    if args.format == Format::Table {
        for (line, names) in &differing {
            let of = if names.len() == whole { String::new() } else { format!(" of {}", names.join(", ")) };
            text.push_str(&format!("the ratios{of} compare different SMs, a and b: {line}\n"));
        }
    }
    print(&text)?;
    if whole == 0 {
        let (a, b) = (args.a.display(), files(&args.b));
        let advice = if by == CompareBy::Design { "design, " } else { "" };
        let what = format!("no run of {a} has one of the same {advice}kernel, size and seed in {b}");
        return Err(Failure::usage(what));
    }
    Ok(())
}

fn row(
    (x, y): Pair<'_>,
    (settings_a, settings_b): (&Settings, &Settings),
    format: Format,
    differ: Vec<(String, Value, Value)>,
) -> Map<String, Value> {
    let value =
        |run: Option<&Run>, name: &str| run.and_then(|r| r.values.get(name)).cloned().unwrap_or(Value::Null);
    let ratio = |name: &str| match (value(x, name).as_f64(), value(y, name).as_f64()) {
        (Some(x), Some(y)) if x != 0.0 => json!(y / x),
        _ => Value::Null,
    };
    let settings = |s: &Settings| if format == Format::Json { json!(s) } else { shown(s) };
    let differ: Map<String, Value> = differ.into_iter().map(|(key, x, y)| (key, json!([x, y]))).collect();
    let task = x.or(y).map(Run::task);
    let row = json!({
        "kernel": task.map(|t| t.0), "size": task.map(|t| t.1), "seed": task.map(|t| t.2),
        "design_a": x.map(|r| &r.design), "design_b": y.map(|r| &r.design),
        "settings_a": settings(settings_a), "settings_b": settings(settings_b),
        "cycles_a": value(x, "cycles"), "cycles_b": value(y, "cycles"), "cycles_b_to_a": ratio("cycles"),
        "ipc_a": value(x, "ipc"), "ipc_b": value(y, "ipc"), "ipc_b_to_a": ratio("ipc"),
        "preset_a": value(x, "preset"), "preset_b": value(y, "preset"), "differ": differ,
    });
    match row {
        Value::Object(row) => row,
        _ => Map::new(),
    }
}

/// Every run of `b` beside the one of `a` with the same kernel, size and seed; then those of `a` without one.
fn with_one<'a>(a: &'a [Run], b: &'a [Run], varying: &Varying) -> Result<Vec<Pair<'a>>, Failure> {
    let reference = by_task(a)?;
    let mut pairs: BTreeMap<(Task<'a>, &str, String), Pair<'a>> = BTreeMap::new();
    for run in b {
        let key = (run.task(), run.design.as_str(), settings_line(&varying.settings(run)));
        let pair = (reference.get(&run.task()).copied(), Some(run));
        if let Some((_, Some(other))) = pairs.insert(key, pair) {
            return Err(twice(run, other, ""));
        }
    }
    let found: BTreeSet<Task<'_>> = b.iter().map(Run::task).collect();
    for (task, run) in reference.into_iter().filter(|(task, _)| !found.contains(task)) {
        pairs.insert((task, "", String::new()), (Some(run), None));
    }
    Ok(pairs.into_values().collect())
}

/// Every run beside that of the same design and settings on the other side.
fn with_own<'a>(a: &'a [Run], b: &'a [Run], varying: &Varying) -> Result<Vec<Pair<'a>>, Failure> {
    let mut pairs: BTreeMap<(Task<'a>, &str, String), Pair<'a>> = BTreeMap::new();
    let key = |run: &'a Run| (run.task(), run.design.as_str(), settings_line(&varying.settings(run)));
    for run in a {
        if let Some(other) = pairs.entry(key(run)).or_default().0.replace(run) {
            return Err(twice(run, other, ""));
        }
    }
    for run in b {
        if let Some(other) = pairs.entry(key(run)).or_default().1.replace(run) {
            return Err(twice(run, other, ""));
        }
    }
    Ok(pairs.into_values().collect())
}

/// Runs by kernel, size and seed, of which each is there once.
pub fn by_task(runs: &[Run]) -> Result<BTreeMap<Task<'_>, &Run>, Failure> {
    let mut found: BTreeMap<Task<'_>, &Run> = BTreeMap::new();
    for run in runs {
        if let Some(other) = found.insert(run.task(), run) {
            let advice = "; use --by design, or a first file with one design and one choice of settings";
            return Err(twice(run, other, advice));
        }
    }
    Ok(found)
}

/// A run that is there a second time where one was wanted.
pub fn twice(run: &Run, other: &Run, advice: &str) -> Failure {
    let Run { design, kernel, size, seed, place, .. } = run;
    let first = &other.place;
    Failure::usage(format!(
        "{place}: {design} {kernel} {size} with seed {seed} is there twice, first in {first}{advice}"
    ))
}

/// The designs of some runs.
pub fn designs(runs: &[Run]) -> BTreeSet<&str> {
    runs.iter().map(|r| r.design.as_str()).collect()
}

/// Names of files for a message.
pub fn files(paths: &[PathBuf]) -> String {
    paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ")
}

/// A file with results: a line of about a kilobyte for each run.
const RESULTS: Input = Input { expected: "lines of --format json", most: 64 << 20 };

/// The runs of several files; which one is a setting of theirs.
fn read_all(paths: &[PathBuf]) -> Result<Vec<Run>, Failure> {
    let mut all = Vec::new();
    for path in paths {
        let mut runs = read(path)?;
        if paths.len() > 1 {
            for run in &mut runs {
                run.values.insert(FILE.to_owned(), path.display().to_string().into());
            }
        }
        all.extend(runs);
    }
    Ok(all)
}

fn read(path: &Path) -> Result<Vec<Run>, Failure> {
    result_lines::read(path, RESULTS)?.into_iter().map(run).collect()
}

fn run(line: ResultLine) -> Result<Run, Failure> {
    let ResultLine { place, values } = line;
    let missing = |name: &str| {
        Failure::usage(format!("{place}: the object has no '{name}'; expected a line of --format json"))
    };
    let text =
        |name: &str| values.get(name).and_then(Value::as_str).map(str::to_owned).ok_or_else(|| missing(name));
    let (design, kernel, size) = (text("design")?, text("kernel")?, text("size")?);
    let seed = values.get("seed").and_then(Value::as_u64).ok_or_else(|| missing("seed"))?;
    Ok(Run { design, kernel, size, seed, place, values })
}
