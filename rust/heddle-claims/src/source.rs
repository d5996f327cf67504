//! Where our value of a claim is in the results of an experiment.

use heddle_experiments::{Chosen, Point};
use heddle_workloads::Size;
use serde::{Deserialize, Serialize};

use crate::claim::Condition;

/// A number from the results of an experiment.
#[derive(Debug, Clone)]
pub struct FromExperiment {
    /// The experiment.
    pub experiment: String,
    /// The point; of an order all of its points.
    pub points: Vec<Point>,
    /// The series that points are divided by; `None` is the experiment's own.
    pub against: Option<String>,
    /// What is looked for at the points.
    pub look: Look,
    /// What is looked at.
    pub measure: Measure,
    /// Of which kernels.
    pub kernels: Vec<Chosen>,
    /// The kernels among them that count, by a measurement of another experiment.
    pub selected: Option<Selection>,
    /// Which number of the kernels'.
    pub of: Of,
    /// Which mean is judged.
    pub mean: Mean,
    /// What the workloads must show before the claim is judged.
    pub conditions: Vec<Condition>,
    /// The least size of inputs at which the claim is judged.
    pub size: Size,
}

/// What is looked for at the points of an experiment.
#[derive(Debug, Clone, Default)]
pub enum Look {
    /// The measure at the point; of an order at each.
    #[default]
    Point,
    /// The greatest of the points' swept values that is tolerated; the points are in the order of these.
    Tolerated(Tolerated),
    /// What share of a change the step to the point is.
    Part(Box<Part>),
    /// The least of the points' swept values that is enough; the points are in the order of these.
    Reached(Reached),
    /// Which kernels have the least or the most at the point.
    Extreme(Extreme),
}

/// What is kept while a swept value grows (LTRF, section 7.2). Our value is the greatest one that is
/// tolerated, by the first one; 0 where that one loses too much already.
#[derive(Debug, Clone)]
pub struct Tolerated {
    /// Loss that is tolerated, a share.
    pub loss: f64,
    /// The point whose measure is to be kept; `None` is the first one.
    pub base: Option<Point>,
}

/// A step of several that a whole change is made of. Our value is the step by the whole change, each of them
/// a difference of the means over the kernels of the ratio to the base.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// Where the step begins.
    pub from: Point,
    /// Where the whole change begins and ends.
    pub of: [Point; 2],
}

/// What a series is to reach while a swept value grows. Our value is the first one at which a mean of the
/// ratios to the base is there, by `value`.
#[derive(Debug, Clone, PartialEq)]
pub struct Reached {
    /// What is reached.
    pub target: Target,
    /// What swept values are divided by: that of the point which is reached, or a unit.
    pub value: f64,
}

/// What a mean of ratios to the base is to reach.
#[derive(Debug, Clone, PartialEq)]
pub enum Target {
    /// That of another point, or more.
    Point(Point),
    /// So much, or less; at a swept value, and not between two.
    AtMost(f64),
}

/// Kernels that are to have the least or the most. Our value is how many of them are among as many kernels
/// that have it.
#[derive(Debug, Clone, PartialEq)]
pub struct Extreme {
    /// Which end.
    pub end: End,
    /// The kernels.
    pub kernels: Vec<Chosen>,
}

/// An end of the kernels in the order of their measures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// The least.
    Least,
    /// The most.
    Most,
}

/// A sum of numbers of a row, by a sum of others.
#[derive(Debug, Clone, PartialEq)]
pub struct Measure {
    /// Keys that are added, such as `ipc` or `events.shift`.
    pub keys: Vec<String>,
    /// Keys whose sum divides theirs; none for the sum itself.
    pub by: Vec<String>,
    /// The technology of keys `energy.*`.
    pub technology: Option<String>,
    /// What a kernel counts for whose row does not have a number of these; `None`: its result is not there.
    pub none: Option<f64>,
}

impl Measure {
    /// A number of a row itself.
    #[must_use]
    pub fn of(key: &str) -> Self {
        Self { keys: vec![key.to_owned()], by: Vec::new(), technology: None, none: None }
    }
}

/// Kernels whose ratio at a point of an experiment is large enough.
#[derive(Debug, Clone)]
pub struct Selection {
    /// The experiment.
    pub experiment: String,
    /// The point.
    pub point: Point,
    /// The least ratio to the base.
    pub at_least: f64,
}

/// Which number of the kernels' is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// Their means.
    #[default]
    Mean,
    /// The largest.
    Most,
    /// The least.
    Least,
    /// The one in the middle; of an even count the lower one.
    Median,
}

/// Which mean is judged. The papers rarely say which one they take.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mean {
    /// Both have to hold.
    #[default]
    Both,
    /// The geometric mean.
    Geometric,
    /// The arithmetic mean.
    Arithmetic,
}
