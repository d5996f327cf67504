//! Why there is no report.

/// What is wrong with results, or with the page.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// Numbers of a result contradict each other.
    #[error(
        "experiment {experiment}, {point}, kernel {kernel}: {what} is {found}, expected {expected}; \
             remove the file of this result and run it again with --resume"
    )]
    Contradiction {
        /// The experiment.
        experiment: String,
        /// Label of the point.
        point: String,
        /// The kernel.
        kernel: String,
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
