//! `heddle bank-time`.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Kernel, OperandTimes, RunSpec, operand_times};
use serde_json::{Map, Value, json};

use crate::args::BankTimeArgs;
use crate::column::Column;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::named;
use crate::settings::{blame, each_once, usable, warn_of_unread};
use crate::table::Rows;
use crate::{Failure, Outcome, print};

/// The setting that makes banks slow.
const KEY: &str = "register_file.bank_cycles";
/// Settings of a bank's time, which stand for each other. The command sets them itself.
const TIMES: [&str; 3] = [KEY, "register_file.bank_eighths", "register_file.read_ps"];

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::ranked("design", 2),
    Column::kept("reference"),
    Column::kept("bank_cycles").fraction(),
    Column::kept("measured"),
    Column::ranked("kernels", 1),
    Column::kept("operand_cycles").fraction(),
    Column::kept("access_cycles").fraction(),
    Column::kept("ratio").fraction(),
];

/// The average access at one time of a bank.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Point {
    bank_cycles: f64,
    /// From issue until the operands are out.
    operand_cycles: f64,
    /// Of these, what no access waits for nor takes: the same at every time of a bank.
    around: f64,
}

impl Point {
    fn access_cycles(&self) -> f64 {
        self.operand_cycles - self.around
    }
}

/// Measures the average access to a design's register file at every time of a bank, and says at which time it takes so
/// many times as long as at one cycle.
pub fn bank_time(args: &BankTimeArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    if args.values.first() != Some(&1.0) || args.values.windows(2).any(|pair| pair[1] <= pair[0]) {
        return Err(Failure::usage("--values: expected growing numbers from 1 on"));
    }
    let typed = args.overrides.iter().chain(&args.reference);
    if let Some(time) = typed.map(|o| o.key.as_str()).find(|key| TIMES.contains(key)) {
        return Err(Failure::usage(format!(
            "{time}: the time of a bank is what is measured; expected in --values"
        )));
    }
    each_once("--reference", &args.reference)?;
    let kernels = named("KERNEL", &args.kernel, &args.size)?;
    let root = root()?;
    check(args, &root)?;
    warn_of_unread(&root, &args.design, args.preset.as_deref(), &overrides(args, false, 1.0));
    warn_of_unread(&root, &args.design, args.preset.as_deref(), &args.reference);
    let mut terminal = Terminal::new(args.quiet, Arc::clone(interrupted));
    let reference = !args.reference.is_empty();
    terminal.batch(kernels.len() * (args.values.len() + usize::from(reference)));
    let mut point = |of_reference, value, around: Option<f64>| {
        let measured = measure(args, &root, &overrides(args, of_reference, value), &kernels, &mut terminal);
        terminal.clear();
        let (operand_cycles, least) = measured?;
        Ok::<_, Failure>(Point { bank_cycles: value, operand_cycles, around: around.unwrap_or(least - 1.0) })
    };
    let once = if reference { Some(point(true, 1.0, None)?) } else { None };
    let mut points: Vec<Point> = Vec::new();
    for &value in &args.values {
        let around = points.first().map(|first| first.around);
        points.push(point(false, value, around)?);
    }
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let first = once.as_ref().unwrap_or(&points[0]).access_cycles();
    if let Some(point) = &once {
        rows.push(row(args, kernels.len(), point, first, [true, true]));
    }
    for point in &points {
        rows.push(row(args, kernels.len(), point, first, [true, false]));
    }
    for &ratio in &args.ratios {
        let point = between(&points, first * ratio).map_err(|(nearest, what)| {
            Failure::usage(format!(
                "--values: the average access takes {:.2}x at {} cycles a bank; for {ratio}x a {what} one is needed",
                nearest.access_cycles() / first,
                nearest.bank_cycles
            ))
        })?;
        rows.push(row(args, kernels.len(), &point, first, [false, false]));
    }
    print(&rows.text(args.format))
}

/// Checks the settings of all runs before the first.
fn check(args: &BankTimeArgs, root: &Path) -> Outcome {
    let takes = |of_reference, value| {
        let all = overrides(args, of_reference, value);
        usable(root, &args.design, args.preset.as_deref(), &all, Engine::Sim)
    };
    for &value in &args.values {
        let all = overrides(args, false, value);
        let of_values = |change: &Override| format!("{value} of --values, {}", change.key);
        let time: Vec<Override> = all.into_iter().filter(|change| change.key == KEY).collect();
        takes(false, value).map_err(|error| blame(&error, &time, of_values))?;
    }
    let option = |change: &Override| format!("--reference {}={}", change.key, change.value);
    takes(true, 1.0).map_err(|error| blame(&error, &args.reference, option))
}

