//! Where one token of a design's sources can be another.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt;
use std::path::{Path, PathBuf};

use heddle_manifest::Manifest;
use heddle_rtl::mutants::Mutant;
use serde::{Deserialize, Serialize};

use crate::error::MutateError;
use crate::script;

/// The program that finds the sites, from the root of the repository.
const PROGRAM: &str = "scripts/mutation-sites.py";

/// A token, and what takes its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Site {
    /// The source, from the root of the repository.
    pub file: PathBuf,
    /// Line and column of the token, from 1.
    #[serde(default)]
    pub line: usize,
    /// Its column, in characters.
    #[serde(default)]
    pub column: usize,
    /// The mutation operator.
    pub operator: String,
    /// First byte of the smallest expression that has the token.
    pub start: usize,
    /// First byte behind that expression.
    pub end: usize,
    /// First byte of the token.
    pub at: usize,
    /// The token.
    pub token: String,
    /// What takes its place; empty where the token goes away.
    pub mutant: String,
    /// The expression, on one line.
    pub original: String,
    /// The expression with the mutant.
    pub replacement: String,
}

impl Site {
    /// The mutant to be built.
    #[must_use]
    pub fn mutant(&self) -> Mutant {
        let Self { file, start, end, replacement, .. } = self;
        Mutant { file: file.clone(), start: *start, end: *end, replacement: replacement.clone() }
    }
}

impl fmt::Display for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, column, token, mutant, .. } = self;
        write!(f, "{}:{line}:{column}: '{token}' -> '{mutant}'", file.display())
    }
}

/// All sites of a design's own sources, those below `rtl/`, in the manifest's order; assertions have none.
///
/// # Errors
/// [`MutateError::Start`], [`MutateError::Program`], [`MutateError::Read`].
pub fn sites(root: &Path, manifest: &Manifest) -> Result<Vec<Site>, MutateError> {
    let rtl = root.join("rtl");
    let own = manifest.sources.iter().filter(|source| source.starts_with(&rtl));
    let files: Vec<&Path> = own.filter_map(|source| source.strip_prefix(root).ok()).collect();
    let files: Vec<&OsStr> = files.iter().map(|file| file.as_os_str()).collect();
    let wrong = |what: String| MutateError::Program { program: PROGRAM.into(), what };
    let printed = script::run(root, PROGRAM, &files)?;
    let mut texts: BTreeMap<PathBuf, String> = BTreeMap::new();
    let mut found = Vec::new();
    for line in printed.lines() {
        let mut site: Site =
            serde_json::from_str(line).map_err(|e| wrong(format!("prints what is no site: {e}: {line}")))?;
        if !texts.contains_key(&site.file) {
            let path = root.join(&site.file);
            let text = std::fs::read_to_string(&path).map_err(|source| MutateError::Read { path, source })?;
            texts.insert(site.file.clone(), text);
        }
        (site.line, site.column) = heddle_files::line_and_column(&texts[&site.file], site.at);
        found.push(site);
    }
    if found.is_empty() {
        return Err(wrong(format!("finds no site in the {} sources of '{}'", files.len(), manifest.name)));
    }
    Ok(found)
}
