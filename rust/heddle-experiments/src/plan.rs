//! The runs of an experiment, each with its key.

use std::collections::BTreeSet;
use std::path::Path;

use heddle_cosim::{PreparedDesign, RunSpec};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

use crate::error::ExperimentError;
use crate::experiment::{Chosen, Experiment, Point};
use crate::identity::{Identity, MADE_BY, hex};
use crate::tlp::Tlp;

/// Version of the files that are kept of runs; those of another version have other keys.
const FORMAT: u32 = 2;

/// A run.
#[derive(Debug, Clone)]
pub struct PlannedRun {
    /// Hash of all that its result depends on, in hexadecimal.
    pub key: String,
    /// What is hashed.
    pub identity: Value,
    /// The run.
    pub spec: RunSpec,
    /// Label of the first point that has it.
    pub point: String,
    /// How many CTAs are resident at once, where the settings of `spec` do not say it.
    pub tlp: Tlp,
}

/// What an experiment has to run.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The experiment.
    pub experiment: Experiment,
    /// Its runs; points that come to the same run share it.
    pub runs: Vec<PlannedRun>,
    /// Every point with every kernel, in the order of the file, with the key of its run.
    cells: Vec<(Point, Chosen, String)>,
}

impl Plan {
    /// The runs of `experiment` in the repository at `root`.
    ///
    /// # Errors
    /// [`ExperimentError::Run`]: a preset that changed since the experiment was read.
    pub fn new(experiment: Experiment, root: &Path, identity: &Identity) -> Result<Self, ExperimentError> {
        let mut runs: Vec<PlannedRun> = Vec::new();
        let mut cells = Vec::new();
        let mut seen = BTreeSet::new();
        for point in experiment.points() {
            let prepared = |kernel: &Chosen| experiment.spec(root, &point, &kernel.kernel);
            let Some(first) = experiment.kernels.first() else { continue };
            let design = PreparedDesign::new(&prepared(first))?;
            let (preset, parameters) = (design.preset.name.clone(), design.parameters()?);
            for kernel in &experiment.kernels {
                let mut spec = prepared(kernel);
                spec.made_by = identity.made_by().clone();
                let mut identity = json!({
                    "format": FORMAT,
                    MADE_BY: identity.hashed(),
                    "engine": spec.engine.name(),
                    "design": spec.design,
                    "preset": preset,
                    "parameters": parameters,
                    "kernel": kernel.kernel,
                    "size": spec.size_name(),
                    "seed": spec.seed,
                    "sms": spec.sms,
                    "ctas": format!("{:?}", spec.ctas),
                    "max_registers": spec.max_registers,
                    "max_cycles": spec.max_cycles,
                });
                if point.tlp != Tlp::Max {
                    identity["tlp"] = json!(point.tlp.name());
                }
                let key = hex(&Sha256::digest(identity.to_string()));
                if seen.insert(key.clone()) {
                    runs.push(PlannedRun {
                        key: key.clone(),
                        identity,
                        spec,
                        point: point.label(),
                        tlp: point.tlp,
                    });
                }
                cells.push((point.clone(), kernel.clone(), key));
            }
        }
        Ok(Self { experiment, runs, cells })
    }

    /// Every point with every kernel, and the key of its run.
    pub fn cells(&self) -> impl Iterator<Item = (&Point, &Chosen, &str)> {
        self.cells.iter().map(|(point, kernel, key)| (point, kernel, key.as_str()))
    }

    /// The part of the plan with the cells that `wanted` chooses, and their runs.
    #[must_use]
    pub fn only(&self, wanted: impl Fn(&Point, &Chosen) -> bool) -> Self {
        let cells = self.cells.iter().filter(|(point, kernel, _)| wanted(point, kernel)).cloned();
        let cells: Vec<_> = cells.collect();
        let keys: BTreeSet<&String> = cells.iter().map(|(_, _, key)| key).collect();
        let runs = self.runs.iter().filter(|run| keys.contains(&run.key)).cloned().collect();
        Self { experiment: self.experiment.clone(), runs, cells }
    }

    /// The runs of a point that no earlier point of the plan has.
    #[must_use]
    pub fn first_runs(&self, point: &Point) -> Vec<&PlannedRun> {
        let first = |run: &PlannedRun| {
            self.cells.iter().find(|(_, _, key)| *key == run.key).is_some_and(|(first, _, _)| first == point)
        };
        self.runs.iter().filter(|run| first(run)).collect()
    }
}
