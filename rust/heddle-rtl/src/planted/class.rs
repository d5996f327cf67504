//! What planted bugs are slips of.

use std::fmt;

use serde::Deserialize;

/// What kind of slip a planted bug is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BugClass {
    /// A wrong grant or an unfair one.
    Arbitration,
    /// An order that must hold is broken.
    Hazard,
    /// A resource is given away twice, or never again.
    Allocation,
    /// The wrong bank, row, warp or register.
    Addressing,
    /// Lanes that should or should not take part.
    #[serde(rename = "lane mask")]
    LaneMask,
    /// A value that does not reach the place where it belongs.
    WriteBack,
    /// State that is lost or kept when a warp leaves or comes back.
    Activation,
    /// A queue that takes too much or gives too early.
    FullEmpty,
    /// The wrong entry gives way.
    Replacement,
    /// An entry goes into a wrong state.
    #[serde(rename = "state transition")]
    StateTransition,
    /// Requests of one line are mixed up or lost.
    #[serde(rename = "MSHR merge")]
    MshrMerge,
    /// A register that was written to memory is lost or comes back wrong.
    #[serde(rename = "spill and refill")]
    SpillRefill,
    /// A line is not kept although it is needed, or the wrong one is.
    Lock,
    /// A line is kept although it is not needed any more.
    Unlock,
    /// The wrong line gives way.
    #[serde(rename = "victim choice")]
    VictimChoice,
    /// Bytes of a word that should or should not take part.
    #[serde(rename = "byte mask")]
    ByteMask,
}

impl BugClass {
    /// All classes.
    pub const ALL: [Self; 16] = [
        Self::Arbitration,
        Self::Hazard,
        Self::Allocation,
        Self::Addressing,
        Self::LaneMask,
        Self::WriteBack,
        Self::Activation,
        Self::FullEmpty,
        Self::Replacement,
        Self::StateTransition,
        Self::MshrMerge,
        Self::SpillRefill,
        Self::Lock,
        Self::Unlock,
        Self::VictimChoice,
        Self::ByteMask,
    ];
}

impl fmt::Display for BugClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Arbitration => "arbitration",
            Self::Hazard => "hazard",
            Self::Allocation => "allocation",
            Self::Addressing => "addressing",
            Self::LaneMask => "lane mask",
            Self::WriteBack => "write-back",
            Self::Activation => "activation",
            Self::FullEmpty => "full-empty",
            Self::Replacement => "replacement",
            Self::StateTransition => "state transition",
            Self::MshrMerge => "MSHR merge",
            Self::SpillRefill => "spill and refill",
            Self::Lock => "lock",
            Self::Unlock => "unlock",
            Self::VictimChoice => "victim choice",
            Self::ByteMask => "byte mask",
        })
    }
}
