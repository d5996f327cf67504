//! Inputs from files in the formats that people have: graph lists, grey images, lists and grids of numbers.
//!
//! [`crate::Workload::instance_of`] takes them. A file is read whole, in one pass, and what is kept of it is
//! never larger than a small multiple of the file.

mod error;
mod graph;
mod grid;
mod image;
mod numbers;
mod tokens;

use std::path::{Path, PathBuf};

pub use error::InputError;
pub use graph::GraphList;
pub use grid::CostGrid;
pub use image::GreyImage;
pub use numbers::{Table, floats, table};

use heddle_files::Input;

use crate::Workload;

/// Bytes of a file at most. What a workload makes of it must fit the 32-bit addresses of device memory.
pub const MAX_BYTES: u64 = 256 << 20;

/// A file with the input of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    path: PathBuf,
    bytes: Vec<u8>,
}

impl InputFile {
    /// Reads a file.
    ///
    /// # Errors
    /// [`InputError::Unreadable`].
    pub fn read(path: &Path) -> Result<Self, InputError> {
        let bytes = Input { expected: "a file with input of a kernel", most: MAX_BYTES }.bytes(path)?;
        Ok(Self { path: path.to_owned(), bytes })
    }

    /// A file that is in memory already. `path` stands in messages.
    #[must_use]
    pub fn new(path: impl Into<PathBuf>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { path: path.into(), bytes: bytes.into() }
    }

    /// Its name.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its contents.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The error that the file as a whole is not what is expected.
    #[must_use]
    pub fn unfit(&self, expected: impl Into<String>, found: impl Into<String>) -> InputError {
        InputError::Unfit { path: self.path.clone(), expected: expected.into(), found: found.into() }
    }
}

/// The files of `workload`, which takes `N`.
///
/// # Errors
/// [`InputError::Count`] when there are more or fewer.
pub(crate) fn take<'a, const N: usize>(
    workload: &dyn Workload,
    files: &'a [InputFile],
) -> Result<&'a [InputFile; N], InputError> {
    files.try_into().map_err(|_| miscounted(workload.name(), workload.input_files(), files.len()))
}

/// The error that the workload takes other files than the `found` given.
pub(crate) fn miscounted(workload: &str, files: &[&str], found: usize) -> InputError {
    let expected = if files.is_empty() { "no file".to_owned() } else { files.join(" and ") };
    InputError::Count { workload: workload.to_owned(), expected, found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_and_missing_ones_named() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("bytes");
        let missing = InputFile::read(&path).expect_err("not there yet").to_string();
        assert!(missing.starts_with(&format!("cannot read {}: ", path.display())), "{missing}");
        std::fs::write(&path, [1, 2, 3]).expect("written");
        let file = InputFile::read(&path).expect("there");
        assert_eq!((file.bytes(), file.path()), (&[1, 2, 3][..], path.as_path()));
    }

    #[test]
    fn files_without_end_are_refused() {
        let error = InputFile::read(Path::new("/dev/zero")).expect_err("endless");
        assert!(error.to_string().contains("/dev/zero: it is not a regular file"), "{error}");
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("sparse");
        std::fs::File::create(&path).and_then(|f| f.set_len(MAX_BYTES + 1)).expect("a sparse file");
        let error = InputFile::read(&path).expect_err("too large").to_string();
        assert!(error.contains(&format!("it has more than {MAX_BYTES} bytes")), "{error}");
    }
}
