//! What the papers' tables and the suites' own kernels say of block, registers, shared memory and
//! footprint, and which of our entries each value is held against.
//!
//! The numbers are rows of `data/published.csv` and stand nowhere else. Rows of papers have keys
//! `<paper>/<application>`; all other rows are kernels of the suites as nvcc compiled them for sm_52,
//! sm_70 and sm_75.

use std::fmt;
use std::sync::LazyLock;

use serde::Deserialize;

pub use crate::not_held::{NOT_HELD, NotHeld};

/// A row of the published values. What the source does not say is `None`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Row {
    /// Key, unique.
    pub key: String,
    /// Name of the workload that follows this application.
    pub application: String,
    /// The paper's table, or suite and file of the kernel.
    pub source: String,
    /// Threads of a block.
    pub block_threads: Option<u32>,
    /// Registers per thread, as a paper gives them.
    pub regs: Option<u32>,
    /// Registers per thread, compiled for sm_52.
    pub regs_sm52: Option<u32>,
    /// Registers per thread, compiled for sm_70.
    pub regs_sm70: Option<u32>,
    /// Registers per thread, compiled for sm_75.
    pub regs_sm75: Option<u32>,
    /// Bytes of shared memory a block, without what only the launch knows.
    pub shared_bytes: Option<u32>,
    /// Unique kilobytes that an SM touches.
    pub footprint_kb: Option<u32>,
    /// What else the source says.
    pub note: String,
}

impl Row {
    /// Least and largest number of registers per thread that the row gives.
    #[must_use]
    pub fn registers(&self) -> Option<(u32, u32)> {
        let all = [self.regs, self.regs_sm52, self.regs_sm70, self.regs_sm75];
        let known = || all.iter().flatten().copied();
        Some((known().min()?, known().max()?))
    }

    /// Whether the row gives a value that a workload can be held against.
    #[must_use]
    pub fn has_values(&self) -> bool {
        let shape = [self.block_threads, self.shared_bytes, self.footprint_kb];
        self.registers().is_some() || shape.iter().any(Option::is_some)
    }

    /// The paper whose table the row is of.
    #[must_use]
    pub fn paper(&self) -> Option<Paper> {
        let prefix = self.key.split('/').next()?;
        Paper::ALL.into_iter().find(|p| p.name() == prefix)
    }
}

/// A paper that names applications.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Paper {
    /// Integrated register file and cache, MICRO 2016.
    Cerf,
    /// Off-chip shared memory and its cache, TPDS 2022.
    Osm,
    /// Racetrack-memory register file, JCST 2016.
    Racetrack,
    /// Latency-tolerant register file, TOCS.
    Ltrf,
    /// Hybrid SRAM and STT-RAM register file, DAC 2015.
    Hybrid,
}

impl Paper {
    /// All papers.
    pub const ALL: [Self; 5] = [Self::Cerf, Self::Osm, Self::Racetrack, Self::Ltrf, Self::Hybrid];

    /// The paper's short name, also the prefix of its rows.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cerf => "cerf",
            Self::Osm => "osm",
            Self::Racetrack => "racetrack",
            Self::Ltrf => "ltrf",
            Self::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for Paper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A quantity that a row gives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Quantity {
    /// Threads of a block.
    Block,
    /// Registers per thread.
    Registers,
    /// Bytes of shared memory a block.
    Shared,
    /// Unique bytes that an SM touches in paper size.
    Footprint,
}

impl fmt::Display for Quantity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Block => "block",
            Self::Registers => "registers",
            Self::Shared => "shared memory",
            Self::Footprint => "footprint",
        })
    }
}

/// The entry of a [`Published`] that speaks of the workload as a whole.
pub const WHOLE: &str = "*";

/// Which published row an entry is held against, and where it differs with a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// Entry of the PTX, or [`WHOLE`].
    pub entry: &'static str,
    /// Key of the row.
    pub row: &'static str,
    /// Quantities that are off, each with its reason. A quantity that is near enough must not be here.
    pub deviations: &'static [(Quantity, &'static str)],
}

/// Why an entry has fewer registers than the suite's kernel for which ptxas takes more than its text needs.
pub const REORDERED: &str = "ptxas unrolls and loads early and so has more values live at once; Heddle keeps the \
     order of the PTX (docs/registers.md)";
