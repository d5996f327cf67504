//! `heddle tolerable`.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Kernel, RunSpec, Session};
use heddle_experiments::{Means, Tolerance};
use heddle_manifest::Manifest;
use serde_json::{Map, Value, json};

use crate::args::{Format, TolerableArgs};
use crate::column::Column;
use crate::progress::Terminal;
use crate::root::root;
use crate::run::named;
use crate::settings::{blame, designs, usable, warn_of_unread};
use crate::table::Rows;
use crate::{Failure, Outcome, complain, ended, print};

/// Columns of the table and of CSV.
const COLUMNS: &[Column] = &[
    Column::ranked("design", 1),
    Column::kept("kernel"),
    Column::ranked("size", 3),
    Column::ranked("against", 1),
    Column::kept("tolerable").fraction().optional(),
    Column::kept("beyond"),
    Column::ranked("monotone", 2),
];

/// Speeds of one design with one kernel, by multiple of the first latency.
struct Curve {
    kernel: String,
    size: String,
    points: Vec<(f64, f64)>,
}

/// Finds for every kernel how slow the register file of each design may become: against the design's own speed at the
/// first latency and against that of the other design.
pub fn tolerable(args: &TolerableArgs, interrupted: &Arc<AtomicBool>) -> Outcome {
    let Some(&first) = args.values.first().filter(|first| **first > 0) else {
        return Err(Failure::usage("--values: expected numbers above 0"));
    };
    if args.values.windows(2).any(|pair| pair[1] <= pair[0]) {
        return Err(Failure::usage("--values: expected growing numbers, from the fastest register file on"));
    }
    let lost = |key: &str| key == args.key || heddle_config::set_by(&args.key).contains(&key);
    if let Some(change) = args.overrides.iter().find(|change| lost(&change.key)) {
        let what = format!("--set {}: --values say what {} is; expected one of them", change.key, args.key);
        return Err(Failure::usage(what));
    }
    let designs = designs(&args.design)?;
    let kernels = named("KERNEL", &args.kernel, &args.size)?;
    let mut bench = Bench {
        args,
        root: root()?,
        preset: None,
        terminal: Terminal::new(args.quiet, Arc::clone(interrupted)),
        worst: None,
    };
    bench.preset = Some(bench.preset_of(designs[0])?);
    bench.check(&args.against, first)?;
    for design in &designs {
        args.values.iter().try_for_each(|&value| bench.check(design, value))?;
    }
    for design in [&designs[..], &[args.against.as_str()]].concat() {
        warn_of_unread(&bench.root, design, bench.preset.as_deref(), &bench.overrides(first));
    }
    bench.terminal.batch(kernels.len() * (designs.len() * args.values.len() + 1));
    let others = bench.curves(&args.against, &kernels, &[first])?;
    let reference: BTreeMap<&str, f64> =
        others.iter().map(|curve| (curve.kernel.as_str(), curve.points[0].1)).collect();
    let mut rows = Rows::new(COLUMNS).whole_in_csv();
    let mut means = String::new();
    for design in designs {
        let curves = bench.curves(design, &kernels, &args.values)?;
        let own = |curve: &Curve| Some(curve.points[0].1);
        let other = |curve: &Curve| reference.get(curve.kernel.as_str()).copied();
        means.push_str(&push(&mut rows, args, (design, design), &curves, &own));
        if design != args.against {
            means.push_str(&push(&mut rows, args, (design, &args.against), &curves, &other));
        }
    }
    bench.terminal.clear();
    let mut text = rows.text(args.format);
    if args.format == Format::Table {
        text.push_str(&means);
    }
    ended(print(&text), bench.worst)
}

/// What runs.
struct Bench<'a> {
    args: &'a TolerableArgs,
    root: PathBuf,
    preset: Option<String>,
    terminal: Terminal,
    worst: Option<u8>,
}

