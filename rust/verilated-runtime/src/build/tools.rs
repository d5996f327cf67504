//! Finding Verilator and the C++ compiler.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::BuildError;

/// Least minor version of Verilator 5 that is taken.
pub const LEAST_MINOR: u32 = 6;

/// A Verilator that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verilator {
    binary: PathBuf,
    root: PathBuf,
    version: String,
}

impl Verilator {
    /// Finds Verilator: the program in `VERILATOR`, the installation in `VERILATOR_ROOT`, `verilator`
    /// on `PATH`, then each of `search`: an installation's root, or a Python environment with the
    /// package `verilator`.
    ///
    /// # Errors
    /// [`BuildError::NoVerilator`] with all places and why each was not taken.
    pub fn locate(search: &[PathBuf]) -> Result<Self, BuildError> {
        let mut candidates: Vec<(String, PathBuf)> = Vec::new();
        if let Some(binary) = env::var_os("VERILATOR").filter(|v| !v.is_empty()) {
            candidates.push(("VERILATOR".to_owned(), PathBuf::from(binary)));
        }
        if let Some(root) = env::var_os("VERILATOR_ROOT").filter(|v| !v.is_empty()) {
            candidates.push(("VERILATOR_ROOT".to_owned(), Path::new(&root).join("bin/verilator")));
        }
        if let Some(binary) = on_path("verilator") {
            candidates.push(("PATH".to_owned(), binary));
        }
        for place in search {
            for root in roots_below(place) {
                candidates.push((place.display().to_string(), root.join("bin/verilator")));
            }
        }
        let mut looked = Vec::new();
        for (place, binary) in candidates {
            match Self::probe(&binary) {
                Ok(found) => return Ok(found),
                Err(reason) => looked.push(format!("{place} ({}: {reason})", binary.display())),
            }
        }
        if looked.is_empty() {
            looked.push("VERILATOR, VERILATOR_ROOT, PATH".to_owned());
            looked.extend(search.iter().map(|p| p.display().to_string()));
        }
        Err(BuildError::NoVerilator { least: LEAST_MINOR, looked: looked.join("; ") })
    }

    fn probe(wrapper: &Path) -> Result<Self, String> {
        if !wrapper.is_file() {
            return Err("not there".to_owned());
        }
        let real = fs::canonicalize(wrapper).map_err(|e| e.to_string())?;
        // The wrapper script needs Perl; the program beside it does not.
        let direct = real.with_file_name("verilator_bin");
        let binary = if direct.is_file() { direct } else { real };
        let root = find_root(&binary).ok_or("its include folder was not found")?;
        let output = Command::new(&binary)
            .env("VERILATOR_ROOT", &root)
            .arg("--version")
            .output()
            .map_err(|e| e.to_string())?;
        if !output.status.success() {
            return Err(format!("--version ended with {}", output.status));
        }
        let printed = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        let header = fs::read_to_string(root.join("include/verilated_config.h"))
            .map_err(|e| format!("verilated_config.h: {e}"))?;
        // Some builds print no number; the header always has it.
        let number = version_in(&printed)
            .or_else(|| version_in(header.split("VERILATOR_VERSION \"").nth(1)?))
            .ok_or("it does not tell its version")?;
        if number < (5, LEAST_MINOR) {
            return Err(format!("version {}.{:03} is too old", number.0, number.1));
        }
        Ok(Self { binary, root, version: format!("{}.{:03} ({printed})", number.0, number.1) })
    }

    /// The version, number first, as text.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The program.
    #[must_use]
    pub fn binary(&self) -> &Path {
        &self.binary
    }

    /// The folder that holds `include/verilated.h`.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A command that runs it.
    #[must_use]
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.binary);
        command.env("VERILATOR_ROOT", &self.root);
        command
    }
}

fn find_root(binary: &Path) -> Option<PathBuf> {
    let home = binary.parent()?.parent()?;
    [home.to_owned(), home.join("share/verilator")]
        .into_iter()
        .find(|root| root.join("include/verilated.h").is_file())
        .or_else(|| {
            let output = Command::new(binary).args(["--getenv", "VERILATOR_ROOT"]).output().ok()?;
            let root = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
            root.join("include/verilated.h").is_file().then_some(root)
        })
}

/// Installation roots at `place`: itself, or the package in a Python environment.
fn roots_below(place: &Path) -> Vec<PathBuf> {
    let mut roots = vec![place.to_owned(), place.join("verilator")];
    if let Ok(entries) = fs::read_dir(place.join("lib")) {
        let mut pythons: Vec<_> = entries.flatten().map(|e| e.path()).collect();
        pythons.sort();
        roots.extend(pythons.into_iter().map(|p| p.join("site-packages/verilator")));
    }
    roots.retain(|root| root.join("bin/verilator").is_file());
    roots
}

fn on_path(name: &str) -> Option<PathBuf> {
    env::split_paths(&env::var_os("PATH")?).map(|folder| folder.join(name)).find(|file| file.is_file())
}

/// The first `major.minor` in a text; the minor number may have leading zeros.
fn version_in(text: &str) -> Option<(u32, u32)> {
    text.split(|c: char| !(c.is_ascii_digit() || c == '.')).find_map(|word| {
        let (major, minor) = word.split_once('.')?;
        let minor = minor.split('.').next()?;
        Some((major.parse().ok()?, minor.parse().ok()?))
    })
}

/// A C++ compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Compiler {
    program: OsString,
    version: String,
}

impl Compiler {
    /// Finds the compiler in `CXX`, else `c++`, `g++` or `clang++` on `PATH`.
    ///
    /// # Errors
    /// [`BuildError::NoCompiler`].
    pub fn locate() -> Result<Self, BuildError> {
        let names: Vec<OsString> = match env::var_os("CXX").filter(|v| !v.is_empty()) {
            Some(chosen) => vec![chosen],
            None => ["c++", "g++", "clang++"].map(OsString::from).to_vec(),
        };
        for program in &names {
            if let Ok(output) = Command::new(program).arg("--version").output()
                && output.status.success()
            {
                let text = String::from_utf8_lossy(&output.stdout);
                return Ok(Self {
                    program: program.clone(),
                    version: text.lines().next().unwrap_or_default().to_owned(),
                });
            }
        }
        let looked: Vec<_> = names.iter().map(|n| n.to_string_lossy()).collect();
        Err(BuildError::NoCompiler(looked.join(", ")))
    }

    /// The first line that the compiler prints about its version.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The program as given or found.
    #[must_use]
    pub fn program(&self) -> &Path {
        Path::new(&self.program)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_text() {
        assert_eq!(version_in("Verilator 5.006 2023-01-22"), Some((5, 6)));
        assert_eq!(version_in("5.49\"\n"), Some((5, 49)));
        assert_eq!(version_in("rev vUNKNOWN-built20260516-4e853d8"), None);
    }
}
