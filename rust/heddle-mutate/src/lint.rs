//! Lint as a judge.

use std::ffi::OsStr;
use std::path::Path;

use crate::error::MutateError;
use crate::script;
use crate::site::Site;

/// The program that reads the RTL, from the root of the repository.
const PROGRAM: &str = "scripts/lint-rtl.py";

/// What Verilator or slang says of `design` with the mutant, or of the design itself. Nothing of a design outside the
/// repository, which lint does not read.
///
/// # Errors
/// [`MutateError::Start`], [`MutateError::Program`].
pub(crate) fn says(root: &Path, design: &str, site: Option<&Site>) -> Result<Option<String>, MutateError> {
    if !root.join("rtl").join(design).join("design.toml").is_file() {
        return Ok(None);
    }
    let wrong = |what: String| MutateError::Program { program: PROGRAM.into(), what };
    let mutant = serde_json::to_string(&site).map_err(|e| wrong(e.to_string()))?;
    let printed = script::run(root, PROGRAM, &["--mutant", &mutant, design].map(OsStr::new))?;
    serde_json::from_str(&printed).map_err(|e| wrong(format!("prints what is no message: {e}: {printed}")))
}

/// Lint has nothing to say of `design` itself, so what it says of a mutant is about that.
///
/// # Errors
/// [`MutateError::Program`] with what it says, and as [`says`].
pub(crate) fn holds(root: &Path, design: &str) -> Result<(), MutateError> {
    let Some(message) = says(root, design, None)? else { return Ok(()) };
    let what = format!("reports the design itself, so it cannot judge mutants: {message}");
    Err(MutateError::Program { program: PROGRAM.into(), what })
}
