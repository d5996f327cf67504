//! What our value of a claim is, from results.

use heddle_experiments::{Chosen, Means, Point, Tolerance};
use serde::Serialize;

use crate::claim::{Expected, Shown};
use crate::error::ClaimError;
use crate::evidence::Evidence;
use crate::reached::{Reach, reached};
use crate::source::{End, Extreme, FromExperiment, Look, Measure, Of, Part, Tolerated};

/// Our value of a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measured {
    /// Both means over kernels.
    Means(Averages),
    /// One kernel's.
    Kernel {
        /// The kernel.
        kernel: String,
        /// Its value.
        value: f64,
    },
    /// Both means at each point of an order.
    Points(Vec<(String, Averages)>),
    /// Where a series reaches another point, by both means.
    Reached {
        /// By the geometric one; `None` where there is none.
        geometric: Option<Reach>,
        /// By the arithmetic one.
        arithmetic: Reach,
    },
    /// A number without kernels, or of them.
    Number(f64),
}

/// Both means over kernels.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Averages {
    /// Geometric mean; `None` where a value is not above 0, and of differences.
    pub geometric: Option<f64>,
    /// Arithmetic mean.
    pub arithmetic: f64,
    /// Kernels.
    pub kernels: usize,
}

/// What the results say.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    /// A value.
    Value(Measured),
    /// So many numbers are not there, of so many.
    Missing(usize, usize),
    /// None of the kernels has what they are selected by.
    NoKernel {
        /// The largest ratio that one has.
        most: f64,
        /// The kernel.
        kernel: String,
    },
}

/// What the results say of a value.
///
/// # Errors
/// A technology that does not fit a row.
pub fn measure(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
    shown: Shown,
    expected: &Expected,
) -> Result<Answer, ClaimError> {
    let kernels = match selected(evidence, source)? {
        Ok(kernels) => kernels,
        Err(answer) => return Ok(answer),
    };
    match &source.look {
        Look::Point => at_points(evidence, source, shown, expected, &kernels),
        Look::Tolerated(tolerated) => how_far(evidence, source, tolerated, &kernels),
        Look::Part(part) => share(evidence, source, part, &kernels),
        Look::Reached(point) => reached(evidence, source, point, &kernels),
        Look::Extreme(extreme) => at_the_end(evidence, source, extreme, &kernels),
    }
}

/// The measure at the point, or at all points of an order.
fn at_points(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
    shown: Shown,
    expected: &Expected,
    kernels: &[Chosen],
) -> Result<Answer, ClaimError> {
    let mut points = Vec::new();
    let (mut missing, mut of) = (0, 0);
    for point in &source.points {
        let mut values = Vec::new();
        for kernel in kernels {
            of += 1;
            match evidence.value(source, shown, point, kernel)? {
                Some(value) => values.push((kernel, value)),
                None => missing += 1,
            }
        }
        points.push((point, values));
    }
    if missing > 0 {
        return Ok(Answer::Missing(missing, of));
    }
    let value = if matches!(expected, Expected::Ascending(_)) {
        let averages = |(point, values): &(&Point, Vec<_>)| Some((point.label(), averages(values, shown)?));
        points.iter().map(averages).collect::<Option<Vec<_>>>().map(Measured::Points)
    } else {
        points.into_iter().next().and_then(|(_, values)| one(values, source.of, shown))
    };
    Ok(value.map_or(Answer::Missing(of, of), Answer::Value))
}

/// The key and the value of the one key that a point sweeps, where that is a number.
pub fn swept_value(point: &Point) -> Option<(&str, f64)> {
    let [(key, value)] = &point.swept[..] else { return None };
    Some((key, value.parse().ok()?))
}

/// Means of how far each kernel tolerates the swept value to grow.
fn how_far(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
    tolerated: &Tolerated,
    kernels: &[Chosen],
) -> Result<Answer, ClaimError> {
    let number = |point, kernel| evidence.number(&source.experiment, point, kernel, &source.measure);
    let first = source.points.first().and_then(swept_value).map_or(1.0, |(_, value)| value);
    let mut values = Vec::new();
    let (mut missing, mut of) = (0, 0);
    for kernel in kernels {
        let mut curve = Vec::new();
        for point in &source.points {
            let found = number(point, kernel)?;
            curve.extend(swept_value(point).zip(found).map(|((_, value), found)| (value / first, found)));
        }
        let kept = match &tolerated.base {
            Some(base) => number(base, kernel)?,
            None => curve.first().map(|(_, speed)| *speed),
        };
        of += source.points.len() + usize::from(tolerated.base.is_some());
        missing += source.points.len() - curve.len();
        missing += usize::from(tolerated.base.is_some() && kept.is_none());
        if let Some(kept) = kept.filter(|_| curve.len() == source.points.len()) {
            let found = Tolerance::of(&curve, kept * (1.0 - tolerated.loss));
            values.push((kernel, found.latency.unwrap_or(0.0)));
        }
    }
    if missing > 0 {
        return Ok(Answer::Missing(missing, of));
    }
    Ok(one(values, source.of, Shown::Number).map_or(Answer::Missing(of, of), Answer::Value))
}

