//! The part of a claim that names an experiment, held against it.

use heddle_experiments::{Chosen, Experiment, Point};
use heddle_workloads::Size;
use toml::Spanned;

use crate::check::Check;
use crate::claim::{FromExperiment, Measure, NeedKind, Of, Part, Selection, Shown, Tolerated};
use crate::error::ClaimError;
use crate::file::{ConditionFile, PartFile, SelectionFile, ToleratedFile, ValueFile};
use crate::measured::swept_value;

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
        let points = match (&own.point, &own.ascending, &own.tolerated) {
            (Some(label), None, None) => vec![self.point(experiment, label)?],
            (None, Some(labels), None) => {
                let points = labels.get_ref().iter().map(|label| self.point(experiment, label));
                points.collect::<Result<_, _>>()?
            }
            (None, None, Some(tolerated)) => self.swept(experiment, tolerated.get_ref())?,
            (None, None, None) => {
                return Err(self.text.wrong(file.span(), "expected point: a point of the experiment"));
            }
            (Some(point), Some(_), _) => {
                return Err(self.text.wrong(point.span(), "the points of an order stand in ascending alone"));
            }
            (_, _, Some(tolerated)) => {
                let what =
                    "what is tolerated is looked for at all points of the series: no point, no ascending";
                return Err(self.text.wrong(tolerated.span(), what));
            }
        };
        let technology =
            own.technology.as_ref().map(|t| self.known(NeedKind::Technology, t, &[])).transpose()?;
        let measure = match &own.measure {
            Some(keys) => self.measure(keys, &own.by, technology)?,
            None if own.by.is_empty() && technology.is_none() => {
                Measure { keys: vec![experiment.measure.clone()], by: Vec::new(), technology: None }
            }
            None => {
                return Err(self
                    .text
                    .wrong(file.span(), "by and technology have a meaning beside measure only"));
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
        let tolerated = own.tolerated.as_ref().map(|t| self.tolerated(experiment, own, t)).transpose()?;
        let against = own.against.as_ref().map(|name| name.get_ref().clone());
        if own.shown.is_relative() && against.is_none() && experiment.normalise_to.is_none() {
            let what = format!("experiment '{}' has no base; expected against: a series", experiment.id);
            return Err(self.text.wrong(name.span(), what));
        }
        let part = own.part.as_ref().map(|part| self.part(experiment, own, part)).transpose()?;
        let mut source = FromExperiment {
            experiment: experiment.id.clone(),
            points,
            against,
            tolerated,
            part,
            measure,
            kernels: self.kernels(experiment, own)?,
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

    /// The points of a series in the order of the values of the one key that it sweeps.
    fn swept(&self, experiment: &Experiment, file: &ToleratedFile) -> Result<Vec<Point>, ClaimError> {
        let key = file.sweep.get_ref();
        let mut points: Vec<(f64, Point)> = Vec::new();
        for point in experiment.points() {
            if point.series != *file.series.get_ref() {
                continue;
            }
            match swept_value(&point) {
                Some((swept, value)) if swept == key && value > 0.0 => points.push((value, point)),
                _ => {
                    let what =
                        format!("'{}' does not sweep '{key}' alone, over numbers above 0", point.series);
                    return Err(self.text.wrong(file.sweep.span(), what));
                }
            }
        }
        if points.len() < 2 {
            let what = format!(
                "experiment '{}' has no series '{}' of two points or more",
                experiment.id,
                file.series.get_ref()
            );
            return Err(self.text.wrong(file.series.span(), what));
        }
        points.sort_by(|(a, _), (b, _)| a.total_cmp(b));
        Ok(points.into_iter().map(|(_, point)| point).collect())
    }

    /// What is kept: of the first point of the series, or of the series `against`, which sweeps nothing.
    fn tolerated(
        &self,
        experiment: &Experiment,
        own: &ValueFile,
        file: &Spanned<ToleratedFile>,
    ) -> Result<Tolerated, ClaimError> {
        if own.shown != Shown::Number {
            return Err(self.text.wrong(file.span(), "what is tolerated is a number of its own: no `as`"));
        }
        let loss = *file.get_ref().loss.get_ref();
        if !(0.0..1.0).contains(&loss) {
            return Err(self.text.wrong(file.get_ref().loss.span(), "expected a share: 0 to less than 1"));
        }
        Ok(Tolerated {
            loss,
            base: own.against.as_ref().map(|name| self.point(experiment, name)).transpose()?,
        })
    }

    /// The step to the value's point; its ratios need a base.
    fn part(
        &self,
        experiment: &Experiment,
        own: &ValueFile,
        file: &Spanned<PartFile>,
    ) -> Result<Part, ClaimError> {
        let PartFile { from, of: [first, last] } = file.get_ref();
        if own.point.is_none() || own.shown != Shown::Share || own.of != Of::Mean {
            let what =
                "a part is a share of means, of the step to a point: expected point, as = \"share\", no of";
            return Err(self.text.wrong(file.span(), what));
        }
        if own.against.is_none() && experiment.normalise_to.is_none() {
            let what = format!("experiment '{}' has no base; expected against: a series", experiment.id);
            return Err(self.text.wrong(file.span(), what));
        }
        Ok(Part {
            from: self.point(experiment, from)?,
            of: [self.point(experiment, first)?, self.point(experiment, last)?],
        })
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
        Ok(Measure { keys: names(keys.get_ref()), by: names(by), technology })
    }

    /// The kernels of the experiment, or those of them that the value names.
    fn kernels(&self, experiment: &Experiment, own: &ValueFile) -> Result<Vec<Chosen>, ClaimError> {
        let Some(list) = &own.kernels else { return Ok(experiment.kernels.clone()) };
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
