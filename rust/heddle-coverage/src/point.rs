//! What Verilator counts: places of the sources, and how often a run came by.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// What is counted at a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Executions of a block of statements.
    Line,
    /// Executions of one side of a condition.
    Branch,
    /// Edges of one bit of a signal, in one direction.
    Toggle,
    /// Cycles in which a `cover` statement holds.
    Cover,
}

impl Kind {
    /// All kinds, in the order of the tables.
    pub const ALL: [Self; 4] = [Self::Line, Self::Branch, Self::Toggle, Self::Cover];

    /// The name that users read.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Line => "line",
            Self::Branch => "branch",
            Self::Toggle => "toggle",
            Self::Cover => "cover",
        }
    }
}

/// One place at which something is counted, the same in all instances of its module and in all elaborations.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Point {
    /// Source, from the root of the repository.
    pub file: String,
    /// Line in it, from 1.
    pub line: u32,
    /// Column, from 1; of an `else` one more than that of its `if`.
    pub column: u32,
    /// Kind.
    pub kind: Kind,
    /// The bit with its edge, the side of the condition, or the label of the `cover` statement.
    pub what: String,
    /// Lines that are executed with it.
    pub lines: Vec<u32>,
}

impl Point {
    /// The module: a source is called after its own. Verilator's name for it has the parameters in it too.
    #[must_use]
    pub fn module(&self) -> &str {
        module(&self.file)
    }

    /// Module and signal without indices, such as `top.operands_o.tag` of `operands_o[0].tag[3]:0->1` in `top.sv`; of a
    /// `cover` statement module and label.
    #[must_use]
    pub fn signal(&self) -> String {
        let name = match self.kind {
            Kind::Toggle => self.what.rsplit_once(':').map_or(self.what.as_str(), |(name, _)| name),
            Kind::Line | Kind::Branch | Kind::Cover => &self.what,
        };
        let mut signal = format!("{}.", self.module());
        let mut depth = 0_u32;
        for c in name.chars() {
            match c {
                '[' => depth += 1,
                ']' => depth = depth.saturating_sub(1),
                c if depth == 0 => signal.push(c),
                _ => {}
            }
        }
        signal
    }
}

/// The module that a source is called after.
pub(crate) fn module(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.split('.').next().unwrap_or(name)
}

/// How often each point was reached, over runs, instances and elaborations.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<Point, u64>);

impl Counts {
    /// Adds `count` times of a point; 0 makes it known.
    pub fn add(&mut self, point: Point, count: u64) {
        let sum = self.0.entry(point).or_default();
        *sum = sum.saturating_add(count);
    }

    /// Adds all of `other`: a point is reached if it is in either.
    pub fn merge(&mut self, other: Self) {
        for (point, count) in other.0 {
            self.add(point, count);
        }
    }

    /// All points with their counts, by place.
    pub fn iter(&self) -> impl Iterator<Item = (&Point, u64)> {
        self.0.iter().map(|(point, &count)| (point, count))
    }

    /// Those of the points for which `kept` says so.
    #[must_use]
    pub fn retain(mut self, kept: impl Fn(&Point) -> bool) -> Self {
        self.0.retain(|point, _| kept(point));
        self
    }

    /// Whether there is no point.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
