//! Kernels by points: a measure, normalised, with both means.

use crate::experiment::{Chosen, Experiment, Point};
use crate::results::ResultSet;

/// Both means over the kernels that have a value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Means {
    /// Geometric mean; `None` where a value is not above 0.
    pub geometric: Option<f64>,
    /// Arithmetic mean.
    pub arithmetic: f64,
    /// Values that they are of.
    pub values: usize,
}

impl Means {
    /// Of values; `None` of none.
    #[must_use]
    pub fn of(values: &[f64]) -> Option<Self> {
        let count = values.len();
        let share = |sum: f64| sum / count as f64;
        let logarithms = || share(values.iter().map(|value| value.ln()).sum::<f64>()).exp();
        (count > 0).then(|| Self {
            geometric: values.iter().all(|value| *value > 0.0).then(logarithms),
            arithmetic: share(values.iter().sum()),
            values: count,
        })
    }
}

/// An experiment's measure at every point for every kernel; normalised, its ratio to that of the base.
#[derive(Debug, Clone, PartialEq)]
pub struct RatioTable {
    /// The points, in the order of the experiment.
    pub points: Vec<Point>,
    /// The kernels, in alphabetical order.
    pub kernels: Vec<Chosen>,
    /// A row for each kernel, with a value for each point; `None` where a result is not there, is no number, or would
    /// be divided by 0.
    pub cells: Vec<Vec<Option<f64>>>,
    /// Means of each point over the kernels that have a value there; `None` where none has.
    pub means: Vec<Option<Means>>,
}

impl RatioTable {
    /// The table of `measure`, which is the experiment's own or another key of its rows.
    #[must_use]
    pub fn new(experiment: &Experiment, results: &ResultSet, measure: &str) -> Self {
        let points = experiment.points();
        let value = |point: &Point, kernel: &Chosen| results.find(point, kernel)?.number(measure);
        let cell = |point: &Point, kernel: &Chosen| {
            let found = value(point, kernel)?;
            if experiment.normalise_to.is_none() {
                return Some(found);
            }
            let base = value(&experiment.base_of(point)?, kernel)?;
            (base != 0.0).then(|| found / base)
        };
        let row = |kernel: &Chosen| points.iter().map(|point| cell(point, kernel)).collect();
        let cells: Vec<Vec<Option<f64>>> = experiment.kernels.iter().map(row).collect();
        let of_point = |index: usize| -> Vec<f64> {
            cells.iter().filter_map(|row| row.get(index).copied().flatten()).collect()
        };
        let means = (0..points.len()).map(|index| Means::of(&of_point(index))).collect();
        Self { kernels: experiment.kernels.clone(), means, cells, points }
    }
}

#[cfg(test)]
mod tests {
    use super::Means;

    #[test]
    fn both_means_are_of_the_values_that_are_there() {
        let means = Means::of(&[1.0, 4.0]).expect("two values");
        assert!((means.geometric.expect("above 0") - 2.0).abs() < 1e-12);
        assert_eq!((means.arithmetic, means.values), (2.5, 2));
        assert_eq!(Means::of(&[0.0, 4.0]).map(|m| (m.geometric, m.arithmetic)), Some((None, 2.0)));
        assert_eq!(Means::of(&[]), None);
    }
}
