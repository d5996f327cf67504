//! The folder of netlists: each whole or not at all, and not more of them than are of use.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use heddle_files::{Temporary, temporary};

use super::NetlistError;

/// Netlists that stay: as many as were written last.
const KEPT: usize = 8;

/// The netlist that was kept as `path`, if it was.
pub(super) fn kept(path: &Path) -> Result<Option<String>, NetlistError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(source) => Err(failed(path)(source)),
    }
}

/// A file beside `path`, for the netlist or what it is made of; it is removed unless it is kept.
pub(super) fn begin(path: &Path) -> Result<Temporary, NetlistError> {
    temporary(path).map_err(failed(path))
}

/// Keeps a netlist as `path` and returns its text; those that were written longest ago give way.
pub(super) fn keep(made: Temporary, path: &Path) -> Result<String, NetlistError> {
    let text = fs::read_to_string(made.path()).map_err(failed(made.path()))?;
    made.persist(path).map_err(|refused| failed(path)(refused.error))?;
    trim(path.parent().unwrap_or(path));
    Ok(text)
}

/// Removes the oldest netlists of a folder. Whoever uses one has read it: its text is what is compiled.
fn trim(folder: &Path) {
    let mut all: Vec<(SystemTime, PathBuf)> = fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "v"))
        .filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path())))
        .collect();
    all.sort();
    for (_, old) in &all[..all.len().saturating_sub(KEPT)] {
        // One that cannot be removed stays.
        let _ = fs::remove_file(old);
    }
}

/// The error of a file or folder.
pub(super) fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> NetlistError {
    let path = path.to_owned();
    move |source| NetlistError::File { path, source }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_netlist_is_kept_and_the_oldest_ones_give_way() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = |number: usize| folder.path().join(format!("top-{number:02}.v"));
        assert_eq!(kept(&place(0)).expect("it can be looked for"), None);
        for number in 0..KEPT + 2 {
            let made = begin(&place(number)).expect("a file");
            fs::write(made.path(), format!("module {number}")).expect("written");
            let past = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(number as u64);
            fs::File::options()
                .write(true)
                .open(made.path())
                .and_then(|f| f.set_modified(past))
                .expect("a time");
            assert_eq!(keep(made, &place(number)).expect("kept"), format!("module {number}"));
        }
        let there: Vec<usize> = (0..KEPT + 2).filter(|&number| place(number).is_file()).collect();
        assert_eq!(there, (2..KEPT + 2).collect::<Vec<_>>());
        assert_eq!(kept(&place(2)).expect("it can be read").as_deref(), Some("module 2"));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), KEPT);
        kept(folder.path()).expect_err("a folder is no netlist");
    }
}
