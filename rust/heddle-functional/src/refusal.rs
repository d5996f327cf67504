//! Where a refusal is, and which refusals are the same.

use crate::error::GoldenError;
use crate::site::Site;

impl GoldenError {
    /// The place that it is about, where there is one.
    #[must_use]
    pub fn site(&self) -> Option<&Site> {
        match self {
            Self::Exec { at, .. }
            | Self::PastEnd { at, .. }
            | Self::PendingRead { at, .. }
            | Self::UndefinedRead { at, .. }
            | Self::UninitialisedRead { at, .. }
            | Self::OutOfBounds { at, .. }
            | Self::Misaligned { at, .. }
            | Self::ReadOnly { at, .. }
            | Self::Race { at, .. }
            | Self::DivergentBarrier { at, .. }
            | Self::StuckLanes { at, .. }
            | Self::EarlyPass { at, .. }
            | Self::TagInUse { at, .. }
            | Self::WrongLanes { at, .. }
            | Self::NotPerformed { at, .. }
            | Self::NotHeld { at, .. }
            | Self::KeptLines { at }
            | Self::Order { at, .. } => Some(at),
            Self::Launch { .. }
            | Self::Cta { .. }
            | Self::BarrierNeverMet { .. }
            | Self::Stuck { .. }
            | Self::UnknownTag { .. }
            | Self::Unfinished { .. }
            | Self::Limit { .. }
            | Self::Stopped { .. } => None,
        }
    }

    /// Whether both are the same thing that a kernel does wrong, wherever it does.
    pub(crate) fn says_the_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Exec { source: a, .. }, Self::Exec { source: b, .. }) => a == b,
            (
                Self::UninitialisedRead { space: a, address: x, .. },
                Self::UninitialisedRead { space: b, address: y, .. },
            )
            | (
                Self::OutOfBounds { space: a, address: x, .. },
                Self::OutOfBounds { space: b, address: y, .. },
            )
            | (
                Self::Misaligned { space: a, address: x, .. },
                Self::Misaligned { space: b, address: y, .. },
            ) => (a, x) == (b, y),
            (Self::ReadOnly { address: x, .. }, Self::ReadOnly { address: y, .. })
            | (Self::Race { address: x, .. }, Self::Race { address: y, .. }) => x == y,
            (
                Self::DivergentBarrier { arrived: a, missing: x, .. },
                Self::DivergentBarrier { arrived: b, missing: y, .. },
            ) => (a, x) == (b, y),
            _ => false,
        }
    }
}
