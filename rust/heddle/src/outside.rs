//! `--design-path`: designs of folders outside the repository.

use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::Command;

use heddle_manifest::Manifest;
use heddle_outside::{Folder, OutsideError};

use crate::args::Cli;
use crate::root::root;
use crate::{Failure, Outcome, complain};

impl From<OutsideError> for Failure {
    fn from(error: OutsideError) -> Self {
        Self { code: error.exit_code(), message: error.to_string() }
    }
}

/// Becomes the program that has the models of the folders, in a tree that has their designs, with the arguments of
/// this process.
pub fn run(cli: &Cli) -> Outcome {
    let told = (!cli.command.quiet()).then_some(&complain as &dyn Fn(&str));
    // Building the program takes minutes: what is wrong with a manifest is said before.
    let included = heddle_outside::include(&root()?, &cli.design_path, check, told)?;
    let failed = Command::new(&included.program)
        .args(std::env::args_os().skip(1))
        .env("HEDDLE_ROOT", &included.root)
        .exec();
    Err(Failure::failed(format!("cannot start {}: {failed}", included.program.display())))
}

/// Whether the manifests of the folders' designs can be used in the tree, and their names are no other design's.
fn check(tree: &Path, folders: &[Folder]) -> Outcome {
    let designs = Manifest::load_each(tree).map_err(Failure::usage)?;
    for folder in folders {
        let (name, inside) = (&folder.design, Path::new("rtl").join(&folder.design));
        let there = |at: &Path| at.join(&inside).display().to_string();
        for found in &designs {
            match &found.read {
                Err(error) if found.name == *name => {
                    // The folder is named, not its place in the tree.
                    return Err(Failure::usage(
                        error.to_string().replace(&there(tree), &there(&folder.path)),
                    ));
                }
                Ok(all) if all.iter().any(|other| other.variant.is_some() && other.called() == *name) => {
                    let path = folder.path.display();
                    let what =
                        format!("design path {path}: '{name}' is a variant of '{}' already", found.name);
                    return Err(Failure::usage(what));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
