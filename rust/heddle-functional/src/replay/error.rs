//! How the allocated program differs from the program as parsed.

use heddle_port::LaneMask;

use crate::error::GoldenError;
use crate::site::{AccessKind, Site};

/// The program as parsed does not do what the allocated program does. Places are instructions of the program as
/// parsed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The same access of both has another address or value.
    #[error("{at}: {what} {parsed:#x} as parsed, {allocated:#x} as allocated")]
    Differs {
        /// The access.
        at: Box<Site>,
        /// What differs.
        what: &'static str,
        /// Of the program as parsed.
        parsed: u64,
        /// Of the allocated program.
        allocated: u64,
    },
    /// Other lanes execute the access.
    #[error("{at}: lanes {parsed} access memory as parsed, lanes {allocated} as allocated")]
    Lanes {
        /// The access.
        at: Box<Site>,
        /// Lanes of the program as parsed.
        parsed: LaneMask,
        /// Lanes of the allocated program.
        allocated: LaneMask,
    },
    /// The warp comes to another access.
    #[error("{at}: the next access as parsed; the allocated program comes to {allocated}")]
    Other {
        /// The access as parsed.
        at: Box<Site>,
        /// The access of the allocated program.
        allocated: Box<Site>,
    },
    /// The warp has ended as parsed.
    #[error("{at}: accesses memory as allocated; as parsed its warp has ended")]
    Ended {
        /// The access of the allocated program.
        at: Box<Site>,
    },
    /// The allocated program has no such instruction, and it is no load.
    #[error("{at}: the allocated program does not have this {kind}")]
    Dropped {
        /// The access as parsed.
        at: Box<Site>,
        /// What it does.
        kind: AccessKind,
    },
    /// A spill or reload cannot be performed.
    #[error("{at}: a spill or reload that serves what comes next cannot be performed")]
    Added {
        /// The instruction before it.
        at: Box<Site>,
    },
    /// The warp has accesses, or a barrier, before it that the allocated program does not come to.
    #[error("{at}: as parsed the warp does not get past this; the allocated program comes to {allocated}")]
    Waits {
        /// Where the program as parsed stands.
        at: Box<Site>,
        /// The access of the allocated program.
        allocated: Box<Site>,
    },
    /// The allocated program has ended, the program as parsed has not.
    #[error("{at}: the allocated program has ended; as parsed the warp goes on")]
    NotEnded {
        /// Where the program as parsed stands.
        at: Box<Site>,
    },
    /// The program as parsed does what cannot be executed.
    #[error("as parsed, in the order of the allocated program: {0}")]
    Refused(#[from] GoldenError),
}

impl ReplayError {
    /// The place in the program as parsed, where one is known.
    #[must_use]
    pub fn site(&self) -> Option<&Site> {
        match self {
            Self::Differs { at, .. }
            | Self::Lanes { at, .. }
            | Self::Other { at, .. }
            | Self::Ended { at }
            | Self::Dropped { at, .. }
            | Self::Added { at }
            | Self::Waits { at, .. }
            | Self::NotEnded { at } => Some(at),
            Self::Refused(_) => None,
        }
    }
}
