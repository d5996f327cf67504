//! Whether a value is what the paper says.

use serde::Serialize;

use crate::claim::{Expected, Need, Shown, Statement};
use crate::measured::{Averages, Measured};
use crate::reached::Reach;
use crate::source::Mean;

/// The name of [`Verdict::NotBuilt`].
pub(crate) const NOT_BUILT: &str = "not built";
/// The name of [`Verdict::Off`].
pub(crate) const OFF: &str = "off";
/// The name of [`Verdict::NotMeasured`].
pub(crate) const NOT_MEASURED: &str = "not measured";

/// What is to be said of a value of a claim.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is what the paper says.
    Reproduced,
    /// Ours is not.
    Off {
        /// Ours less what was expected, in the value's own unit; of an order, by how much it is broken.
        by: f64,
        /// Ours is a bound of a value that lies beyond it, so that it is off by that or more.
        or_more: bool,
    },
    /// Something does not exist yet.
    NotBuilt {
        /// What.
        needs: Vec<Need>,
    },
    /// The inputs are smaller than the claim needs.
    NotJudged {
        /// The size that it needs.
        needs: String,
        /// The size of the results.
        has: String,
    },
    /// Results are not there.
    NotMeasured {
        /// How many.
        missing: usize,
        /// Of how many.
        of: usize,
    },
    /// The workloads do not show what the paper relies on.
    NotComparable {
        /// The property that fails.
        property: String,
        /// Its value.
        value: f64,
        /// The least and largest value with which the claim is judged; no largest one where it is `None`.
        range: (f64, Option<f64>),
        /// What the numbers are.
        #[serde(rename = "property_as")]
        shown: Shown,
        /// Their unit.
        #[serde(rename = "property_unit")]
        unit: String,
    },
    /// The paper says two things.
    Contradicts {
        /// The one.
        first: Statement,
        /// The other.
        second: Statement,
    },
}

impl Verdict {
    /// A word or two.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Off { .. } => OFF,
            Self::NotBuilt { .. } => NOT_BUILT,
            Self::NotJudged { .. } => "not judged at this scale",
            Self::NotMeasured { .. } => NOT_MEASURED,
            Self::NotComparable { .. } => "workload not comparable",
            Self::Contradicts { .. } => "paper contradicts itself",
        }
    }
}

/// By how much a measured value is off; `None` where it is what was expected.
pub fn off_by(expected: &Expected, measured: &Measured, mean: Mean) -> Option<f64> {
    let worst = |values: Vec<f64>| {
        let off = values.into_iter().filter_map(|value| distance(expected, value));
        off.max_by(|a, b| a.abs().total_cmp(&b.abs()))
    };
    match measured {
        Measured::Means(averages) => worst(judged(averages, mean)),
        Measured::Kernel { value, .. } | Measured::Number(value) => worst(vec![*value]),
        Measured::Reached { geometric, arithmetic } => {
            worst(chosen(*geometric, *arithmetic, mean).into_iter().map(Reach::nearest).collect())
        }
        Measured::Points(points) => broken(points, mean),
    }
}

/// Whether the mean that is off the most is only known to be beyond a swept value.
pub fn is_bound(expected: &Expected, measured: &Measured, mean: Mean) -> bool {
    let Measured::Reached { geometric, arithmetic } = measured else { return false };
    let off = |reach: Reach| Some((distance(expected, reach.nearest())?.abs(), reach));
    let all = chosen(*geometric, *arithmetic, mean).into_iter().filter_map(off);
    let most = all.max_by(|(a, _), (b, _)| a.total_cmp(b));
    most.is_some_and(|(_, reach)| reach.value().is_none())
}

/// The means that are judged.
fn judged(averages: &Averages, mean: Mean) -> Vec<f64> {
    chosen(averages.geometric, averages.arithmetic, mean)
}

/// What is judged of two means.
fn chosen<T>(geometric: Option<T>, arithmetic: T, mean: Mean) -> Vec<T> {
    match mean {
        Mean::Both => geometric.into_iter().chain([arithmetic]).collect(),
        Mean::Geometric => vec![geometric.unwrap_or(arithmetic)],
        Mean::Arithmetic => vec![arithmetic],
    }
}

