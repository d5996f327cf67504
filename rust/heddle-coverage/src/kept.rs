//! What the last runs of a design counted, kept so that rules can be written and judged without running again.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use heddle_files::Input;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::SOURCE;
use crate::error::CoverageError;
use crate::measure::Run;
use crate::point::{Counts, Point};

/// A file of counts.
const INPUT: Input = Input { expected: "counts that `heddle coverage` kept", most: 1 << 30 };

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// SHA-256 of the sources that have a point, in hexadecimal digits.
    sources: String,
    runs: Vec<Run>,
    points: Vec<(Point, u64)>,
}

/// The file of a design in the folder of results.
#[must_use]
pub fn path(results: &Path, design: &str) -> PathBuf {
    results.join(format!("coverage-{design}.json"))
}

/// Keeps what `runs` counted, with the state of the sources in the repository at `root`.
///
/// # Errors
/// [`CoverageError::Read`] of a source, [`CoverageError::Write`].
pub fn write(path: &Path, root: &Path, counts: &Counts, runs: &[Run]) -> Result<(), CoverageError> {
    let points = counts.iter().map(|(point, count)| (point.clone(), count)).collect();
    let kept = Kept { sources: sources(root, counts)?, runs: runs.to_vec(), points };
    serde_json::to_vec(&kept)
        .map_err(std::io::Error::from)
        .and_then(|bytes| heddle_files::publish(path, &bytes))
        .map_err(|source| CoverageError::Write { path: path.to_owned(), source })
}

/// What was kept.
///
/// # Errors
/// [`CoverageError::Read`], [`CoverageError::Kept`]: not in form, or a source has changed since.
pub fn read(path: &Path, root: &Path) -> Result<(Counts, Vec<Run>), CoverageError> {
    let wrong = |what: String| CoverageError::Kept { path: path.to_owned(), what };
    let kept: Kept = serde_json::from_str(&INPUT.text(path)?).map_err(|e| wrong(e.to_string()))?;
    let mut counts = Counts::default();
    for (point, count) in kept.points {
        counts.add(point, count);
    }
    if sources(root, &counts)? != kept.sources {
        return Err(wrong(
            "a source has changed since the runs, expected the sources as they were".to_owned(),
        ));
    }
    Ok((counts, kept.runs))
}

fn sources(root: &Path, counts: &Counts) -> Result<String, CoverageError> {
    let files: BTreeSet<&str> = counts.iter().map(|(point, _)| point.file.as_str()).collect();
    let mut all = Sha256::new();
    for file in files {
        all.update(Sha256::digest(SOURCE.text(&root.join(file))?));
    }
    let mut text = String::new();
    for byte in all.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
