//! Why there is no report.

/// What is wrong with results, or with the page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Numbers of a result contradict each other.
    #[error(
        "{run}: {what} is {found}, expected {expected}; remove runs/{key}.json of this result and run it again with \
             --resume"
    )]
    Contradiction {
        /// Experiment, label of the point, kernel.
        run: String,
        /// Key of the run.
        key: String,
        /// The number.
        what: &'static str,
        /// What it is.
        found: f64,
        /// What it is by the other numbers of the result.
        expected: f64,
    },
    /// The page cannot be made of its template.
    #[error("cannot make the page: {0}")]
    Template(#[from] minijinja::Error),
}

impl ReportError {
    /// Exit code of a process that ended so: 2 for bad input, 1 for what failed on the way.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Contradiction { .. } => 2,
            Self::Template(_) => 1,
        }
    }
}
