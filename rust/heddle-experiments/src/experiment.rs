//! Experiments, read and checked.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Kernel, Per, PreparedDesign, RunSpec};
use heddle_files::Input;
use heddle_workloads::{Size, Workload};
use toml::{Spanned, Value};

use crate::catalog::Catalog;
use crate::error::ExperimentError;
use crate::file::{ExperimentFile, SeriesFile, Text, setting};

/// A file with an experiment; those that ship have a kilobyte.
const EXPERIMENT_FILE: Input = Input { expected: "an experiment in TOML", most: 1 << 20 };

/// The runs of a figure or table: every point of every series with every kernel.
#[derive(Debug, Clone)]
pub struct Experiment {
    /// Its name, the stem of its file.
    pub id: String,
    /// One line that says what is held against what.
    pub title: String,
    /// The publication, with figure or table.
    pub source: String,
    /// Size of the kernels' inputs.
    pub size: Size,
    /// Seed of the inputs.
    pub seed: u64,
    /// What drives the SM.
    pub engine: Engine,
    /// A run fails when it has not ended after this many cycles.
    pub max_cycles: Option<u64>,
    /// SMs that are simulated.
    pub sms: u32,
    /// Kernels, each as a whole or one of its entries.
    pub kernels: Vec<Chosen>,
    /// Key of the rows of results that is looked at, such as `ipc` or `events.shift`.
    pub measure: String,
    /// Name of the series that the others are divided by.
    pub normalise_to: Option<String>,
    /// What is varied.
    pub series: Vec<Series>,
}

/// A kernel, or one of its entries.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Chosen {
    /// Name of a kernel that ships with Heddle.
    pub kernel: String,
    /// Name of an entry; the whole kernel without one.
    pub entry: Option<String>,
}

impl std::fmt::Display for Chosen {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.kernel)?;
        self.entry.as_ref().map_or(Ok(()), |entry| write!(f, ":{entry}"))
    }
}

/// A design and what is varied of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Series {
    /// Its name, unique in the experiment.
    pub name: String,
    /// The design.
    pub design: String,
    /// The preset by name or file; `None` is the design's own.
    pub preset: Option<String>,
    /// Values that hold in all of its points.
    pub set: Vec<Override>,
    /// Keys with several values each; every combination is a point.
    pub sweep: Vec<(String, Vec<String>)>,
}

/// A configuration that all kernels run with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Point {
    /// Name of its series.
    pub series: String,
    /// The design.
    pub design: String,
    /// The preset; `None` is the design's own.
    pub preset: Option<String>,
    /// The keys that the series sweeps, each with its value here.
    pub swept: Vec<(String, String)>,
    /// All values that it sets in the preset, the swept ones last.
    pub overrides: Vec<Override>,
}

impl Point {
    /// `osm shared_memory.cache_bytes=8192`.
    #[must_use]
    pub fn label(&self) -> String {
        let swept = self.swept.iter().map(|(key, value)| format!(" {key}={value}"));
        std::iter::once(self.series.clone()).chain(swept).collect()
    }

    /// Whether it has the values of all keys that `base` sweeps.
    fn agrees_with(&self, base: &Self) -> bool {
        base.swept.iter().all(|pair| self.swept.contains(pair))
    }
}

impl Series {
    /// Its points: all combinations of the swept values, the last key fastest.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        let point = |swept: Vec<(String, String)>| {
            let last = swept.iter().map(|(key, value)| Override { key: key.clone(), value: value.clone() });
            let overrides = self.set.iter().cloned().chain(last).collect();
            let (series, design, preset) = (self.name.clone(), self.design.clone(), self.preset.clone());
            Point { series, design, preset, swept, overrides }
        };
        combinations(&self.sweep).into_iter().map(point).collect()
    }
}

/// Every choice of a value for each key, the last key fastest; of no keys the one choice of none.
#[must_use]
pub fn combinations(keys: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    keys.iter().fold(vec![Vec::new()], |chosen, (key, values)| {
        let longer = |before: &Vec<(String, String)>| -> Vec<Vec<(String, String)>> {
            values.iter().map(|value| [&before[..], &[(key.clone(), value.clone())]].concat()).collect()
        };
        chosen.iter().flat_map(longer).collect()
    })
}

impl Experiment {
    /// Reads a file and checks every name, key and value of it; `size` stands in for that of the file.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], or [`ExperimentError::At`] with the place and what was expected.
    pub fn load(path: &Path, catalog: &Catalog, size: Option<Size>) -> Result<Self, ExperimentError> {
        let text = EXPERIMENT_FILE.text(path)?;
        let text = Text { path, text: &text };
        let file = text.parse()?;
        let checked = Check { text, catalog }.experiment(&file, size)?;
        Ok(checked)
    }

