//! How many CTAs are resident at once.

use heddle_cosim::{Control, RunError, RunSpec, choose_tlp, with_choices};

/// The key of presets that bounds the CTAs of an SM.
pub const CTAS: &str = "sm.ctas";

/// How many CTAs a series keeps resident at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Tlp {
    /// As many as fit.
    #[default]
    Max,
    /// As many as the profile finds best for each entry of a kernel (racetrack, section 4.2).
    Best,
}

impl Tlp {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Max, Self::Best];

    /// As files write it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Best => "best",
        }
    }

    /// The run with as many CTAs.
    ///
    /// # Errors
    /// As [`choose_tlp`].
    pub(crate) fn applied(self, spec: &RunSpec, control: &mut dyn Control) -> Result<RunSpec, RunError> {
        Ok(match self {
            Self::Max => spec.clone(),
            Self::Best => with_choices(spec.clone(), &choose_tlp(spec, control)?),
        })
    }
}
