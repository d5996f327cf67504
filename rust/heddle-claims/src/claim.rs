//! Claims, read and checked.

use serde::{Deserialize, Serialize};

use crate::source::FromExperiment;

/// The claims of a publication.
#[derive(Debug, Clone)]
pub struct Paper {
    /// Short name, the stem of its file, such as `ltrf`.
    pub id: String,
    /// What it is called here, such as `LTRF`.
    pub title: String,
    /// The publication.
    pub source: String,
    /// Its claims, in the order of the file.
    pub claims: Vec<Claim>,
}

/// A row: something that a publication says in numbers.
#[derive(Debug, Clone)]
pub struct Claim {
    /// Its name, such as `ltrf-ipc-7`.
    pub id: String,
    /// Figure, table or section where it stands.
    pub place: String,
    /// What is measured.
    pub quantity: String,
    /// Numbers that the publication gives for one and the same thing, where there are several.
    pub statements: Vec<Statement>,
    /// Its values, each judged by itself.
    pub values: Vec<ClaimValue>,
}

/// A number of a publication beside another one for the same thing.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Statement {
    /// Where it stands.
    #[serde(rename = "where")]
    pub place: String,
    /// The number.
    pub value: f64,
    /// Its unit; `None` where it is what the claim's values are.
    pub unit: Option<String>,
}

/// A value of a claim.
#[derive(Debug, Clone)]
pub struct ClaimValue {
    /// What distinguishes it in its claim; of a single value the claim's name.
    pub name: String,
    /// What the publication says.
    pub expected: Expected,
    /// What a number is.
    pub shown: Shown,
    /// Unit of a plain number; empty for none.
    pub unit: String,
    /// What it still lacks; empty when it can be measured.
    pub unmet: Vec<Need>,
    /// Where ours comes from; `None` while something is lacking.
    pub source: Option<Source>,
    /// The bound that the publication's own constants set, by the name of a computed measure.
    pub limit: Option<String>,
    /// The experiment that explains a value that is off.
    pub isolated_by: Option<Isolation>,
}

/// An experiment that shows what a value comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Isolation {
    /// The experiment.
    pub experiment: String,
    /// What it shows.
    pub shows: String,
}

impl ClaimValue {
    /// What the publication says, as text: `+28 %`.
    #[must_use]
    pub fn published(&self) -> String {
        crate::text::expected(&self.expected, self.shown, &self.unit)
    }
}

/// What is expected of our value. Changes are shares: 0.3 is +30 %.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Expected {
    /// The paper's value; ours has its sign and lies within the band.
    Near {
        /// The paper's value.
        value: f64,
        /// How far ours may be from it, as a share of it.
        band: f64,
    },
    /// The paper's value; ours lies within a distance of it.
    Within {
        /// The paper's value.
        value: f64,
        /// The distance, in the value's own unit.
        distance: f64,
    },
    /// Exactly this.
    Exact(f64),
    /// This or more.
    AtLeast(f64),
    /// This or less.
    AtMost(f64),
    /// Between these, both included.
    Range([f64; 2]),
    /// The points in this order, by label, from the least to the most; equals may follow each other.
    Ascending(Vec<String>),
}

impl Expected {
    /// The least and the largest value that is reproduced, where the paper gives a number.
    pub(crate) fn bounds(&self) -> Option<[f64; 2]> {
        let (value, distance) = match self {
            Self::Near { value, band } => (*value, band * value.abs()),
            Self::Within { value, distance } => (*value, *distance),
            _ => return None,
        };
        Some([value - distance, value + distance])
    }
}

/// What a number is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// The ratio to the base, less one: 0.3 is +30 %.
    Change,
    /// The ratio to the base.
    Ratio,
    /// The measure less that of the base, of shares: 0.2 is +20 points.
    Difference,
    /// A share: 0.3 is 30 %.
    Share,
    /// The measure itself, in its unit.
    #[default]
    Number,
}

impl Shown {
    /// Whether it is about a base.
    #[must_use]
    pub fn is_relative(self) -> bool {
        matches!(self, Self::Change | Self::Ratio | Self::Difference)
    }
}

/// Something that does not exist yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Need {
    /// Kind of it.
    pub kind: NeedKind,
    /// Its name.
    pub name: String,
}

impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.kind.name(), self.name)
    }
}

/// What a claim can lack.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NeedKind {
    /// A design of `rtl/`, or a variant of one.
    Design,
    /// A file of `experiments/`.
    Experiment,
    /// A file of `technologies/`.
    Technology,
    /// A computed measure of this crate.
    Measure,
}

impl NeedKind {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Design, Self::Experiment, Self::Technology, Self::Measure];

    /// As files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Design => "design",
            Self::Experiment => "experiment",
            Self::Technology => "technology",
            Self::Measure => "measure",
        }
    }
}

/// Where our value comes from.
#[derive(Debug, Clone)]
pub enum Source {
    /// The results of an experiment.
    Experiment(Box<FromExperiment>),
    /// The compiler, the structures or the machine, without results: the name of a computed measure.
    Computed(String),
}

/// What workloads must show: a number that is computed, or the arithmetic mean of a measure at a point.
#[derive(Debug, Clone)]
pub struct Condition {
    /// What the property is called.
    pub property: String,
    /// What the number is.
    pub shown: Shown,
    /// Its unit; empty for none.
    pub unit: String,
    /// Where it comes from.
    pub source: Source,
    /// Least and largest value; the largest is infinite where there is none.
    pub range: [f64; 2],
}
