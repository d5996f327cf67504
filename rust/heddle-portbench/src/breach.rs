//! Breaches of the port's contract, for the negative tests of fault detectors.

use std::fmt;

/// A breach of the port's contract that the traffic of a run commits sooner or later. What a design does afterwards is
/// not defined, but its fault detectors have to tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Breach {
    /// The configuration says that half of the rows are in use; the warps' registers lie in all of them.
    HalfTheRows,
    /// It says that all but the last one are, which traffic of a seed may not reach.
    AllRowsButOne,
    /// The warps' registers lie in twice the rows that the file has.
    TwiceTheFile,
}

impl Breach {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::HalfTheRows, Self::AllRowsButOne, Self::TwiceTheFile];

    /// Seeds of traffic with each: a run ends with the first breach that the design tells of.
    pub const SEEDS: std::ops::RangeInclusive<u64> = 1..=8;

    /// Cycles within which traffic of these seeds commits it, or of [`Self::least`] of them.
    pub const CYCLES: u64 = 20_000;

    /// How many of the seeds commit it at least.
    #[must_use]
    pub fn least(self) -> usize {
        let seeds = Self::SEEDS.count();
        match self {
            Self::HalfTheRows | Self::TwiceTheFile => seeds,
            Self::AllRowsButOne => seeds / 2,
        }
    }
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::HalfTheRows => "registers beyond the rows in use",
            Self::AllRowsButOne => "registers in the last row, which is not in use",
            Self::TwiceTheFile => "registers beyond the file",
        })
    }
}
