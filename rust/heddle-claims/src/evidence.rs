//! Results of experiments, as claims look at them.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use heddle_energy::{RunEnergy, Technology};
use heddle_experiments::{Chosen, Experiment, Identity, Plan, Point, ResultRow, ResultSet, Store};

use crate::claim::Shown;
use crate::computed::Computed;
use crate::error::ClaimError;
use crate::source::{FromExperiment, Measure};
use crate::stock::Stock;

/// What results of experiments are there, and what can be computed without them.
#[derive(Debug)]
pub struct Evidence<'a> {
    stock: &'a Stock,
    results: BTreeMap<String, ResultSet>,
    computed: RefCell<Computed>,
    missing: RefCell<Missing>,
    commits: RefCell<BTreeSet<String>>,
}

/// Kernels at points that have no result, by experiment.
pub type Missing = BTreeMap<String, BTreeSet<(Chosen, String)>>;

impl<'a> Evidence<'a> {
    /// The results of all experiments of `stock` below the folder `results`: those of this program and these files
    /// alone, by their keys.
    ///
    /// # Errors
    /// An experiment that cannot be planned, a folder of results that is none or cannot be listed, or a file of results that
    /// is damaged.
    pub fn load(stock: &'a Stock, identity: &Identity, results: &Path) -> Result<Self, ClaimError> {
        let mut sets = BTreeMap::new();
        for (id, experiment) in stock.experiments() {
            let store = Store::new(results, id);
            // Where nothing was run, keys need not be known.
            if store.any()? {
                let plan = Plan::new(experiment.clone(), stock.root(), identity)?;
                sets.insert(id.clone(), ResultSet::load(&plan, &store)?);
            }
        }
        Ok(Self::new(stock, sets))
    }

    /// Results that are given, by experiment.
    #[must_use]
    pub fn new(stock: &'a Stock, results: BTreeMap<String, ResultSet>) -> Self {
        Self {
            stock,
            results,
            computed: RefCell::default(),
            missing: RefCell::default(),
            commits: RefCell::default(),
        }
    }

    /// Results that were asked for and are not there: kernels with the labels of points, by experiment. More may be asked
    /// for once these are there, since a value is looked at before its conditions.
    #[must_use]
    pub fn missing(&self) -> Missing {
        self.missing.borrow().clone()
    }

    /// The commits of the programs that made the results that were looked at, each once, in order.
    pub(crate) fn commits(&self) -> BTreeSet<String> {
        self.commits.borrow().clone()
    }

    /// A computed measure; it is computed once.
    pub(crate) fn computed(&self, name: &str) -> Result<f64, ClaimError> {
        self.computed.borrow_mut().value(self.stock, name)
    }

    /// The experiment with a name.
    pub(crate) fn experiment(&self, id: &str) -> Option<&'a Experiment> {
        self.stock.experiments().get(id)
    }

    /// A number of a kernel at a point; `None` where it is not there.
    pub(crate) fn number(
        &self,
        experiment: &str,
        point: &Point,
        kernel: &Chosen,
        measure: &Measure,
    ) -> Result<Option<f64>, ClaimError> {
        let Some(row) = self.results.get(experiment).and_then(|set| set.find(point, kernel)) else {
            let mut missing = self.missing.borrow_mut();
            missing.entry(experiment.to_owned()).or_default().insert((kernel.clone(), point.label()));
            return Ok(None);
        };
        self.commits.borrow_mut().insert(commit_of(row));
        let technology = measure.technology.as_ref().and_then(|name| self.stock.technologies().get(name));
        let sum = |keys: &[String]| -> Result<Option<f64>, ClaimError> {
            let mut sum = Some(0.0);
            for key in keys {
                let value = of_row(row, key, technology)?;
                sum = sum.and_then(|sum| Some(sum + value?));
            }
            Ok(sum)
        };
        let below = if measure.by.is_empty() { Some(1.0) } else { sum(&measure.by)? };
        let (Some(above), Some(below)) = (sum(&measure.keys)?, below) else { return Ok(measure.none) };
        Ok((below != 0.0).then(|| above / below))
    }

    /// The value of a kernel at a point as a claim looks at it: itself, or beside its base.
    pub(crate) fn value(
        &self,
        source: &FromExperiment,
        shown: Shown,
        point: &Point,
        kernel: &Chosen,
    ) -> Result<Option<f64>, ClaimError> {
        let own = self.number(&source.experiment, point, kernel, &source.measure)?;
        if !shown.is_relative() {
            return Ok(own);
        }
        let base = self
            .experiment(&source.experiment)
            .and_then(|experiment| experiment.with_base(source.against.as_ref()).base_of(point));
        let Some(base) = base else { return Ok(None) };
        let base = self.number(&source.experiment, &base, kernel, &source.measure)?;
        let (Some(own), Some(base)) = (own, base) else { return Ok(None) };
        Ok(match shown {
            Shown::Difference => Some(own - base),
            _ => (base != 0.0).then(|| own / base),
        })
    }
}

/// The commit of the program that made a row.
fn commit_of(row: &ResultRow) -> String {
    let program = row.row.get("made_by").and_then(|made_by| made_by.get("program"));
    let commit = program.and_then(|program| program.get("commit")?.as_str()).unwrap_or("unknown");
    let clean = program.and_then(|program| program.get("clean")?.as_bool()) == Some(true);
    format!("{commit}{}", if clean { "" } else { " with changes" })
}

/// A number of a row; of `energy.*` what the run took by a technology.
fn of_row(row: &ResultRow, key: &str, technology: Option<&Technology>) -> Result<Option<f64>, ClaimError> {
    let (Some(name), Some(technology)) = (key.strip_prefix("energy."), technology) else {
        return Ok(row.number(key));
    };
    let energy = RunEnergy::new(technology, &row.row)?;
    Ok(match name {
        "dynamic_pj" => Some(energy.dynamic_pj),
        "leakage_pj" => Some(energy.leakage_pj),
        "total_pj" => Some(energy.total_pj),
        "average_mw" => Some(energy.average_mw),
        _ => None,
    })
}
