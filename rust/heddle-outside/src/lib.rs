//! Designs of folders outside the repository.
//!
//! Such a [`Folder`] has what a design has in the repository, in folders of the same names, and a crate with its
//! cycle model, which needs no crate of Heddle but `heddle-port`. [`include()`] makes a tree that looks like the
//! repository with the designs in it, so that everything that finds designs by folder finds them, and builds
//! the program with their models.

mod error;
mod folder;
mod program;
mod tree;

use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

pub use error::OutsideError;
pub use folder::Folder;

/// The repository with designs of other folders in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Included {
    /// The tree, to be used in place of the repository.
    pub root: PathBuf,
    /// The program that has the models of the designs too.
    pub program: PathBuf,
}

/// Makes the tree of the repository `root` and the designs at `paths`, below `root/build/outside`, and builds the
/// program once `check` has nothing against tree and folders; what is there and up to date stays. A build that takes its time is told to `told`, or by cargo where
/// standard error is a terminal; without `told` it is not.
///
/// # Errors
/// [`OutsideError`], and those of `check`.
pub fn include<E: From<OutsideError>>(
    root: &Path,
    paths: &[PathBuf],
    check: impl FnOnce(&Path, &[Folder]) -> Result<(), E>,
    told: Option<&dyn Fn(&str)>,
) -> Result<Included, E> {
    let root = &absolute(root)?;
    let folders = read(paths)?;
    let at = make(root, &folders)?;
    check(&at, &folders)?;
    let name = format!("heddle-with-{}", key(root, &folders));
    program::write(root, &at, &name, &folders)?;
    let program = program::build(root, &at, &name, &folders, told)?;
    Ok(Included { root: at, program })
}

/// Makes the tree alone, and returns where it is.
///
/// # Errors
/// [`OutsideError`].
pub fn tree(root: &Path, paths: &[PathBuf]) -> Result<PathBuf, OutsideError> {
    make(&absolute(root)?, &read(paths)?)
}

fn absolute(root: &Path) -> Result<PathBuf, OutsideError> {
    std::path::absolute(root).map_err(|source| OutsideError::Read { path: root.to_owned(), source })
}

fn read(paths: &[PathBuf]) -> Result<Vec<Folder>, OutsideError> {
    let mut folders: Vec<Folder> = paths.iter().map(|path| Folder::read(path)).collect::<Result<_, _>>()?;
    folders.sort_by(|a, b| a.path.cmp(&b.path));
    folders.dedup();
    Ok(folders)
}

fn make(root: &Path, folders: &[Folder]) -> Result<PathBuf, OutsideError> {
    let designs: Vec<&str> = folders.iter().map(|folder| folder.design.as_str()).collect();
    let at = root.join("build/outside").join(format!("{}-{}", designs.join("-"), key(root, folders)));
    tree::make(root, &at, folders)?;
    Ok(at)
}

/// What tells this choice of folders from others.
fn key(root: &Path, folders: &[Folder]) -> String {
    let mut hash = Sha256::new();
    for path in std::iter::once(root).chain(folders.iter().map(|folder| folder.path.as_path())) {
        hash.update(path.as_os_str().as_encoded_bytes());
        hash.update([0]);
    }
    hash.finalize().iter().take(6).map(|byte| format!("{byte:02x}")).collect()
}
