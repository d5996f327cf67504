//! Programs of the repository.

use std::ffi::OsStr;
use std::path::Path;
use std::process::Command;

use crate::error::MutateError;

/// What `program`, a path from the root of the repository, prints when it is run there.
///
/// # Errors
/// [`MutateError::Start`]; [`MutateError::Program`]: it fails.
pub(crate) fn run(root: &Path, program: &str, args: &[&OsStr]) -> Result<String, MutateError> {
    let output = Command::new("python3")
        .arg(root.join(program))
        .args(args)
        .current_dir(root)
        .output()
        .map_err(|source| MutateError::Start { program: "python3".into(), source })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
        let what = if said.is_empty() { format!("ends with {}", output.status) } else { said };
        return Err(MutateError::Program { program: program.into(), what });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
