//! Mutants that do what the design does, with the reason of each.

use std::path::{Path, PathBuf};

use heddle_manifest::Manifest;
use serde::Deserialize;

use crate::error::MutateError;
use crate::site::Site;
use crate::verdict::Verdict;

/// The list of a design, `testbench/<design>/equivalent_mutants.toml`.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Equivalents {
    #[serde(default)]
    mutants: Vec<Equivalent>,
}

/// One of them: every place of a file where the expression is replaced so.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Equivalent {
    file: PathBuf,
    original: String,
    replacement: String,
    reason: String,
}

impl Equivalent {
    fn is(&self, site: &Site) -> bool {
        (&self.file, &self.original, &self.replacement) == (&site.file, &site.original, &site.replacement)
    }
}

impl Equivalents {
    /// Reads the list of a design; none where there is no file.
    ///
    /// # Errors
    /// [`MutateError::Read`], or [`MutateError::Data`]: not in form, without a reason, or no site of the design.
    pub(crate) fn load(root: &Path, manifest: &Manifest, sites: &[Site]) -> Result<Self, MutateError> {
        let path = root.join("testbench").join(&manifest.name).join("equivalent_mutants.toml");
        if !path.is_file() {
            return Ok(Self::default());
        }
        let text = std::fs::read_to_string(&path)
            .map_err(|source| MutateError::Read { path: path.clone(), source })?;
        let wrong = |what: String| MutateError::Data { path: path.clone(), what };
        let list: Self = toml::from_str(&text).map_err(|e| wrong(e.to_string()))?;
        for one in &list.mutants {
            let name = format!("'{}' -> '{}' in {}", one.original, one.replacement, one.file.display());
            if one.reason.trim().is_empty() {
                return Err(wrong(format!("{name}: a reason is needed")));
            }
            if !sites.iter().any(|site| one.is(site)) {
                return Err(wrong(format!("{name}: the design has no such mutant")));
            }
        }
        Ok(list)
    }

    /// The verdict of a mutant that no kernel found and the list names: equivalent. A found one stays found.
    pub(crate) fn applied_to(&self, site: &Site, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Survived { .. } | Verdict::NotActivated { .. } => {
                let listed = self.mutants.iter().find(|one| one.is(site));
                listed.map_or(verdict, |one| Verdict::Equivalent { reason: one.reason.clone() })
            }
            other => other,
        }
    }
}
