//! How much of an experiment runs.

use std::fmt;
use std::str::FromStr;

/// How much of an experiment runs; each file says which size and which kernels that is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Scale {
    /// Enough to show that every figure can be made.
    #[default]
    Smoke,
    /// Enough to judge the claims: all experiments in a night on two cores.
    Claims,
    /// All kernels in the size of the papers.
    Paper,
}

impl Scale {
    /// All of them, from the least work to the most.
    pub const ALL: [Self; 3] = [Self::Smoke, Self::Claims, Self::Paper];

    /// As files and command lines write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Smoke => "smoke",
            Self::Claims => "claims",
            Self::Paper => "paper",
        }
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no scale.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown scale '{name}'{hint}")]
pub struct UnknownScale {
    name: String,
    hint: String,
}

impl FromStr for Scale {
    type Err = UnknownScale;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL.into_iter().find(|scale| scale.name() == name).ok_or_else(|| UnknownScale {
            name: name.to_owned(),
            hint: heddle_suggest::hint_or_list(name, Self::ALL.map(Self::name)),
        })
    }
}