/// The step to the source's point as a share of the whole change, by both means.
fn share(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
    part: &Part,
    kernels: &[Chosen],
) -> Result<Answer, ClaimError> {
    let mut all = Vec::new();
    let (mut missing, mut of) = (0, 0);
    for point in source.points.iter().take(1).chain([&part.from]).chain(&part.of) {
        let mut values = Vec::new();
        for kernel in kernels {
            of += 1;
            match evidence.value(source, Shown::Ratio, point, kernel)? {
                Some(value) => values.push((kernel, value)),
                None => missing += 1,
            }
        }
        all.extend(averages(&values, Shown::Ratio));
    }
    let [to, from, first, last] = all[..] else { return Ok(Answer::Missing(missing, of)) };
    if missing > 0 {
        return Ok(Answer::Missing(missing, of));
    }
    let by = |mean: fn(&Averages) -> Option<f64>| {
        let whole = mean(&last)? - mean(&first)?;
        Some((mean(&to)? - mean(&from)?) / whole).filter(|share| share.is_finite())
    };
    let (geometric, arithmetic) = (by(|means| means.geometric), by(|means| Some(means.arithmetic)));
    let means = arithmetic.map(|arithmetic| Averages { geometric, arithmetic, kernels: kernels.len() });
    // Nothing has a share of a change that is none.
    Ok(means.map_or(Answer::Missing(of, of), |means| Answer::Value(Measured::Means(means))))
}

/// How many of the kernels that are to be at an end are there.
fn at_the_end(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
    extreme: &Extreme,
    kernels: &[Chosen],
) -> Result<Answer, ClaimError> {
    let mut values = Vec::new();
    for point in source.points.iter().take(1) {
        for kernel in kernels {
            let value = evidence.value(source, Shown::Number, point, kernel)?;
            values.extend(value.map(|value| (kernel, value)));
        }
    }
    if values.len() < kernels.len() {
        return Ok(Answer::Missing(kernels.len() - values.len(), kernels.len()));
    }
    // Equals share a place.
    let beyond = |value: f64| {
        let is_beyond = |other: &f64| match extreme.end {
            End::Least => *other < value,
            End::Most => *other > value,
        };
        values.iter().filter(|(_, other)| is_beyond(other)).count()
    };
    let there = values
        .iter()
        .filter(|(kernel, value)| extreme.kernels.contains(kernel) && beyond(*value) < extreme.kernels.len());
    Ok(Answer::Value(Measured::Number(there.count() as f64)))
}

/// The number that is looked at of the kernels'.
fn one(mut values: Vec<(&Chosen, f64)>, of: Of, shown: Shown) -> Option<Measured> {
    values.sort_by(|(_, a), (_, b)| a.total_cmp(b));
    let (kernel, value) = match of {
        Of::Mean => return averages(&values, shown).map(Measured::Means),
        Of::Most => values.last(),
        Of::Least => values.first(),
        Of::Median => values.get(values.len().saturating_sub(1) / 2),
    }?;
    Some(Measured::Kernel { kernel: kernel.to_string(), value: as_shown(*value, shown) })
}

pub fn averages(values: &[(&Chosen, f64)], shown: Shown) -> Option<Averages> {
    let values: Vec<f64> = values.iter().map(|(_, value)| *value).collect();
    let Means { geometric, arithmetic, values } = Means::of(&values)?;
    let geometric = geometric.filter(|_| shown != Shown::Difference).map(|mean| as_shown(mean, shown));
    Some(Averages { geometric, arithmetic: as_shown(arithmetic, shown), kernels: values })
}

/// A ratio as it is shown.
fn as_shown(value: f64, shown: Shown) -> f64 {
    if shown == Shown::Change { value - 1.0 } else { value }
}

/// The kernels that count, or why there are none.
fn selected(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
) -> Result<Result<Vec<Chosen>, Answer>, ClaimError> {
    let Some(selection) = &source.selected else { return Ok(Ok(source.kernels.clone())) };
    let Some(experiment) = evidence.experiment(&selection.experiment) else {
        return Ok(Err(Answer::Missing(source.kernels.len(), source.kernels.len())));
    };
    let by = FromExperiment {
        experiment: experiment.id.clone(),
        measure: Measure::of(&experiment.measure),
        against: None,
        look: Look::Point,
        selected: None,
        ..source.clone()
    };
    let mut ratios = Vec::new();
    for kernel in &source.kernels {
        ratios.extend(
            evidence.value(&by, Shown::Ratio, &selection.point, kernel)?.map(|ratio| (kernel, ratio)),
        );
    }
    if ratios.len() < source.kernels.len() {
        return Ok(Err(Answer::Missing(source.kernels.len() - ratios.len(), source.kernels.len())));
    }
    let chosen: Vec<Chosen> = ratios
        .iter()
        .filter(|(_, ratio)| *ratio >= selection.at_least)
        .map(|(kernel, _)| (*kernel).clone())
        .collect();
    if !chosen.is_empty() {
        return Ok(Ok(chosen));
    }
    let most = ratios.into_iter().max_by(|(_, a), (_, b)| a.total_cmp(b));
    let Some((kernel, most)) = most else { return Ok(Err(Answer::Missing(0, 0))) };
    Ok(Err(Answer::NoKernel { most, kernel: kernel.to_string() }))
}
