//! A folder that looks like the repository with the designs of other folders in it, made of links.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use crate::error::OutsideError;
use crate::folder::Folder;

/// Folders in which the entries of the repository and those of a design stand side by side.
const SHARED: [&str; 4] = ["rtl", "testbench", "constraints", "docs/designs"];
/// What of the repository is not in the tree: its own files for cargo and git, what it made, and the shared folders.
const LEFT_OUT: [&str; 9] =
    [".git", "Cargo.toml", "Cargo.lock", "target", "results", "rtl", "testbench", "constraints", "docs"];

/// Makes the tree `at` of the repository `root` and the designs of `folders`, or brings it up to date.
pub(crate) fn make(root: &Path, at: &Path, folders: &[Folder]) -> Result<(), OutsideError> {
    for (name, target) in entries(root)?.into_iter().filter(|(name, _)| !LEFT_OUT.contains(&name.as_str())) {
        link(&at.join(name), &target)?;
    }
    let docs = entries(&root.join("docs"))?.into_iter().filter(|(name, _)| name != "designs");
    for (name, target) in docs {
        link(&at.join("docs").join(name), &target)?;
    }
    for shared in SHARED {
        let mut all = entries(&root.join(shared))?;
        for folder in folders {
            let own = folder.path.join(shared);
            if !own.is_dir() {
                continue;
            }
            for (name, target) in entries(&own)? {
                if let Some(first) = all.insert(name, target.clone()) {
                    return Err(OutsideError::Taken { twice: target, first });
                }
            }
        }
        fill(&at.join(shared), &all, |target| shared == "testbench" && !target.starts_with(root))?;
    }
    Ok(())
}

/// The entries of a folder by name.
fn entries(folder: &Path) -> Result<BTreeMap<String, PathBuf>, OutsideError> {
    let fail = |source| OutsideError::Read { path: folder.to_owned(), source };
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(fail)? {
        let entry = entry.map_err(fail)?;
        all.insert(entry.file_name().to_string_lossy().into_owned(), entry.path());
    }
    Ok(all)
}

/// Makes `folder` have links of these names and targets, and nothing else. A target that is a folder and `opened` becomes
/// a folder of links: a path in one of its files that begins with `..` leads to what stands beside it in the tree.
fn fill(
    folder: &Path,
    links: &BTreeMap<String, PathBuf>,
    opened: impl Fn(&Path) -> bool + Copy,
) -> Result<(), OutsideError> {
    if fs::symlink_metadata(folder).is_ok_and(|there| !there.is_dir()) {
        remove(folder)?;
    }
    fs::create_dir_all(folder).map_err(|source| OutsideError::Write { path: folder.to_owned(), source })?;
    for (name, there) in entries(folder)? {
        if !links.contains_key(&name) {
            remove(&there)?;
        }
    }
    links.iter().try_for_each(|(name, target)| {
        let path = folder.join(name);
        if target.is_dir() && opened(target) {
            fill(&path, &entries(target)?, opened)
        } else {
            link(&path, target)
        }
    })
}

/// Removes a link, or a folder of links.
fn remove(path: &Path) -> Result<(), OutsideError> {
    let fail = |source| OutsideError::Write { path: path.to_owned(), source };
    let there = fs::symlink_metadata(path).map_err(fail)?;
    if there.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }.map_err(fail)
}

/// Makes `path` a link to `target`. Another process may do the same at the same time.
fn link(path: &Path, target: &Path) -> Result<(), OutsideError> {
    let is_there = || fs::read_link(path).is_ok_and(|there| there == target);
    if is_there() {
        return Ok(());
    }
    let fail = |source| OutsideError::Write { path: path.to_owned(), source };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(fail)?;
    }
    if fs::symlink_metadata(path).is_ok() {
        remove(path)?;
    }
    match symlink(target, path) {
        Err(error) if !is_there() => Err(fail(error)),
        _ => Ok(()),
    }
}
