//! Names in a folder that one process at a time writes to.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Names that are tried.
const MOST_NAMES: u32 = 1000;

/// The right to write files that begin with a name in a folder. It ends with the value, or with the process,
/// however that ends.
#[derive(Debug)]
pub struct Claim {
    name: String,
    lock: PathBuf,
    _file: File,
}

impl Claim {
    /// Claims `stem` in `folder`, which is made where it is not there; or, while another has it, `stem-2`,
    /// `stem-3` and so on.
    ///
    /// # Errors
    /// The folder cannot be made or locked in, or a thousand names are taken.
    pub fn new(folder: &Path, stem: &str) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        for number in 1..=MOST_NAMES {
            let name = if number == 1 { stem.to_owned() } else { format!("{stem}-{number}") };
            let lock = folder.join(format!(".{name}.lock"));
            if let Some(file) = locked(&lock)? {
                return Ok(Self { name, lock, _file: file });
            }
        }
        Err(io::Error::other(format!("{MOST_NAMES} runs write '{stem}' there at once")))
    }

    /// The claimed name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Under the lock; who opened the file meanwhile sees that it is gone. Left behind it does no harm.
        let _ = std::fs::remove_file(&self.lock);
    }
}

/// The file, locked; `None` while another process has it.
fn locked(path: &Path) -> io::Result<Option<File>> {
    loop {
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => return Ok(None),
            Err(TryLockError::Error(error)) => return Err(error),
            Ok(()) if is_still(&file, path) => return Ok(Some(file)),
            // It was removed between opening and locking.
            Ok(()) => {}
        }
    }
}

#[cfg(unix)]
fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |m: std::fs::Metadata| (m.dev(), m.ino());
    matches!((file.metadata().map(id), std::fs::metadata(path).map(id)), (Ok(a), Ok(b)) if a == b)
}

#[cfg(not(unix))]
fn is_still(_file: &File, path: &Path) -> bool {
    path.exists()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_claimed_by_one_at_a_time() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let claim = || Claim::new(&folder.path().join("results"), "run").expect("a folder");
        let (one, two) = (claim(), claim());
        assert_eq!((one.name(), two.name()), ("run", "run-2"));
        drop(one);
        let again = claim();
        assert_eq!((again.name(), claim().name()), ("run", "run-3"));
        drop((again, two));
        assert_eq!(std::fs::read_dir(folder.path().join("results")).expect("there").count(), 0);
    }
}