impl Bench<'_> {
    /// The preset that all designs run on.
    fn preset_of(&self, design: &str) -> Result<String, Failure> {
        match &self.args.preset {
            Some(preset) => Ok(preset.clone()),
            None => Ok(Manifest::load(&self.root, design).map_err(Failure::usage)?.preset),
        }
    }

    /// What makes the register file slow.
    fn slow(&self, value: u32) -> Override {
        Override { key: self.args.key.clone(), value: value.to_string() }
    }

    /// The settings of a run with the register file at `value`.
    fn overrides(&self, value: u32) -> Vec<Override> {
        self.args.overrides.iter().cloned().chain([self.slow(value)]).collect()
    }

    /// Checks the settings of a run before the first begins.
    fn check(&self, design: &str, value: u32) -> Outcome {
        let all = self.overrides(value);
        let option = |change: &Override| format!("--key {} with {} of --values", change.key, change.value);
        usable(&self.root, design, self.preset.as_deref(), &all, Engine::Sim)
            .map_err(|error| blame(&error, &[self.slow(value)], option))
    }

    /// The speeds of a design with every kernel; a kernel with a run that fails is said and left out.
    fn curves(&mut self, design: &str, kernels: &[Kernel], values: &[u32]) -> Result<Vec<Curve>, Failure> {
        let mut curves = Vec::new();
        for kernel in kernels {
            let mut points = Vec::new();
            let spec = self.spec(design, kernel.clone());
            let (kernel, size) = (spec.kernel_name(), spec.size_name().to_owned());
            for &value in values {
                let mut spec = spec.clone();
                spec.overrides = self.overrides(value);
                let name = format!("{design} {kernel} {}={value}", self.args.key);
                self.terminal.next(name.clone());
                match Session::new(spec).and_then(|mut session| session.run(&mut self.terminal)) {
                    Ok(report) => {
                        points.push((f64::from(value) / f64::from(self.args.values[0]), report.ipc))
                    }
                    Err(error) if error.ends_all() => {
                        self.terminal.clear();
                        return Err(error.into());
                    }
                    Err(error) => {
                        self.terminal.clear();
                        complain(&format!("{name}: {error}"));
                        self.worst = self.worst.max(Some(error.exit_code()));
                    }
                }
            }
            if points.len() == values.len() {
                curves.push(Curve { kernel, size, points });
            }
        }
        Ok(curves)
    }

    fn spec(&self, design: &str, kernel: Kernel) -> RunSpec {
        let ctas = Ctas::usual(&kernel);
        let mut spec = RunSpec::new(self.root.clone(), design, kernel, Engine::Sim);
        spec.preset.clone_from(&self.preset);
        spec.seed = self.args.seed;
        spec.ctas = ctas;
        spec
    }
}

/// Adds a row for each kernel, against the speed that `reference` gives, and says in a line what all of them tolerate.
fn push(
    rows: &mut Rows,
    args: &TolerableArgs,
    (design, against): (&str, &str),
    curves: &[Curve],
    reference: &dyn Fn(&Curve) -> Option<f64>,
) -> String {
    let mut tolerated = Vec::new();
    let (mut beyond, mut intolerant) = (0, 0);
    for curve in curves {
        let Some(reference) = reference(curve) else { continue };
        let found = Tolerance::of(&curve.points, reference * (1.0 - args.loss / 100.0));
        tolerated.extend(found.latency);
        intolerant += usize::from(found.latency.is_none());
        beyond += usize::from(found.beyond);
        let point = |&(latency, ipc): &(f64, f64)| json!({ "latency": latency, "ipc": ipc, "relative": ipc / reference });
        let points: Vec<Value> = curve.points.iter().map(point).collect();
        rows.push(Map::from_iter(
            [
                ("design", json!(design)),
                ("kernel", json!(curve.kernel)),
                ("size", json!(curve.size)),
                ("against", json!(against)),
                ("key", json!(args.key)),
                ("loss_percent", json!(args.loss)),
                ("tolerable", json!(found.latency)),
                ("beyond", json!(found.beyond)),
                ("monotone", json!(found.monotone)),
                ("points", json!(points)),
            ]
            .map(|(key, value)| (key.to_owned(), value)),
        ));
    }
    let what = format!("{design} against {against} at 1x, loss of {} %", args.loss);
    let Some(Means { arithmetic, geometric: Some(geometric), values }) = Means::of(&tolerated) else {
        return format!("{what}: no kernel tolerates any\n");
    };
    format!(
        "{what}: {arithmetic:.2}x arithmetic, {geometric:.2}x geometric mean of {values} kernels, of which {beyond} tolerate all that \
         was tried; {intolerant} more lose too much at 1x\n",
    )
}
