//! The micro-traces by the mechanism that each isolates.

mod arithmetic;
mod control;
mod global;
mod programs;
mod shared;

use crate::error::FidelityError;
use crate::trace::Trace;

/// All micro-traces, and the three small programs.
#[must_use]
pub fn all() -> Vec<Trace> {
    [arithmetic::all(), control::all(), shared::all(), global::all(), programs::all()]
        .into_iter()
        .flatten()
        .collect()
}

/// Those of `traces` with these names, comma separated; `all` for all of them.
///
/// # Errors
/// [`FidelityError::Unknown`].
pub fn chosen<'a>(traces: &'a [Trace], names: &str) -> Result<Vec<&'a Trace>, FidelityError> {
    if names == "all" {
        return Ok(traces.iter().collect());
    }
    let find = |name: &str| {
        traces.iter().find(|trace| trace.name == name).ok_or_else(|| {
            let known = traces.iter().map(|trace| trace.name);
            FidelityError::Unknown { name: name.to_owned(), hint: heddle_suggest::hint_or_list(name, known) }
        })
    };
    names.split(',').map(str::trim).map(find).collect()
}