/// By how much the order of points is broken, at most.
fn broken(points: &[(String, Averages)], mean: Mean) -> Option<f64> {
    let pairs = points.iter().zip(points.iter().skip(1));
    let falls = pairs.flat_map(|((_, a), (_, b))| {
        let geometric = a.geometric.zip(b.geometric).map(|(a, b)| b - a);
        chosen(geometric, b.arithmetic - a.arithmetic, mean)
    });
    falls.filter(|by| *by < 0.0).min_by(f64::total_cmp)
}

/// How far a value is from what is expected; `None` where it is not.
fn distance(expected: &Expected, ours: f64) -> Option<f64> {
    let unless = |holds: bool, value: f64| (!holds).then_some(ours - value);
    match expected {
        Expected::Near { value, band } => {
            // The sign goes before the band, which could be wider than the value.
            let sign = value.signum() == ours.signum();
            unless(sign && (ours - value).abs() <= band * value.abs(), *value)
        }
        Expected::Within { value, distance } => unless((ours - value).abs() <= *distance, *value),
        #[allow(clippy::float_cmp)] // Sizes and counts, which are whole or have few binary places.
        Expected::Exact(value) => unless(ours == *value, *value),
        Expected::AtLeast(value) => unless(ours >= *value, *value),
        Expected::AtMost(value) => unless(ours <= *value, *value),
        Expected::Range([low, high]) => {
            unless((*low..=*high).contains(&ours), if ours < *low { *low } else { *high })
        }
        Expected::Ascending(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Averages, Expected, Mean, Measured, distance, off_by};

    #[test]
    fn sign_and_band_have_to_hold() {
        let near = |ours| distance(&Expected::Near { value: 0.2, band: 0.25 }, ours);
        assert_eq!((near(0.16), near(0.24)), (None, None));
        assert!(near(0.26).is_some_and(|by| (by - 0.06).abs() < 1e-12));
        let wide = |ours| distance(&Expected::Near { value: 0.2, band: 2.0 }, ours);
        assert_eq!(wide(0.01), None);
        assert!(wide(-0.01).is_some(), "a loss is no gain, however wide the band");
        assert_eq!(distance(&Expected::Exact(98_496.0), 98_495.0), Some(-1.0));
        assert_eq!(distance(&Expected::Within { value: 0.0, distance: 0.05 }, -0.05), None);
        assert_eq!(distance(&Expected::Range([1.0, 2.0]), 3.0), Some(1.0));
        assert_eq!(distance(&Expected::Range([1.0, 2.0]), 0.5), Some(-0.5));
        assert_eq!(distance(&Expected::AtLeast(2.0), 1.5), Some(-0.5));
        assert_eq!(distance(&Expected::AtMost(2.0), 2.0), None);
    }

    #[test]
    fn both_means_are_judged_unless_one_is_named() {
        let means = Measured::Means(Averages { geometric: Some(1.0), arithmetic: 2.0, kernels: 2 });
        let by = |mean| off_by(&Expected::Exact(1.0), &means, mean);
        assert_eq!((by(Mean::Both), by(Mean::Geometric), by(Mean::Arithmetic)), (Some(1.0), None, Some(1.0)));
    }

    #[test]
    fn an_order_is_broken_by_its_largest_fall() {
        let at = |geometric, arithmetic| {
            (String::new(), Averages { geometric: Some(geometric), arithmetic, kernels: 1 })
        };
        let by = |points| off_by(&Expected::Ascending(Vec::new()), &Measured::Points(points), Mean::Both);
        assert_eq!(by(vec![at(1.0, 1.0), at(1.0, 1.5), at(2.0, 2.0)]), None);
        assert_eq!(by(vec![at(1.0, 1.0), at(2.0, 0.5)]), Some(-0.5));
        // A kernel at 0 leaves no geometric mean; that of the other point is not held against an arithmetic one.
        let none = (String::new(), Averages { geometric: None, arithmetic: 1.0, kernels: 1 });
        assert_eq!(by(vec![none, at(0.5, 1.5)]), None);
    }
}
