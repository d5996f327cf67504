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
struct Line {
    module: String,
    /// The property that the mutant breaks.
    breaks: Option<String>,
    /// Why a property could not be decided.
    problem: Option<String>,
}

/// What all of them say.
pub(crate) struct Proof {
    /// The module and the property, `module: Property`, that the mutant breaks from reset.
    pub broken: Option<String>,
    /// Every property was decided.
    pub complete: bool,
}

/// What the proofs of the modules that have the changed file say. What yosys refuses breaks no property.
///
/// # Errors
/// [`MutateError::Start`], [`MutateError::Program`].
pub(crate) fn of(root: &Path, site: &Site) -> Result<Proof, MutateError> {
    let wrong = |what: String| MutateError::Program { program: PROGRAM.into(), what };
    let mutant = serde_json::to_string(site).map_err(|e| wrong(e.to_string()))?;
    let printed = script::run(root, PROGRAM, &["--mutant", &mutant].map(OsStr::new))?;
    let mut proof = Proof { broken: None, complete: true };
    for line in printed.lines() {
        let Line { module, breaks, problem } = serde_json::from_str(line)
            .map_err(|e| wrong(format!("prints what is no verdict: {e}: {line}")))?;
        proof.broken = proof.broken.or(breaks.map(|property| format!("{module}: {property}")));
        proof.complete &= problem.is_none();
    }
    Ok(proof)
}
