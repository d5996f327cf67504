//! The part of a claim that names an experiment, held against it.

use heddle_experiments::{Chosen, Experiment, Point};
use heddle_workloads::Size;
use toml::Spanned;

use crate::check::Check;
use crate::claim::NeedKind;
use crate::error::ClaimError;
use crate::file::{ConditionFile, SelectionFile, ValueFile};
use crate::source::{FromExperiment, Measure, Selection};

/// Keys that a technology adds to the rows.
pub const ENERGY: [&str; 4] =
    ["energy.dynamic_pj", "energy.leakage_pj", "energy.total_pj", "energy.average_mw"];

impl Check<'_> {
    /// Where in the results of an experiment a value is.
    pub fn in_results(
        &self,
        file: &Spanned<ValueFile>,
        name: &Spanned<String>,
        common: &[ConditionFile],
    ) -> Result<FromExperiment, ClaimError> {
        let own = file.get_ref();
        let experiment = self.experiment(name)?;
        let technology =
            own.technology.as_ref().map(|t| self.known(NeedKind::Technology, t, &[])).transpose()?;
        let none = own.none.as_ref().map(|none| *none.get_ref());
        if let Some(span) = own.none.as_ref().filter(|none| !none.get_ref().is_finite()).map(Spanned::span) {
            return Err(self.text.wrong(span, "expected a finite number"));
        }
        let measure = match &own.measure {
            Some(keys) => Measure { none, ..self.measure(keys, &own.by, technology)? },
            None if own.by.is_empty() && technology.is_none() && none.is_none() => {
                Measure::of(&experiment.measure)
            }
            None => {
                return Err(self
                    .text
                    .wrong(file.span(), "by, technology and none have a meaning beside measure only"));
            }
        };
        if let Some(against) = &own.against {
            let names = experiment.series.iter().map(|series| series.name.as_str());
            if !names.clone().any(|known| known == against.get_ref()) {
                let hint = heddle_suggest::hint_or_list(against.get_ref(), names);
                let what =
                    format!("experiment '{}' has no series '{}'{hint}", experiment.id, against.get_ref());
                return Err(self.text.wrong(against.span(), what));
            }
        }
        let against = own.against.as_ref().map(|name| name.get_ref().clone());
        if own.shown.is_relative() && against.is_none() && experiment.normalise_to.is_none() {
            let what = format!("experiment '{}' has no base; expected against: a series", experiment.id);
            return Err(self.text.wrong(name.span(), what));
        }
        let kernels = self.kernels(experiment, own)?;
        let (look, points) = self.look(experiment, file, &kernels)?;
        if own.shown.is_relative() {
            let base = experiment.with_base(against.as_ref());
            if let Some(point) = points.iter().find(|point| base.base_of(point).is_none()) {
                let what = format!(
                    "the base has no point that belongs to '{}'; expected one with the same values of the keys that it sweeps",
                    point.label()
                );
                return Err(self.text.wrong(own.against.as_ref().map_or(name.span(), Spanned::span), what));
            }
        }
        let mut source = FromExperiment {
            experiment: experiment.id.clone(),
            points,
            against,
            look,
            measure,
            kernels,
            selected: own.selected.as_ref().map(|s| self.selection(s)).transpose()?,
            of: own.of,
            mean: own.mean,
            conditions: Vec::new(),
            size: self.size(own.size.as_ref())?,
        };
        let all = common.iter().chain(&own.condition);
        source.conditions = all.map(|c| self.condition(experiment, &source, c)).collect::<Result<_, _>>()?;
        Ok(source)
    }

    pub fn experiment(&self, name: &Spanned<String>) -> Result<&Experiment, ClaimError> {
        let known = self.stock.experiments();
        known.get(name.get_ref()).ok_or_else(|| {
            let hint = heddle_suggest::hint_or_list(name.get_ref(), known.keys().map(String::as_str));
            self.text.wrong(name.span(), format!("unknown experiment '{}'{hint}", name.get_ref()))
        })
    }

    pub fn point(&self, experiment: &Experiment, label: &Spanned<String>) -> Result<Point, ClaimError> {
        let points = experiment.points();
        let labels: Vec<String> = points.iter().map(Point::label).collect();
        let found = points.into_iter().zip(&labels).find(|(_, known)| *known == label.get_ref());
        found.map(|(point, _)| point).ok_or_else(|| {
            let hint = heddle_suggest::hint_or_list(label.get_ref(), labels.iter().map(String::as_str));
            let what = format!("experiment '{}' has no point '{}'{hint}", experiment.id, label.get_ref());
            self.text.wrong(label.span(), what)
        })
    }

    pub fn measure(
        &self,
        keys: &Spanned<Vec<Spanned<String>>>,
        by: &[Spanned<String>],
        technology: Option<String>,
    ) -> Result<Measure, ClaimError> {
        if keys.get_ref().is_empty() {
            return Err(self.text.wrong(keys.span(), "no keys; expected at least one number of a row"));
        }
        for key in keys.get_ref().iter().chain(by) {
            let energy = key.get_ref().starts_with("energy.");
            let fault = match (energy, &technology) {
                (true, None) => Err("energy needs technology: a file of technologies/".to_owned()),
                (true, Some(_)) if ENERGY.contains(&key.get_ref().as_str()) => Ok(()),
                (true, Some(_)) => {
                    let hint = heddle_suggest::hint_or_list(key.get_ref(), ENERGY);
                    Err(format!("no energy is called '{}'{hint}", key.get_ref()))
                }
                (false, _) => self.stock.catalog().check_measure(key.get_ref()),
            };
            fault.map_err(|what| self.text.wrong(key.span(), what))?;
        }
        let names = |list: &[Spanned<String>]| list.iter().map(|key| key.get_ref().clone()).collect();
        Ok(Measure { keys: names(keys.get_ref()), by: names(by), technology, none: None })
    }

    /// The kernels of the experiment, or those of them that the value names.
    fn kernels(&self, experiment: &Experiment, own: &ValueFile) -> Result<Vec<Chosen>, ClaimError> {
        match &own.kernels {
            Some(list) => self.chosen(experiment, list),
            None => Ok(experiment.kernels.clone()),
        }
    }

    /// Kernels of the experiment by their names.
    pub fn chosen(
        &self,
        experiment: &Experiment,
        list: &Spanned<Vec<Spanned<String>>>,
    ) -> Result<Vec<Chosen>, ClaimError> {
        // One that this scale leaves out has no results, and its value reads 'not measured'.
        let all: Vec<&Chosen> = experiment.kernels.iter().chain(&experiment.left_out).collect();
        let names: Vec<String> = all.iter().map(ToString::to_string).collect();
        let mut chosen = Vec::new();
        for name in list.get_ref() {
            let Some(found) = names.iter().position(|known| known == name.get_ref()) else {
                let hint = heddle_suggest::hint_or_list(name.get_ref(), names.iter().map(String::as_str));
                let what = format!("experiment '{}' has no kernel '{}'{hint}", experiment.id, name.get_ref());
                return Err(self.text.wrong(name.span(), what));
            };
            let kernel = all[found].clone();
            if chosen.contains(&kernel) {
                return Err(self.text.wrong(name.span(), format!("kernel '{kernel}' is there twice")));
            }
            chosen.push(kernel);
        }
        if chosen.is_empty() {
            return Err(self.text.wrong(list.span(), "no kernels; expected at least one"));
        }
        Ok(chosen)
    }

    fn selection(&self, file: &SelectionFile) -> Result<Selection, ClaimError> {
        let experiment = self.experiment(&file.experiment)?;
        if experiment.normalise_to.is_none() {
            let what = format!("experiment '{}' has no base, so nothing is a ratio to it", experiment.id);
            return Err(self.text.wrong(file.experiment.span(), what));
        }
        let point = self.point(experiment, &file.point)?;
        Ok(Selection { experiment: experiment.id.clone(), point, at_least: file.at_least })
    }

    /// The least size at which a claim is judged: that of the papers, where it says nothing else.
    fn size(&self, written: Option<&Spanned<String>>) -> Result<Size, ClaimError> {
        let Some(name) = written else { return Ok(Size::Paper) };
        let size: Result<Size, _> = name.get_ref().parse();
        size.map_err(|e| self.text.wrong(name.span(), e.to_string()))
    }
}
