//! Files that are there all together or not at all.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::NewDesignError;

/// Files and folders that were made. Dropped, unless they are to stay, it removes them.
#[derive(Default)]
pub struct Made {
    /// The last one made last.
    paths: Vec<PathBuf>,
}

impl Made {
    /// Makes a file, and the folders above it that are not there.
    ///
    /// # Errors
    /// [`NewDesignError::File`]: what cannot be made. [`NewDesignError::Taken`]: a file that is there already.
    pub fn file(&mut self, path: &Path, text: &str) -> Result<(), NewDesignError> {
        let above = path.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty());
        let missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
        for folder in missing.into_iter().rev() {
            match fs::create_dir(folder) {
                Ok(()) => self.paths.push(folder.to_owned()),
                Err(_) if folder.is_dir() => {}
                Err(e) => return Err(NewDesignError::file(folder)(e)),
            }
        }
        match heddle_files::publish_new(path, text.as_bytes()) {
            Ok(true) => self.paths.push(path.to_owned()),
            Ok(false) => return Err(NewDesignError::Taken { path: path.to_owned() }),
            Err(e) => return Err(NewDesignError::file(path)(e)),
        }
        Ok(())
    }

    /// All that was made stays.
    pub fn keep(mut self) {
        self.paths.clear();
    }
}

impl Drop for Made {
    fn drop(&mut self) {
        for path in self.paths.iter().rev() {
            // Best effort: what went wrong is told already, and a folder may have got other files.
            let _ = if path.is_dir() { fs::remove_dir(path) } else { fs::remove_file(path) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Made;

    #[test]
    fn nothing_is_left_of_what_could_not_be_made_whole() {
        let folder = tempfile::tempdir().expect("temporary folder");
        let count = || std::fs::read_dir(folder.path()).expect("the folder").count();
        let mut made = Made::default();
        made.file(&folder.path().join("a/b/one"), "1").expect("made");
        made.file(&folder.path().join("a/two"), "2").expect("made");
        let taken = made.file(&folder.path().join("a/two"), "3").expect_err("it is there");
        assert!(taken.to_string().ends_with("is there already"), "{taken}");
        let below = made.file(&folder.path().join("a/two/three"), "3").expect_err("a file is no folder");
        assert!(below.to_string().contains("two"), "{below}");
        assert_eq!(std::fs::read_to_string(folder.path().join("a/two")).expect("there"), "2");
        drop(made);
        assert_eq!(count(), 0);

        let mut made = Made::default();
        made.file(&folder.path().join("a/one"), "1").expect("made");
        made.keep();
        assert!(folder.path().join("a/one").exists());
    }
}
