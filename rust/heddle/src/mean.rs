//! `heddle compare --mean`: one number for each design over all kernels.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::args::{CompareArgs, Format};
use crate::column::Column;
use crate::compare::{Run, Task, by_task, designs, files, twice};
use crate::mean_key::MeanKey;
use crate::settings::{differences, line};
use crate::table::Rows;
use crate::variants::{Varying, line as settings_line, shown};
use crate::{Failure, Outcome, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::ranked("design_a", 1),
    Column::kept("design_b"),
    Column::kept("settings_b").text().optional(),
    Column::ranked("key", 2),
    Column::kept("pairs"),
    Column::ranked("left_out", 1),
    Column::kept("mean_b_to_a").fraction(),
    Column::ranked("least", 3).fraction(),
    Column::ranked("least_kernel", 4),
    Column::ranked("most", 3).fraction(),
    Column::ranked("most_kernel", 4),
];

/// The ratios of one design, and the runs without one.
#[derive(Debug, Default, PartialEq)]
struct Ratios {
    /// By kernel.
    found: Vec<(String, f64)>,
    /// Runs without a partner, and pairs with a value that is not there or 0.
    left_out: Vec<String>,
}

impl Ratios {
    fn geometric_mean(&self) -> Option<f64> {
        let logarithms: f64 = self.found.iter().map(|(_, ratio)| ratio.ln()).sum();
        (!self.found.is_empty()).then(|| (logarithms / self.found.len() as f64).exp())
    }
}

/// Prints, for each design of `b` and each choice of settings that tells its runs apart, the geometric mean of the
/// ratio of a value to that of the one design of `a`.
pub fn means(args: &CompareArgs, key: &str, a: &[Run], b: &[Run], varying: &Varying) -> Outcome {
    let of_a = designs(a);
    let [design_a] = of_a.iter().copied().collect::<Vec<_>>()[..] else {
        let names: Vec<&str> = of_a.into_iter().collect();
        let what = "--mean needs the runs of one design in";
        return Err(Failure::usage(format!("{what} {}, there are: {}", args.a.display(), names.join(", "))));
    };
    let key = MeanKey::find(key, a, b)?;
    let reference = by_task(a)?;
    let mut variants: BTreeMap<(&str, String), Vec<&Run>> = BTreeMap::new();
    for run in b {
        let settings = varying.settings(run);
        let runs = variants.entry((run.design.as_str(), settings_line(&settings))).or_default();
        if let Some(other) = runs.iter().find(|other| other.task() == run.task()) {
            return Err(twice(run, other, ""));
        }
        runs.push(run);
    }
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let mut notes: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut without = Vec::new();
    let mut pairs = 0;
    for ((design, settings), runs) in &variants {
        let name = format!("{design} {settings}").trim_end().to_owned();
        let ratios = ratios(&reference, runs, &key);
        pairs += ratios.found.len();
        let most = ratios.found.iter().max_by(|x, y| x.1.total_cmp(&y.1));
        let least = ratios.found.iter().min_by(|x, y| x.1.total_cmp(&y.1));
        let settings = runs.first().map(|run| varying.settings(run)).unwrap_or_default();
        let row = json!({
            "design_a": design_a, "design_b": design, "key": key.text(), "pairs": ratios.found.len(),
            "settings_b": if args.format == Format::Json { json!(settings) } else { shown(&settings) },
            "mean_b_to_a": ratios.geometric_mean(),
            "least": least.map(|l| l.1), "least_kernel": least.map(|l| &l.0),
            "most": most.map(|m| m.1), "most_kernel": most.map(|m| &m.0),
            "left_out": ratios.left_out.len(), "runs_left_out": ratios.left_out,
        });
        if let Value::Object(row) = row {
            rows.push(row);
        }
        if !ratios.left_out.is_empty() {
            without.push(format!("{name}, left out: {}\n", ratios.left_out.join(", ")));
        }
        for run in runs {
            let found = reference.get(&run.task()).map(|other| differences(&other.values, &run.values));
            let named = notes.entry(found.map(|found| line(&found)).unwrap_or_default()).or_default();
            if !named.contains(&name) {
                named.push(name.clone());
            }
        }
    }
    if pairs == 0 {
        let (in_a, in_b) = (key.missing(a), key.missing(b));
        let what = match (in_a.first(), in_b.first()) {
            (Some(name), _) => format!("no run of {} has a number '{name}'", args.a.display()),
            (None, Some(name)) => format!("no run of {} has a number '{name}'", files(&args.b)),
            (None, None) => format!("no pair of runs has a value '{}' above 0", key.text()),
        };
        return Err(Failure::usage(format!("{what}\n{}", without.concat().trim_end())));
    }
    let mut text = rows.text(args.format);
    if args.format == Format::Table {
        text.push_str(&without.concat());
        for (line, names) in notes.iter().filter(|(line, _)| !line.is_empty()) {
            text.push_str(&format!("{design_a} and {} ran on different SMs: {line}\n", names.join(", ")));
        }
    }
    print(&text)
}

fn ratios(reference: &BTreeMap<Task<'_>, &Run>, runs: &[&Run], key: &MeanKey) -> Ratios {
    let mut ratios = Ratios::default();
    let name = |(kernel, size, seed): Task<'_>| format!("{kernel} {size} {seed}");
    for run in runs {
        let other = reference.get(&run.task());
        match other.and_then(|other| Some((key.value(other)?, key.value(run)?))) {
            Some((a, b)) => ratios.found.push((run.kernel.clone(), b / a)),
            None => ratios.left_out.push(name(run.task())),
        }
    }
    let seen = |task: &Task<'_>| runs.iter().any(|run| run.task() == *task);
    ratios.left_out.extend(reference.keys().filter(|task| !seen(task)).map(|task| name(*task)));
    ratios
}

#[cfg(test)]
mod tests {
    use super::Ratios;

    #[test]
    fn the_mean_of_ratios_is_geometric() {
        let of = |ratios: &[f64]| Ratios {
            found: ratios.iter().map(|r| (String::new(), *r)).collect(),
            left_out: Vec::new(),
        };
        let mean = of(&[0.5, 2.0, 8.0]).geometric_mean().expect("a mean");
        assert!((mean - 2.0).abs() < 1e-12, "{mean}");
        assert_eq!(of(&[]).geometric_mean(), None);
    }
}
