//! The proved properties of modules as a judge.

use std::ffi::OsStr;
use std::path::Path;

use serde::Deserialize;

use crate::error::MutateError;
use crate::script;
use crate::site::Site;

/// The program that proves the properties, from the root of the repository.
const PROGRAM: &str = "scripts/formal.py";

/// What one module's proof says of a mutant: a line that the program prints.
#[derive(Debug, Deserialize)]
struct Proof {
    module: String,
    /// The property that the mutant breaks.
    breaks: Option<String>,
}

/// The module and the property, `module: Property`, that the mutant breaks from reset, where the module has proved
/// properties and one of them tells the mutant from the design. What the tools refuse breaks none.
///
/// # Errors
/// [`MutateError::Start`], [`MutateError::Program`].
pub(crate) fn broken_by(root: &Path, site: &Site) -> Result<Option<String>, MutateError> {
    let wrong = |what: String| MutateError::Program { program: PROGRAM.into(), what };
    let mutant = serde_json::to_string(site).map_err(|e| wrong(e.to_string()))?;
    let printed = script::run(root, PROGRAM, &["-j", "1", "--mutant", &mutant].map(OsStr::new))?;
    for line in printed.lines() {
        let Proof { module, breaks } = serde_json::from_str(line)
            .map_err(|e| wrong(format!("prints what is no verdict: {e}: {line}")))?;
        if let Some(property) = breaks {
            return Ok(Some(format!("{module}: {property}")));
        }
    }
    Ok(None)
}