/// Where the straight lines between the measured points have this average access; else the nearest point, and which time of
/// a bank is needed.
fn between(points: &[Point], access_cycles: f64) -> Result<Point, (Point, &'static str)> {
    let (first, last) = (points[0], points[points.len() - 1]);
    if access_cycles < first.access_cycles() {
        return Err((first, "smaller"));
    }
    if access_cycles == first.access_cycles() {
        return Ok(first);
    }
    let reached = points.windows(2).find(|pair| pair[1].access_cycles() >= access_cycles);
    let Some([from, to]) = reached else { return Err((last, "greater")) };
    let share = (access_cycles - from.access_cycles()) / (to.access_cycles() - from.access_cycles());
    let along = |from: f64, to: f64| from + share * (to - from);
    Ok(Point {
        bank_cycles: along(from.bank_cycles, to.bank_cycles),
        operand_cycles: along(from.operand_cycles, to.operand_cycles),
        around: from.around,
    })
}

/// The settings of a run whose banks take `value` cycles, of the reference or of the file that is measured.
fn overrides(args: &BankTimeArgs, of_reference: bool, value: f64) -> Vec<Override> {
    let slow = Override { key: KEY.to_owned(), value: value.to_string() };
    let reference = if of_reference { args.reference.as_slice() } else { &[] };
    args.overrides.iter().chain(reference).cloned().chain([slow]).collect()
}

/// The average of the kernels' average times, and the shortest time of all.
fn measure(
    args: &BankTimeArgs,
    root: &Path,
    overrides: &[Override],
    kernels: &[Kernel],
    terminal: &mut Terminal,
) -> Result<(f64, f64), Failure> {
    let mut all = Vec::new();
    for kernel in kernels {
        let mut spec = RunSpec::new(root.to_path_buf(), &args.design, kernel.clone(), Engine::Sim);
        spec.preset.clone_from(&args.preset);
        spec.seed = args.seed;
        spec.ctas = Ctas::usual(kernel);
        spec.overrides = overrides.to_vec();
        terminal.next(format!("{} {} {}", args.design, spec.kernel_name(), settings(overrides)));
        all.push(operand_times(spec, terminal)?);
    }
    let means: Vec<f64> = all.iter().filter_map(OperandTimes::mean).collect();
    let least = all.iter().filter_map(|times| times.least).min();
    let (Some(least), false) = (least, means.is_empty()) else {
        return Err(Failure::usage("no instruction of these kernels reads a register"));
    };
    Ok((means.iter().sum::<f64>() / means.len() as f64, least as f64))
}

/// Settings as they are typed.
fn settings(overrides: &[Override]) -> String {
    overrides.iter().map(|o| format!("{}={}", o.key, o.value)).collect::<Vec<_>>().join(" ")
}

/// A row for a point that was measured or lies between two, of the reference or of the file.
fn row(
    args: &BankTimeArgs,
    kernels: usize,
    point: &Point,
    first: f64,
    [measured, reference]: [bool; 2],
) -> Map<String, Value> {
    Map::from_iter(
        [
            ("design", json!(args.design)),
            ("reference", json!(reference)),
            ("bank_cycles", json!(point.bank_cycles)),
            ("measured", json!(measured)),
            ("kernels", json!(kernels)),
            ("operand_cycles", json!(point.operand_cycles)),
            ("access_cycles", json!(point.access_cycles())),
            ("ratio", json!(point.access_cycles() / first)),
        ]
        .map(|(key, value)| (key.to_owned(), value)),
    )
}

#[cfg(test)]
mod tests {
    use super::{Point, between};

    fn points() -> Vec<Point> {
        [(1.0, 5.0), (2.0, 7.0), (4.0, 15.0)]
            .map(|(bank_cycles, operand_cycles)| Point { bank_cycles, operand_cycles, around: 3.0 })
            .to_vec()
    }

    #[test]
    fn a_time_between_two_measured_ones_is_on_their_line() {
        let found = between(&points(), 6.0).expect("12 cycles are measured");
        assert_eq!((found.bank_cycles, found.operand_cycles), (2.5, 9.0));
        assert_eq!(between(&points(), 2.0).map(|point| point.bank_cycles), Ok(1.0));
    }

    #[test]
    fn a_time_beyond_the_measured_ones_is_not_guessed() {
        let missed = |access| between(&points(), access).map_err(|(point, what)| (point.bank_cycles, what));
        assert_eq!(missed(12.5), Err((4.0, "greater")));
        assert_eq!(missed(1.5), Err((1.0, "smaller")));
        assert_eq!(between(&points()[..1], 2.0).map(|point| point.bank_cycles), Ok(1.0));
    }
}
