//! `--design-path`: designs of folders outside the repository.

use std::os::unix::process::CommandExt as _;
use std::path::PathBuf;
use std::process::Command;

use crate::root::root;
use crate::{Failure, Outcome};

/// Becomes the program that has the models of the folders, in a tree that has their designs, with the arguments of
/// this process.
pub fn run(folders: &[PathBuf]) -> Outcome {
    let included = heddle_outside::include(&root()?, folders)
        .map_err(|error| Failure { code: error.exit_code(), message: error.to_string() })?;
    let failed = Command::new(&included.program)
        .args(std::env::args_os().skip(1))
        .env("HEDDLE_ROOT", &included.root)
        .exec();
    Err(Failure::failed(format!("cannot start {}: {failed}", included.program.display())))
}
