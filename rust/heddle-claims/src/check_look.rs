//! What a value looks for at the points of its experiment, held against it.

use heddle_experiments::{Chosen, Experiment, Point};
use toml::Spanned;

use crate::check::Check;
use crate::claim::Shown;
use crate::error::ClaimError;
use crate::file::{ExtremeFile, PartFile, ReachedFile, ToleratedFile, ValueFile};
use crate::measured::swept_value;
use crate::source::{End, Extreme, Look, Of, Part, Reached, Target, Tolerated};

impl Check<'_> {
    /// What a value with these kernels looks for, and at which points.
    pub fn look(
        &self,
        experiment: &Experiment,
        file: &Spanned<ValueFile>,
        kernels: &[Chosen],
    ) -> Result<(Look, Vec<Point>), ClaimError> {
        let own = file.get_ref();
        let swept = [own.tolerated.as_ref().map(Spanned::span), own.reached.as_ref().map(Spanned::span)];
        let at_points = [own.part.as_ref().map(Spanned::span), own.extreme.as_ref().map(Spanned::span)];
        let mut all = swept.iter().chain(&at_points).flatten();
        if let (Some(_), Some(second)) = (all.next(), all.next()) {
            let what = "a value is one of tolerated, reached, part and extreme alone";
            return Err(self.text.wrong(second.clone(), what));
        }
        let has_points = own.point.is_some() || own.ascending.is_some();
        if let Some(span) = swept.into_iter().flatten().next().filter(|_| has_points) {
            let what = "all points of the series are looked at: no point of the value, no ascending";
            return Err(self.text.wrong(span, what));
        }
        if let Some(tolerated) = &own.tolerated {
            let ToleratedFile { series, sweep, .. } = tolerated.get_ref();
            let look = Look::Tolerated(self.tolerated(experiment, own, tolerated)?);
            return Ok((look, self.swept(experiment, series, sweep)?));
        }
        if let Some(reached) = &own.reached {
            let ReachedFile { series, sweep, .. } = reached.get_ref();
            let points = self.swept(experiment, series, sweep)?;
            return Ok((Look::Reached(self.reached(experiment, file, reached, &points)?), points));
        }
        let look = match (&own.part, &own.extreme) {
            (Some(part), _) => Look::Part(Box::new(self.part(experiment, own, part)?)),
            (None, Some(extreme)) => Look::Extreme(self.extreme(experiment, own, extreme, kernels)?),
            (None, None) => Look::Point,
        };
        Ok((look, self.points(experiment, file)?))
    }

    /// The point of a value, or those of its order.
    fn points(&self, experiment: &Experiment, file: &Spanned<ValueFile>) -> Result<Vec<Point>, ClaimError> {
        match (&file.get_ref().point, &file.get_ref().ascending) {
            (Some(label), None) => Ok(vec![self.point(experiment, label)?]),
            (None, Some(labels)) => {
                labels.get_ref().iter().map(|label| self.point(experiment, label)).collect()
            }
            (None, None) => Err(self.text.wrong(file.span(), "expected point: a point of the experiment")),
            (Some(point), Some(_)) => {
                Err(self.text.wrong(point.span(), "the points of an order stand in ascending alone"))
            }
        }
    }

    /// The points of a series in the order of the values of the one key that it sweeps.
    fn swept(
        &self,
        experiment: &Experiment,
        series: &Spanned<String>,
        sweep: &Spanned<String>,
    ) -> Result<Vec<Point>, ClaimError> {
        let (name, key) = (series.get_ref(), sweep.get_ref());
        let mut points: Vec<(f64, Point)> = Vec::new();
        for point in experiment.points().into_iter().filter(|point| point.series == *name) {
            match swept_value(&point) {
                Some((swept, value)) if swept == key && value > 0.0 => points.push((value, point)),
                _ => {
                    let what = format!("'{name}' does not sweep '{key}' alone, over numbers above 0");
                    return Err(self.text.wrong(sweep.span(), what));
                }
            }
        }
        if points.len() < 2 {
            let what = format!("experiment '{}' has no series '{name}' of two points or more", experiment.id);
            return Err(self.text.wrong(series.span(), what));
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

    /// What `points` reach; they have to go beyond all that would be reproduced, so that where they do
    /// not reach it the value is off.
    fn reached(
        &self,
        experiment: &Experiment,
        value: &Spanned<ValueFile>,
        file: &Spanned<ReachedFile>,
        points: &[Point],
    ) -> Result<Reached, ClaimError> {
        let own = value.get_ref();
        let bounds = self.expected(value)?.bounds();
        let Some([low, high]) = bounds.filter(|_| own.shown == Shown::Number && own.of == Of::Mean) else {
            let what = "where means reach something is a number of its own: expected paper, no `as`, no of";
            return Err(self.text.wrong(file.span(), what));
        };
        self.has_base(experiment, own, file.span())?;
        let (target, value) = self.target(experiment, file)?;
        let [first, last] = [points.first(), points.last()]
            .map(|end| end.and_then(swept_value).map_or(value, |(_, swept)| swept) / value);
        if first >= low || last <= high {
            let what = format!(
                "the series goes from {first} to {last} times {value}; expected from less than {low} to more than {high}, \
                 beyond all that is reproduced"
            );
            return Err(self.text.wrong(file.span(), what));
        }
        Ok(Reached { target, value })
    }

    /// What is reached, and what swept values are divided by.
    fn target(
        &self,
        experiment: &Experiment,
        file: &Spanned<ReachedFile>,
    ) -> Result<(Target, f64), ClaimError> {
        let ReachedFile { sweep, point, at_most, by, .. } = file.get_ref();
        match (point, at_most, by) {
            (Some(label), None, None) => {
                let point = self.point(experiment, label)?;
                let value = swept_value(&point).filter(|(key, value)| key == sweep.get_ref() && *value > 0.0);
                let Some((_, value)) = value else {
                    let what = format!("'{}' has no value of '{}' above 0", label.get_ref(), sweep.get_ref());
                    return Err(self.text.wrong(label.span(), what));
                };
                Ok((Target::Point(point), value))
            }
            (None, Some(most), by) => {
                if let Some(wrong) = [Some(most), by.as_ref()]
                    .into_iter()
                    .flatten()
                    .find(|n| !(n.get_ref().is_finite() && *n.get_ref() > 0.0))
                {
                    return Err(self.text.wrong(wrong.span(), "expected a number above 0"));
                }
                Ok((Target::AtMost(*most.get_ref()), by.as_ref().map_or(1.0, |by| *by.get_ref())))
            }
            _ => {
                let what = "expected point alone, or at_most: a ratio to the base, with by: what swept values are \
                            divided by";
                Err(self.text.wrong(file.span(), what))
            }
        }
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
        self.has_base(experiment, own, file.span())?;
        Ok(Part {
            from: self.point(experiment, from)?,
            of: [self.point(experiment, first)?, self.point(experiment, last)?],
        })
    }

    /// The kernels at one end, which are some of the value's.
    fn extreme(
        &self,
        experiment: &Experiment,
        own: &ValueFile,
        file: &Spanned<ExtremeFile>,
        of: &[Chosen],
    ) -> Result<Extreme, ClaimError> {
        let (end, list) = match (&file.get_ref().least, &file.get_ref().most) {
            (Some(least), None) => (End::Least, least),
            (None, Some(most)) => (End::Most, most),
            _ => return Err(self.text.wrong(file.span(), "expected one of least and most: kernels")),
        };
        if own.point.is_none() || own.shown != Shown::Number || own.of != Of::Mean {
            let what = "what is counted are kernels at a point: expected point, no `as`, no of";
            return Err(self.text.wrong(file.span(), what));
        }
        let kernels = self.chosen(experiment, list)?;
        if let Some(other) = kernels.iter().find(|kernel| !of.contains(kernel)) {
            return Err(self.text.wrong(list.span(), format!("'{other}' is no kernel of the value")));
        }
        Ok(Extreme { end, kernels })
    }

    /// That a value's ratios have something that they are ratios to.
    fn has_base(
        &self,
        experiment: &Experiment,
        own: &ValueFile,
        span: std::ops::Range<usize>,
    ) -> Result<(), ClaimError> {
        if own.against.is_some() || experiment.normalise_to.is_some() {
            return Ok(());
        }
        let what = format!("experiment '{}' has no base; expected against: a series", experiment.id);
        Err(self.text.wrong(span, what))
    }
}
