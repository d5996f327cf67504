//! From which swept value on a series reaches what another point has.

use heddle_experiments::Chosen;
use serde::Serialize;

use crate::claim::Shown;
use crate::error::ClaimError;
use crate::evidence::Evidence;
use crate::measured::{Answer, Averages, Measured, averages, swept_value};
use crate::source::{FromExperiment, Reached, Target};

/// Where a series reaches a measure, by the swept value of the point that has it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reach {
    /// There, along the line between two swept values; of a ratio the first swept value that is enough.
    At(f64),
    /// The least swept value is enough; whether a smaller one is, is not known.
    AtMost(f64),
    /// The greatest swept value is not enough.
    MoreThan(f64),
}

impl Reach {
    /// Where `curve`, swept values in ascending order with what is measured there, has `least` or more for the
    /// first time; `None` of no points.
    fn of(curve: &[(f64, f64)], least: f64) -> Option<Self> {
        let Some(place) = curve.iter().position(|(_, measure)| *measure >= least) else {
            return curve.last().map(|(swept, _)| Self::MoreThan(*swept));
        };
        let (to, high) = curve[place];
        let Some(before) = place.checked_sub(1) else { return Some(Self::AtMost(to)) };
        let (from, low) = curve[before];
        Some(Self::At(from + (to - from) * (least - low) / (high - low)))
    }

    /// The first swept value of `curve` at which what is measured is `most` or less; `None` of no points.
    fn first(curve: &[(f64, f64)], most: f64) -> Option<Self> {
        match curve.iter().position(|(_, measure)| *measure <= most) {
            None => curve.last().map(|(swept, _)| Self::MoreThan(*swept)),
            Some(0) => curve.first().map(|(swept, _)| Self::AtMost(*swept)),
            Some(place) => curve.get(place).map(|(swept, _)| Self::At(*swept)),
        }
    }

    /// The value; of a bound none.
    #[must_use]
    pub fn value(self) -> Option<f64> {
        match self {
            Self::At(value) => Some(value),
            Self::AtMost(_) | Self::MoreThan(_) => None,
        }
    }

    /// The value, or the bound of it.
    pub(crate) fn nearest(self) -> f64 {
        match self {
            Self::At(value) | Self::AtMost(value) | Self::MoreThan(value) => value,
        }
    }
}

/// Where the means of the series reach those of the point, or fall to a ratio.
pub fn reached(
    evidence: &Evidence<'_>,
    source: &FromExperiment,
    reached: &Reached,
    kernels: &[Chosen],
) -> Result<Answer, ClaimError> {
    let mut all = Vec::new();
    let (mut missing, mut of) = (0, 0);
    let target = match &reached.target {
        Target::Point(point) => Some(point),
        Target::AtMost(_) => None,
    };
    for point in source.points.iter().chain(target) {
        let mut values = Vec::new();
        for kernel in kernels {
            of += 1;
            match evidence.value(source, Shown::Ratio, point, kernel)? {
                Some(value) => values.push((kernel, value)),
                None => missing += 1,
            }
        }
        let swept = swept_value(point).map(|(_, value)| value / reached.value);
        all.extend(swept.zip(averages(&values, Shown::Ratio)));
    }
    if missing > 0 {
        return Ok(Answer::Missing(missing, of));
    }
    let target = target.and_then(|_| all.pop());
    let by = |mean: fn(&Averages) -> Option<f64>| {
        let curve = all.iter().map(|(swept, means)| Some((*swept, mean(means)?)));
        let curve = curve.collect::<Option<Vec<_>>>()?;
        match (&reached.target, &target) {
            (Target::AtMost(most), _) => Reach::first(&curve, *most),
            (Target::Point(_), target) => Reach::of(&curve, mean(&target.as_ref()?.1)?),
        }
    };
    let (geometric, arithmetic) = (by(|means| means.geometric), by(|means| Some(means.arithmetic)));
    Ok(arithmetic.map_or(Answer::Missing(of, of), |arithmetic| {
        Answer::Value(Measured::Reached { geometric, arithmetic })
    }))
}

#[cfg(test)]
mod tests {
    use super::Reach;

    #[test]
    fn the_line_between_two_values_is_followed() {
        let curve = [(0.5, 0.5), (1.0, 0.75), (2.0, 1.0), (4.0, 1.0)];
        assert_eq!(Reach::of(&curve, 0.875).and_then(Reach::value), Some(1.5));
        assert_eq!(Reach::of(&curve, 1.0), Some(Reach::At(2.0)));
    }

    #[test]
    fn beyond_both_ends_there_is_no_value() {
        let curve = [(0.5, 0.6), (1.0, 0.8)];
        let (least, more) = (Reach::of(&curve, 0.6), Reach::of(&curve, 0.81));
        assert_eq!((least, more), (Some(Reach::AtMost(0.5)), Some(Reach::MoreThan(1.0))));
        assert_eq!(more.and_then(Reach::value), None);
        assert_eq!(Reach::of(&[], 0.5), None);
    }
}
