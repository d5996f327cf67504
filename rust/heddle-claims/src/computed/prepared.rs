//! The machine of a point of an experiment.

use heddle_cosim::PreparedDesign;
use heddle_experiments::Experiment;

use super::fail;
use crate::error::ClaimError;
use crate::stock::Stock;

/// The experiment with a name.
///
/// # Errors
/// [`ClaimError::Compute`]: there is none.
pub fn experiment<'a>(
    measure: &'static str,
    stock: &'a Stock,
    name: &str,
) -> Result<&'a Experiment, ClaimError> {
    stock.experiments().get(name).ok_or_else(|| fail(measure)(format!("experiment '{name}' is not there")))
}

/// The design of a point, by its label, with its preset after all overrides.
///
/// # Errors
/// [`ClaimError::Compute`]: the experiment has no such point; and what the point's settings lack.
pub fn prepared(
    measure: &'static str,
    stock: &Stock,
    name: &str,
    label: &str,
) -> Result<PreparedDesign, ClaimError> {
    let experiment = experiment(measure, stock, name)?;
    let point = experiment.points().into_iter().find(|point| point.label() == label);
    let point = point.zip(experiment.kernels.first());
    let missing = || fail(measure)(format!("experiment '{name}' has no point '{label}' with a kernel"));
    let (point, kernel) = point.ok_or_else(missing)?;
    Ok(PreparedDesign::new(&experiment.spec(stock.root(), &point, &kernel.kernel))?)
}
