//! Folders that appear complete or not at all.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use super::BuildError;

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> BuildError {
    let path = path.to_owned();
    move |source| BuildError::Write { path, source }
}

/// The folder `path` as an absolute path; makes it if it is not there.
pub(super) fn absolute(path: &Path) -> Result<PathBuf, BuildError> {
    fs::create_dir_all(path).map_err(failed(path))?;
    fs::canonicalize(path).map_err(failed(path))
}

/// Writes a file and the folders above it.
pub(super) fn write(path: &Path, text: &str) -> Result<(), BuildError> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder).map_err(failed(folder))?;
    }
    fs::write(path, text).map_err(failed(path))
}

/// Waits until no other builder, in this process or another, holds `path`. The lock ends with the
/// returned file, or with the process.
pub(super) fn lock(path: &Path) -> Result<File, BuildError> {
    let file = File::options().create(true).truncate(false).write(true).open(path).map_err(failed(path))?;
    file.lock().map_err(failed(path))?;
    Ok(file)
}

/// A scratch folder beside the folder that it will become. The caller holds the lock of that folder,
/// so what an earlier, killed builder left there is removed.
pub(super) struct Workplace {
    work: PathBuf,
    home: PathBuf,
}

impl Workplace {
    pub(super) fn new(home: &Path) -> Result<Self, BuildError> {
        let name = home.file_name().unwrap_or_default().to_string_lossy();
        let work = home.with_file_name(format!(".{name}.work"));
        for stale in [&work, home] {
            match fs::remove_dir_all(stale) {
                Ok(()) => {}
                Err(e) if e.kind() == std::io::ErrorKind::NotFound => {}
                Err(e) => return Err(failed(stale)(e)),
            }
        }
        fs::create_dir_all(&work).map_err(failed(&work))?;
        Ok(Self { work, home: home.to_owned() })
    }

    pub(super) fn path(&self) -> &Path {
        &self.work
    }

    /// Moves one file into a fresh folder and that folder into its place.
    pub(super) fn publish(self, file: &str) -> Result<(), BuildError> {
        self.publish_all(&[file])
    }

    /// Moves files into a fresh folder and that folder into its place.
    pub(super) fn publish_all(self, files: &[&str]) -> Result<(), BuildError> {
        let result = self.work.join("result");
        fs::create_dir(&result).map_err(failed(&result))?;
        for file in files {
            let to = result.join(file);
            fs::rename(self.work.join(file), &to).map_err(failed(&to))?;
        }
        fs::rename(&result, &self.home).map_err(failed(&self.home))
    }
}

impl Drop for Workplace {
    fn drop(&mut self) {
        // What stays behind is removed by the next builder of the same folder.
        let _ = fs::remove_dir_all(&self.work);
    }
}
