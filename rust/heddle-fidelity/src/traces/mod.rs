//! The micro-traces by the mechanism that each isolates.

mod arithmetic;
mod control;
mod global;
mod programs;
mod shared;

pub(crate) use self::arithmetic::turn;
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
    by_name(traces, names, |trace| trace.name)
}

/// Those of `all` with these names, comma separated; `all` for all of them.
pub(crate) fn by_name<'a, T>(
    all: &'a [T],
    names: &str,
    name_of: impl Fn(&T) -> &'static str,
) -> Result<Vec<&'a T>, FidelityError> {
    if names == "all" {
        return Ok(all.iter().collect());
    }
    let find = |name: &str| {
        all.iter().find(|one| name_of(one) == name).ok_or_else(|| {
            let known = all.iter().map(&name_of);
            FidelityError::Unknown { name: name.to_owned(), hint: heddle_suggest::hint_or_list(name, known) }
        })
    };
    names.split(',').map(str::trim).map(find).collect()
}