/// Why an entry has more registers than the suite's kernel.
pub const OPERANDS: &str =
    "ptxas takes parameters and constants as operands, which are registers here (docs/registers.md)";
/// Why an entry has more registers than the suite's kernel though ptxas takes nearly as many for both.
pub const TEXT_ORDER: &str = "the order of the PTX, which Heddle keeps, has as many values live at once; ptxas \
     changes the order and takes nearly what it takes for the suite's kernel (docs/registers.md)";
/// Why an entry has fewer registers than the suite's kernel in any compiler's hands.
pub const OWN_SOURCE: &str = "a source of our own with fewer values live: ptxas too gives it less than the suite's kernel (docs/registers.md)";
/// Why an entry has more shared memory than the row.
pub const AT_LAUNCH: &str =
    "the suite's kernel takes its shared memory at launch, which the row does not show";

/// Holds `entry` against the row `row`.
#[must_use]
pub const fn published(
    entry: &'static str,
    row: &'static str,
    deviations: &'static [(Quantity, &'static str)],
) -> Published {
    Published { entry, row, deviations }
}

static ROWS: LazyLock<Vec<Row>> = LazyLock::new(|| {
    csv::Reader::from_reader(include_str!("../data/published.csv").as_bytes())
        .deserialize()
        .collect::<Result<_, _>>()
        .unwrap_or_else(|e| panic!("data/published.csv: {e}"))
});

/// All rows, in the order of the file.
///
/// # Panics
/// When the file, which is compiled in, is not CSV of [`Row`]s; the tests of this crate read it.
#[must_use]
pub fn rows() -> &'static [Row] {
    &ROWS
}

/// The row `key`.
#[must_use]
pub fn row(key: &str) -> Option<&'static Row> {
    rows().iter().find(|r| r.key == key)
}

/// The applications that the papers name, in alphabetical order.
#[must_use]
pub fn applications() -> Vec<&'static str> {
    let mut names: Vec<&str> =
        rows().iter().filter(|r| r.paper().is_some()).map(|r| r.application.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The papers that use `application` of `suite`.
///
/// LTRF names none of its 35 workloads, only their suites: CUDA samples, Rodinia and Parboil. It counts
/// for every application of these that another paper names.
#[must_use]
pub fn papers(application: &str, suite: &str) -> Vec<Paper> {
    let mut papers: Vec<Paper> =
        rows().iter().filter(|r| r.application == application).filter_map(Row::paper).collect();
    if !papers.is_empty() && ["cuda-samples", "rodinia", "parboil"].contains(&suite) {
        papers.push(Paper::Ltrf);
    }
    papers.sort_unstable();
    papers.dedup();
    papers
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn keys_are_unique_and_the_papers_name_46_applications() {
        let keys: BTreeSet<_> = rows().iter().map(|r| &r.key).collect();
        assert_eq!(keys.len(), rows().len());
        assert_eq!(applications().len(), 46);
        let of = |p| rows().iter().filter(|r| r.paper() == Some(p)).count();
        // The racetrack paper lists two kernels of histo.
        assert_eq!(Paper::ALL.map(of), [20, 22, 5, 0, 18]);
    }

    #[test]
    fn values_are_the_tables() {
        let hotspot = row("racetrack/hotspot");
        assert_eq!(hotspot.and_then(Row::registers), Some((60, 60)));
        assert_eq!(hotspot.and_then(|r| r.block_threads), Some(256));
        assert_eq!(row("osm/gemm").and_then(|r| r.footprint_kb), Some(3145));
        assert_eq!(row("dxtc/compress").and_then(Row::registers), Some((92, 94)));
        assert_eq!(row("cerf/mvt").and_then(Row::registers), None);
        assert!(row("cerf/dxtc").is_none());
    }

    #[test]
    fn papers_follow_from_the_rows_and_the_suite() {
        use Paper::{Cerf, Hybrid, Ltrf, Osm, Racetrack};
        assert_eq!(papers("bfs", "rodinia"), [Cerf, Osm, Ltrf, Hybrid]);
        assert_eq!(papers("mvt", "polybench"), [Cerf, Osm]);
        assert_eq!(papers("btree", "rodinia"), [Racetrack, Ltrf]);
        assert_eq!(papers("divergence", "heddle"), []);
    }
}
