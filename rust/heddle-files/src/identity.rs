//! Which file a path means.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Links that are followed to a file that is not there.
const MOST_LINKS: usize = 40;

/// What a path means: a file that is there, or a name in a folder.
#[derive(Debug, PartialEq, Eq)]
enum Identity {
    There(FileId),
    Name(FileId, OsString),
}

/// A file's device and number on it, which all its hard links share.
#[cfg(unix)]
type FileId = (u64, u64);
/// The path without links.
#[cfg(not(unix))]
type FileId = PathBuf;

#[cfg(unix)]
fn file_id(path: &Path) -> Option<FileId> {
    use std::os::unix::fs::MetadataExt as _;
    fs::metadata(path).ok().map(|m| (m.dev(), m.ino()))
}

#[cfg(not(unix))]
fn file_id(path: &Path) -> Option<FileId> {
    fs::canonicalize(path).ok()
}

/// The folder that a path is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// What a path leads to through links, there or not; `None` in a circle of links.
pub(crate) fn target(path: &Path) -> Option<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        match fs::read_link(&path) {
            Ok(next) => path = folder(&path).join(next),
            Err(_) => return Some(path),
        }
    }
    None
}

fn identity(path: &Path) -> Option<Identity> {
    let path = target(path)?;
    match file_id(&path) {
        Some(id) => Some(Identity::There(id)),
        None => Some(Identity::Name(file_id(folder(&path))?, path.file_name()?.to_owned())),
    }
}

/// Whether two paths mean the same file, through links of either kind, also where nothing is there yet. Of paths
/// into folders that are not there nothing is known, and the answer is no.
#[must_use]
pub fn same_file(a: &Path, b: &Path) -> bool {
    identity(a).is_some_and(|a| identity(b) == Some(a))
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_file_is_known_by_each_of_its_names() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let here = |name: &str| folder.path().join(name);
        fs::write(here("file"), "").expect("writable");
        fs::write(here("other"), "").expect("writable");
        fs::hard_link(here("file"), here("hard")).expect("a link");
        symlink("file", here("soft")).expect("a link");
        symlink(folder.path(), here("folder")).expect("a link");
        for name in ["file", "hard", "soft", "folder/file", "./file", "folder/soft"] {
            assert!(same_file(&here("file"), &here(name)), "{name}");
        }
        assert!(!same_file(&here("file"), &here("other")));
        // Nothing there yet.
        symlink("new", here("to-new")).expect("a link");
        for name in ["new", "folder/new", "to-new"] {
            assert!(same_file(&here("new"), &here(name)), "{name}");
        }
        assert!(!same_file(&here("new"), &here("new2")));
        assert!(!same_file(&here("gone/new"), &here("gone/new")));
        symlink("loop", here("loop")).expect("a link");
        assert!(!same_file(&here("loop"), &here("loop")));
    }
}
