//! What a claim asks of the workloads, held against what there is.

use heddle_experiments::{Chosen, Experiment};

use crate::check::Check;
use crate::claim::{Condition, NeedKind, Source};
use crate::error::ClaimError;
use crate::file::ConditionFile;
use crate::source::{FromExperiment, Look, Measure, Of};

/// How far a property may be from the paper's, as a factor.
const COMPARABLE: f64 = 2.0;

impl Check<'_> {
    /// A condition of a value that comes from `value`, which is of `own`.
    pub fn condition(
        &self,
        own: &Experiment,
        value: &FromExperiment,
        file: &ConditionFile,
    ) -> Result<Condition, ClaimError> {
        let source = match &file.computed {
            Some(name) => {
                let beside = [&file.experiment, &file.point].into_iter().flatten().next();
                if let Some(beside) = beside {
                    return Err(self.text.wrong(beside.span(), "a computed property has none of these"));
                }
                Source::Computed(self.known(NeedKind::Measure, name, &[])?)
            }
            None => Source::Experiment(Box::new(self.condition_source(own, value, file)?)),
        };
        let (shown, unit) = (file.shown, file.unit.clone());
        let property = file.property.get_ref().clone();
        Ok(Condition { property, shown, unit, source, range: self.comparable(file)? })
    }

    /// The least and largest value with which workloads are comparable.
    fn comparable(&self, file: &ConditionFile) -> Result<[f64; 2], ClaimError> {
        let given = [
            file.paper.map(|paper| [paper / COMPARABLE, paper * COMPARABLE]),
            file.at_least.map(|least| [least, f64::INFINITY]),
            file.range.as_ref().map(|range| *range.get_ref()),
        ];
        let mut given = given.into_iter().flatten();
        let (Some(range), None) = (given.next(), given.next()) else {
            return Err(self.text.wrong(file.property.span(), "expected one of paper, at_least and range"));
        };
        if range[0] > range[1] {
            let span = file.range.as_ref().map_or(file.property.span(), toml::Spanned::span);
            return Err(self.text.wrong(span, "expected the least value first"));
        }
        Ok(range)
    }

    /// The mean over the value's kernels at a point of the value's experiment, or of another one that has them.
    fn condition_source(
        &self,
        own: &Experiment,
        value: &FromExperiment,
        file: &ConditionFile,
    ) -> Result<FromExperiment, ClaimError> {
        let Some(label) = &file.point else {
            let what = "expected computed, or the point where the property is measured";
            return Err(self.text.wrong(file.property.span(), what));
        };
        let experiment = match &file.experiment {
            Some(name) => self.experiment(name)?,
            None => own,
        };
        let has =
            |kernel: &Chosen| experiment.kernels.contains(kernel) || experiment.left_out.contains(kernel);
        if let Some(other) = value.kernels.iter().find(|kernel| !has(kernel)) {
            let what = format!("experiment '{}' has no kernel '{other}', which the value has", experiment.id);
            return Err(self.text.wrong(label.span(), what));
        }
        if file.shown.is_relative() && experiment.normalise_to.is_none() {
            let what = format!("experiment '{}' has no base, so nothing is about one", experiment.id);
            return Err(self.text.wrong(label.span(), what));
        }
        let measure = match &file.measure {
            Some(keys) => self.measure(keys, &file.by, None)?,
            None => Measure::of(&experiment.measure),
        };
        Ok(FromExperiment {
            experiment: experiment.id.clone(),
            points: vec![self.point(experiment, label)?],
            against: None,
            look: Look::Point,
            measure,
            of: Of::Mean,
            conditions: Vec::new(),
            ..value.clone()
        })
    }
}
