//! The folder of one design outside the repository.

use std::fs;
use std::path::{Path, PathBuf};

use heddle_files::Input;
use toml::Table;

use crate::error::OutsideError;

const TOML: Input = Input { expected: "a TOML file of a design", most: 1 << 20 };

/// A folder with one design: `rtl/<design>/design.toml` and what stands beside it in a repository, and a crate with
/// its cycle model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Folder {
    /// The folder, absolute.
    pub path: PathBuf,
    /// Name of the design.
    pub design: String,
    /// Name of the crate's package.
    pub package: String,
    /// Packages that the crate depends on.
    pub(crate) dependencies: Vec<String>,
}

impl Folder {
    /// Reads what the folder at `path` has.
    ///
    /// # Errors
    /// [`OutsideError::Folder`], or what is wrong with its `Cargo.toml`.
    pub fn read(path: &Path) -> Result<Self, OutsideError> {
        let wrong = |what: String| OutsideError::Folder { path: path.to_owned(), what };
        let at = fs::canonicalize(path).map_err(|e| wrong(e.to_string()))?;
        let designs = designs(&at.join("rtl"));
        let [design] = &designs[..] else {
            let what = "a folder with one rtl/<design>/design.toml is expected, and it has";
            return Err(wrong(match designs.len() {
                0 => format!("{what} none"),
                _ => format!("{what} those of {}", designs.join(", ")),
            }));
        };
        let manifest = at.join("Cargo.toml");
        if !manifest.is_file() {
            return Err(wrong("there is no Cargo.toml of a crate with the cycle model".to_owned()));
        }
        let table = read_toml(&manifest)?;
        let package = table.get("package").and_then(|package| package.get("name"));
        let package = package.and_then(toml::Value::as_str).ok_or_else(|| OutsideError::Manifest {
            path: manifest.clone(),
            what: "package.name, the name of the model's crate, is not there".to_owned(),
        })?;
        let dependencies = table.get("dependencies").and_then(toml::Value::as_table);
        Ok(Self {
            design: design.clone(),
            package: package.to_owned(),
            dependencies: dependencies.map(|table| table.keys().cloned().collect()).unwrap_or_default(),
            path: at,
        })
    }
}

/// Names of the folders in `rtl` that have a manifest, in alphabetical order.
fn designs(rtl: &Path) -> Vec<String> {
    let entries = fs::read_dir(rtl).into_iter().flatten().flatten();
    let with_manifest = entries.filter(|entry| entry.path().join("design.toml").is_file());
    let mut names: Vec<String> =
        with_manifest.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

pub(crate) fn read_toml(path: &Path) -> Result<Table, OutsideError> {
    let text = TOML.text(path)?;
    toml::from_str(&text)
        .map_err(|source| OutsideError::Toml { path: path.to_owned(), source: Box::new(source) })
}
