//! An experiment with the results that are there, held against themselves.

use heddle_experiments::{Experiment, ResultRow, ResultSet};

use crate::error::ReportError;

/// The most by which sums of a result's rounded numbers may be off, as a share.
const ROUNDING: f64 = 1e-6;

/// An experiment and its results.
#[derive(Debug, Clone)]
pub struct Measured {
    /// The experiment.
    pub experiment: Experiment,
    /// Its results, failures, and what is missing.
    pub results: ResultSet,
    /// The command that runs what is missing.
    pub command: String,
}

impl Measured {
    /// The publication: the first word of the source, `LTRF` of `LTRF, figure 19`.
    #[must_use]
    pub fn paper(&self) -> &str {
        self.experiment.source.split([',', ':', ' ']).next().unwrap_or_default()
    }

    /// Whether the numbers of every result fit each other: issued slots are `ipc`, and issued and lost slots together
    /// are the issue slots of its cycles.
    ///
    /// # Errors
    /// [`ReportError::Contradiction`].
    pub fn check(&self) -> Result<(), ReportError> {
        self.results.rows.iter().try_for_each(|row| self.check_row(row))
    }

    fn check_row(&self, row: &ResultRow) -> Result<(), ReportError> {
        let hold = |what, found: f64, expected: f64| {
            if (found - expected).abs() <= ROUNDING * expected.abs().max(1.0) {
                return Ok(());
            }
            let run =
                format!("experiment {}, {}, kernel {}", self.experiment.id, row.point.label(), row.kernel);
            Err(ReportError::Contradiction { run, key: row.key.clone(), what, found, expected })
        };
        let Some(parts) = slots(row) else { return Ok(()) };
        let issued = parts.iter().find(|(name, _)| name == "issued").map_or(0.0, |(_, value)| *value);
        if let Some(ipc) = row.number("ipc") {
            hold("ipc_stack.issued", issued, ipc)?;
        }
        let of = |key: &str| row.number(key);
        let slots = (of("cycles"), of("statistics.warp_instructions"), stalls(row));
        if let (Some(cycles), Some(instructions), Some(stalls)) = slots {
            let total: f64 = parts.iter().map(|(_, value)| value).sum();
            hold("the sum of ipc_stack", total, (instructions + stalls) / cycles)?;
        }
        Ok(())
    }
}

/// Issue slots a cycle of a result: issued, and lost by reason; `None` where it has none.
pub fn slots(row: &ResultRow) -> Option<Vec<(String, f64)>> {
    let stack = row.row.get("ipc_stack")?.as_object()?;
    Some(stack.iter().filter_map(|(name, value)| Some((name.clone(), value.as_f64()?))).collect())
}

/// Scheduler cycles in which nothing issued.
fn stalls(row: &ResultRow) -> Option<f64> {
    let statistics = row.row.get("statistics")?.as_object()?;
    let stalls = statistics.iter().filter(|(name, _)| name.starts_with("stalls."));
    Some(stalls.filter_map(|(_, value)| value.as_f64()).sum())
}
