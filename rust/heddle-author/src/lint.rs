//! A design's sources under `verilator --lint-only -Wall`, with its waivers.

use std::collections::BTreeSet;
use std::path::Path;

use heddle_rtl::{Elaboration, Manifest};
use verilated_runtime::build::Verilator;

/// What Verilator says about one elaboration; nothing where the sources are clean.
///
/// # Errors
/// Verilator cannot be run, or the design cannot be elaborated so, in words.
pub fn lint(root: &Path, manifest: &Manifest, elaboration: &Elaboration) -> Result<String, String> {
    let verilator = Verilator::locate(&[root.join("build/tools/venv")]).map_err(|e| e.to_string())?;
    let inside = |path: &Path| path.strip_prefix(root).unwrap_or(path).to_owned();
    let mut command = verilator.command();
    command.current_dir(root).args(["--lint-only", "-Wall", "--assert", "--top-module", &manifest.top]);
    for (name, value) in manifest.of_top(elaboration).map_err(|e| e.to_string())? {
        command.arg(format!("-G{name}={value}"));
    }
    let folders: BTreeSet<&Path> = manifest.sources.iter().filter_map(|source| source.parent()).collect();
    for folder in folders {
        command.arg(format!("+incdir+{}", inside(folder).display()));
    }
    for waiver in heddle_rtl::waivers(root, manifest).map_err(|e| e.to_string())? {
        command.arg(inside(&waiver));
    }
    command.args(manifest.sources.iter().map(|source| inside(source)));
    let output = command.output().map_err(|e| e.to_string())?;
    if output.status.success() {
        return Ok(String::new());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let first: Vec<&str> = said.lines().filter(|line| line.starts_with('%')).take(3).collect();
    if first.is_empty() {
        return Err(format!("Verilator ends with {}: {}", output.status, said.trim()));
    }
    Ok(first.join("\n"))
}
