//! Settings that mean nothing to the design of a run.

use std::path::Path;

use heddle_config::Override;
use heddle_rtl::Manifest;

use crate::error::RunError;

/// One sentence for each key that `overrides`, or the preset where it is a file, sets and the design does not read.
/// Of a file those keys count whose value is another than in the design's own preset.
///
/// # Errors
/// [`RunError::Usage`]: an unknown design, or a preset that cannot be read.
pub fn unread_settings(
    root: &Path,
    design: &str,
    preset: Option<&str>,
    overrides: &[Override],
) -> Result<Vec<String>, RunError> {
    let manifest = Manifest::load(root, design).map_err(RunError::usage)?;
    let mut keys = match preset.filter(|name| name.ends_with(".toml")) {
        Some(file) => heddle_config::changed_keys(file, &manifest.preset).map_err(RunError::usage)?,
        None => Vec::new(),
    };
    for change in overrides {
        if !keys.contains(&change.key) {
            keys.push(change.key.clone());
        }
    }
    if keys.is_empty() {
        return Ok(Vec::new());
    }
    let all = Manifest::load_all(root).map_err(RunError::usage)?;
    // With prefetches in all code these say where they are.
    let code = "instruction_cache.prefetch_code";
    let in_all_code = match overrides.iter().rfind(|change| change.key == code) {
        Some(change) => change.value.trim_matches('"') == "all",
        None => keys.iter().any(|key| key == code),
    };
    if in_all_code {
        keys.retain(|key| {
            !["register_file.registers_per_interval", "register_file.formation"].contains(&&**key)
        });
    }
    Ok(keys.iter().filter_map(|key| unread(key, design, &manifest, &all)).collect())
}

/// What is to be said of a key that the design does not read.
fn unread(key: &str, design: &str, manifest: &Manifest, all: &[Manifest]) -> Option<String> {
    let lists = |keys: &[String]| keys.iter().any(|k| k == key);
    if lists(&manifest.ignores) {
        return Some(format!("{key} has no meaning for design '{design}' and is ignored"));
    }
    let mut readers: Vec<&str> = all.iter().filter(|m| lists(&m.reads)).map(|m| m.name.as_str()).collect();
    readers.dedup();
    if readers.is_empty() || lists(&manifest.reads) {
        return None;
    }
    let only = readers.join(", ");
    Some(format!("{key} has no meaning for design '{design}' and is ignored; it is for {only}"))
}