    /// All points of all series, in their order.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        self.series.iter().flat_map(Series::points).collect()
    }

    /// The point by which `point` is divided: that of `normalise_to` with the same values of all keys that both sweep.
    #[must_use]
    pub fn base_of(&self, point: &Point) -> Option<Point> {
        let base = self.series.iter().find(|series| Some(&series.name) == self.normalise_to.as_ref())?;
        base.points().into_iter().find(|base| point.agrees_with(base))
    }

    /// The run of a kernel at a point.
    #[must_use]
    pub fn spec(&self, root: &Path, point: &Point, kernel: &str) -> RunSpec {
        let kernel = Kernel::Workload { name: kernel.to_owned(), size: self.size };
        let ctas = Ctas::usual(&kernel);
        let mut spec = RunSpec::new(root.to_owned(), point.design.clone(), kernel, self.engine);
        spec.preset.clone_from(&point.preset);
        spec.overrides.clone_from(&point.overrides);
        spec.seed = self.seed;
        spec.max_cycles = self.max_cycles;
        spec.sms = self.sms;
        spec.ctas = ctas;
        spec.per = Per::Entry;
        spec
    }
}

/// A file that is being checked.
struct Check<'a> {
    text: Text<'a>,
    catalog: &'a Catalog,
}

impl Check<'_> {
    fn experiment(&self, file: &ExperimentFile, size: Option<Size>) -> Result<Experiment, ExperimentError> {
        let stem = self.text.path.file_stem().unwrap_or_default().to_string_lossy();
        if *file.id.get_ref() != *stem {
            let what = format!("id is '{}'; expected the name of the file, '{stem}'", file.id.get_ref());
            return Err(self.text.wrong(file.id.span(), what));
        }
        let named: Result<Size, _> = file.size.get_ref().parse();
        let named = named.map_err(|e| self.text.wrong(file.size.span(), e.to_string()))?;
        let size = size.unwrap_or(named);
        let measure = file.measure.get_ref().clone();
        self.catalog.check_measure(&measure).map_err(|e| self.text.wrong(file.measure.span(), e))?;
        if file.series.get_ref().is_empty() {
            return Err(self.text.wrong(file.series.span(), "no series; expected at least one [[series]]"));
        }
        let mut names = BTreeSet::new();
        let mut series = Vec::new();
        for one in file.series.get_ref() {
            if !names.insert(one.name.get_ref().as_str()) {
                let what = format!("series '{}' is there twice; expected other names", one.name.get_ref());
                return Err(self.text.wrong(one.name.span(), what));
            }
            series.push(self.series(one)?);
        }
        let experiment = Experiment {
            id: file.id.get_ref().clone(),
            title: file.title.clone(),
            source: file.source.clone(),
            size,
            seed: file.seed.unwrap_or(1),
            engine: self.engine(file.engine.as_ref())?,
            max_cycles: file.max_cycles.map(std::num::NonZero::get),
            sms: file.sms.map_or(1, std::num::NonZero::get),
            kernels: self.kernels(&file.kernels, size)?,
            measure,
            normalise_to: file.normalise_to.as_ref().map(|name| name.get_ref().clone()),
            series,
        };
        if let Some(base) = &file.normalise_to {
            self.base(&experiment, base)?;
        }
        self.points(&experiment, file)?;
        Ok(experiment)
    }

    fn engine(&self, name: Option<&Spanned<String>>) -> Result<Engine, ExperimentError> {
        let Some(name) = name else { return Ok(Engine::Sim) };
        let engines = [Engine::Sim, Engine::Cosim];
        engines.into_iter().find(|engine| engine.name() == name.get_ref()).ok_or_else(|| {
            let hint = heddle_suggest::hint_or_list(name.get_ref(), engines.map(Engine::name));
            self.text.wrong(name.span(), format!("unknown engine '{}'{hint}", name.get_ref()))
        })
    }

    fn kernels(&self, list: &Spanned<Value>, size: Size) -> Result<Vec<Chosen>, ExperimentError> {
        let wrong = |what: String| self.text.wrong(list.span(), what);
        let expected = "expected \"all\", or a list of kernels such as [\"bfs\", \"lud:lud_diagonal\"]";
        let names: Option<Vec<&str>> = match list.get_ref() {
            Value::String(all) if all == "all" => {
                let fitting = heddle_workloads::all().iter().filter(|w| w.sizes().contains(&size));
                Some(fitting.map(|w| w.name()).collect())
            }
            Value::Array(names) => names.iter().map(Value::as_str).collect(),
            _ => None,
        };
        let names = names.filter(|names| !names.is_empty());
        let names = names.ok_or_else(|| wrong(format!("these are no kernels; {expected}")))?;
        let mut seen = BTreeSet::new();
        for name in names {
            let (kernel, entry) = name.split_once(':').map_or((name, None), |(k, e)| (k, Some(e)));
            let workload = heddle_workloads::find(kernel).map_err(|e| wrong(e.to_string()))?;
            if !workload.sizes().contains(&size) {
                return Err(wrong(format!("kernel '{kernel}' has no size {size}")));
            }
            if let Some(entry) = entry {
                has_entry(workload, entry).map_err(wrong)?;
            }
            let chosen = Chosen { kernel: kernel.to_owned(), entry: entry.map(str::to_owned) };
            if !seen.insert(chosen) {
                return Err(wrong(format!("kernel '{name}' is there twice")));
            }
        }
        Ok(seen.into_iter().collect())
    }

    fn series(&self, file: &SeriesFile) -> Result<Series, ExperimentError> {
        let of = |key: &str, span: Range<usize>, value: &Value| {
            let what = "expected a number, a text or a truth value, and the whole path of the key in quotes";
            let wrong = || self.text.wrong(span, format!("'{key}' has no value that can be set; {what}"));
            setting(value).ok_or_else(wrong)
        };
        let mut set = Vec::new();
        for (key, value) in &file.set {
            let value = of(key, value.span(), value.get_ref())?;
            set.push(Override { key: key.clone(), value });
        }
        let mut sweep = Vec::new();
        for (key, values) in &file.sweep {
            let span = values.span();
            let list = values.get_ref().as_array().filter(|list| !list.is_empty()).ok_or_else(|| {
                let what = format!("'{key}' has no values; expected a list of at least one");
                self.text.wrong(span.clone(), what)
            })?;
            let values: Result<Vec<String>, _> = list.iter().map(|v| of(key, span.clone(), v)).collect();
            let values = values?;
            let different: BTreeSet<&String> = values.iter().collect();
            if different.len() < values.len() {
                return Err(self.text.wrong(span, format!("'{key}' has a value twice")));
            }
            if file.set.contains_key(key) {
                return Err(self
                    .text
                    .wrong(span, format!("'{key}' is in set too; expected it in one of them")));
            }
            sweep.push((key.clone(), values));
        }
        let preset = file.preset.as_ref().map(|preset| preset.get_ref().clone());
        let (name, design) = (file.name.get_ref().clone(), file.design.get_ref().clone());
        Ok(Series { name, design, preset, set, sweep })
    }

    /// Whether every point has one point that it is divided by.
    fn base(&self, experiment: &Experiment, base: &Spanned<String>) -> Result<(), ExperimentError> {
        let names = experiment.series.iter().map(|series| series.name.as_str());
        let found =
            experiment.series.iter().find(|series| series.name == *base.get_ref()).ok_or_else(|| {
                let hint = heddle_suggest::hint_or_list(base.get_ref(), names);
                self.text.wrong(base.span(), format!("unknown series '{}'{hint}", base.get_ref()))
            })?;
        for point in experiment.points() {
            if experiment.base_of(&point).is_none() {
                let keys: Vec<&str> = found.sweep.iter().map(|(key, _)| key.as_str()).collect();
                let what = format!(
                    "'{}' has no partner in series '{}', which sweeps {}: expected the same values of these there",
                    point.label(),
                    found.name,
                    keys.join(", ")
                );
                return Err(self.text.wrong(base.span(), what));
            }
        }
        Ok(())
    }

    /// Whether each point is a design with a preset that it can have.
    fn points(&self, experiment: &Experiment, file: &ExperimentFile) -> Result<(), ExperimentError> {
        let Some(kernel) = experiment.kernels.first() else { return Ok(()) };
        for (series, written) in experiment.series.iter().zip(file.series.get_ref()) {
            for point in series.points() {
                let spec = experiment.spec(self.catalog.root(), &point, &kernel.kernel);
                PreparedDesign::new(&spec).map_err(|e| {
                    let text = e.to_string();
                    self.text.wrong(place(written, &text), format!("series '{}': {text}", point.label()))
                })?;
            }
        }
        Ok(())
    }
}

/// Where in a series a fault of its design or preset is most likely from: the key that the message names.
fn place(series: &SeriesFile, message: &str) -> Range<usize> {
    let values = series.set.iter().chain(&series.sweep);
    let named = values.filter(|(key, _)| message.contains(key.as_str())).map(|(_, value)| value.span());
    let preset = series.preset.iter().filter(|p| message.contains(p.get_ref().as_str())).map(Spanned::span);
    named.chain(preset).next().unwrap_or_else(|| series.design.span())
}

/// Whether the PTX of a workload has an entry.
fn has_entry(workload: &dyn Workload, entry: &str) -> Result<(), String> {
    let (_, ptx) = workload.ptx();
    let name = |rest: &str| -> String {
        rest.trim_start().chars().take_while(|c| c.is_alphanumeric() || "_$".contains(*c)).collect()
    };
    let entries: Vec<String> = ptx.split(".entry").skip(1).map(name).collect();
    if entries.iter().any(|known| known == entry) {
        return Ok(());
    }
    let hint = heddle_suggest::hint_or_list(entry, entries.iter().map(String::as_str));
    Err(format!("kernel '{}' has no entry '{entry}'{hint}", workload.name()))
}
