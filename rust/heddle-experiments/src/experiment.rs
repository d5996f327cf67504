//! Experiments, read and checked.

use std::path::Path;

use heddle_config::Override;
use heddle_cosim::{Ctas, Engine, Kernel, Per, RunSpec};
use heddle_files::Input;
use heddle_workloads::Size;

use crate::catalog::Catalog;
use crate::check::Check;
use crate::error::ExperimentError;
use crate::file::Text;
use crate::scale::Scale;
use crate::tlp::Tlp;

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
    /// How much of it runs.
    pub scale: Scale,
    /// Size of the kernels' inputs at this scale.
    pub size: Size,
    /// Seed of the inputs.
    pub seed: u64,
    /// What drives the SM.
    pub engine: Engine,
    /// A run fails when it has not ended after this many cycles.
    pub max_cycles: Option<u64>,
    /// SMs that are simulated.
    pub sms: u32,
    /// Kernels that run at this scale, each as a whole or one of its entries.
    pub kernels: Vec<Chosen>,
    /// Its other kernels, which this scale leaves out.
    pub left_out: Vec<Chosen>,
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
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name, unique in the experiment.
    pub name: String,
    /// The design.
    pub design: String,
    /// The preset by name or file; `None` is the design's own.
    pub preset: Option<String>,
    /// How many CTAs are resident at once.
    pub tlp: Tlp,
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
    /// How many CTAs are resident at once.
    pub tlp: Tlp,
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
}

impl Series {
    /// Its points: all combinations of the swept values, the last key fastest.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        every_choice(&self.sweep).into_iter().map(|swept| self.point(swept)).collect()
    }

    /// The point with these values of the swept keys.
    fn point(&self, swept: Vec<(String, String)>) -> Point {
        let last = swept.iter().map(|(key, value)| Override { key: key.clone(), value: value.clone() });
        let overrides = self.set.iter().cloned().chain(last).collect();
        let (series, design, preset) = (self.name.clone(), self.design.clone(), self.preset.clone());
        Point { series, design, preset, tlp: self.tlp, swept, overrides }
    }

    /// The point that has the values of `point` for all keys that are swept here.
    fn beside(&self, point: &Point) -> Option<Point> {
        let swept = self.sweep.iter().map(|(key, values)| {
            point.swept.iter().find(|(other, value)| other == key && values.contains(value)).cloned()
        });
        Some(self.point(swept.collect::<Option<_>>()?))
    }
}

/// Points that swept keys may have together.
pub const MOST_POINTS: usize = 10_000;

/// More points than [`MOST_POINTS`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the keys have more than {MOST_POINTS} points together")]
pub struct TooManyPoints;

/// Refuses keys that have more than [`MOST_POINTS`] choices of a value for each.
pub fn countable(keys: &[(String, Vec<String>)]) -> Result<(), TooManyPoints> {
    let count = keys.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
    count.filter(|count| *count <= MOST_POINTS).map(|_| ()).ok_or(TooManyPoints)
}

/// Every choice of a value for each key, the last key fastest; of no keys the one choice of none.
///
/// # Errors
/// [`TooManyPoints`].
pub fn combinations(keys: &[(String, Vec<String>)]) -> Result<Vec<Vec<(String, String)>>, TooManyPoints> {
    countable(keys)?;
    Ok(every_choice(keys))
}

fn every_choice(keys: &[(String, Vec<String>)]) -> Vec<Vec<(String, String)>> {
    keys.iter().fold(vec![Vec::new()], |chosen, (key, values)| {
        let longer = |before: &Vec<(String, String)>| -> Vec<Vec<(String, String)>> {
            values.iter().map(|value| [&before[..], &[(key.clone(), value.clone())]].concat()).collect()
        };
        chosen.iter().flat_map(longer).collect()
    })
}

impl Experiment {
    /// Reads a file and checks every name, key and value of it, those of the other scales too.
    ///
    /// # Errors
    /// [`ExperimentError::Read`], or [`ExperimentError::At`] with the place and what was expected.
    pub fn load(path: &Path, catalog: &Catalog, scale: Scale) -> Result<Self, ExperimentError> {
        let text = EXPERIMENT_FILE.text(path)?;
        let text = Text { path, text: &text };
        let file = text.parse()?;
        let checked = Check { text, catalog }.experiment(&file, scale)?;
        Ok(checked)
    }

    /// All points of all series, in their order.
    #[must_use]
    pub fn points(&self) -> Vec<Point> {
        self.series.iter().flat_map(Series::points).collect()
    }

    /// The same with another series as its base, where one is named.
    #[must_use]
    pub fn with_base(&self, series: Option<&String>) -> Self {
        let mut other = self.clone();
        other.normalise_to = series.cloned().or(other.normalise_to);
        other
    }

    /// The point by which `point` is divided: that of `normalise_to` with the same values of all keys that both sweep.
    #[must_use]
    pub fn base_of(&self, point: &Point) -> Option<Point> {
        let base = self.series.iter().find(|series| Some(&series.name) == self.normalise_to.as_ref())?;
        base.beside(point)
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
