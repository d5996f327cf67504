//! The sheets as files: `docs/characters/<workload>.json`.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_workloads::Workload;

use crate::error::CharacterError;
use crate::sheet::Sheet;

/// The folder of the sheets.
#[derive(Debug, Clone)]
pub struct Store {
    folder: PathBuf,
}

/// File name of a workload's sheet.
#[must_use]
pub fn sheet_name(workload: &dyn Workload) -> String {
    format!("{}.json", workload.name())
}

impl Store {
    /// The sheets of the repository at `root`.
    #[must_use]
    pub fn of(root: &Path) -> Self {
        Self { folder: root.join("docs/characters") }
    }

    /// The page that shows all sheets.
    #[must_use]
    pub fn page(&self) -> PathBuf {
        self.folder.join("README.md")
    }

    /// The sheet of `workload`, if there is one.
    ///
    /// # Errors
    /// A file that cannot be read or is no sheet.
    pub fn read(&self, workload: &dyn Workload) -> Result<Option<Sheet>, CharacterError> {
        let path = self.folder.join(sheet_name(workload));
        if !path.exists() {
            return Ok(None);
        }
        let file = |reason: String| CharacterError::File { path: path.clone(), reason };
        let text = fs::read_to_string(&path).map_err(|e| file(e.to_string()))?;
        serde_json::from_str(&text).map(Some).map_err(|e| file(e.to_string()))
    }

    /// Writes a sheet.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, workload: &dyn Workload, sheet: &Sheet) -> Result<PathBuf, CharacterError> {
        let path = self.folder.join(sheet_name(workload));
        let file = |reason: String| CharacterError::File { path: path.clone(), reason };
        let text = serde_json::to_string_pretty(sheet).map_err(|e| file(e.to_string()))? + "\n";
        self.write_text(&path, &text)?;
        Ok(path)
    }

    /// Writes a file of the folder, which is made when it is not there.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write_text(&self, path: &Path, text: &str) -> Result<(), CharacterError> {
        heddle_files::publish(path, text.as_bytes())
            .map_err(|e| CharacterError::File { path: path.to_owned(), reason: e.to_string() })
    }
}
