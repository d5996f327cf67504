//! Finding yosys with slang, the Python package `pyosys`, and running passes of it.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs the passes that it is given.
const PASSES: &str = include_str!("passes.py");

/// Lines of what yosys printed that an error shows.
const SHOWN_LINES: usize = 20;

/// A netlist that cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NetlistError {
    /// The tool is not installed.
    #[error(
        "no yosys is there: expected the Python package pyosys in {}, where `make second-sim` or \
         `scripts/tools.sh formal` installs it",
        expected.display()
    )]
    NoYosys {
        /// Where it was looked for.
        expected: PathBuf,
    },
    /// It cannot be started.
    #[error("cannot run {}: {source}", program.display())]
    Run {
        /// The Python that was to run it.
        program: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// It refuses the sources.
    #[error("yosys makes no netlist of {top}:\n{message}")]
    Refused {
        /// Top module.
        top: String,
        /// The end of what it printed.
        message: String,
    },
    /// It ends before its end.
    #[error("yosys breaks off with {top}:\n{message}")]
    Broken {
        /// Top module.
        top: String,
        /// The end of what it printed, or how it ended.
        message: String,
    },
    /// A file or folder cannot be read or written.
    #[error("{}: {source}", path.display())]
    File {
        /// The file or folder.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
}

/// A yosys that can be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Yosys {
    python: PathBuf,
    packages: PathBuf,
    version: String,
}

impl Yosys {
    /// The one that `scripts/tools.sh formal` installs: in `HEDDLE_TOOLS`, else in `root/build/tools`.
    pub(super) fn locate(root: &Path) -> Result<Self, NetlistError> {
        let given: Option<OsString> = std::env::var_os("HEDDLE_TOOLS").filter(|tools| !tools.is_empty());
        Self::within(&given.map_or_else(|| root.join("build/tools"), PathBuf::from).join("formal"))
    }

    fn within(home: &Path) -> Result<Self, NetlistError> {
        let mut folders: Vec<_> = fs::read_dir(home.join("lib"))
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| entry.path())
            .collect();
        folders.sort();
        let found = folders.into_iter().map(|folder| folder.join("site-packages")).find_map(|packages| {
            packages.join("pyosys/libyosys.so").is_file().then(|| Some((version(&packages)?, packages)))?
        });
        let (version, packages) = found.ok_or_else(|| NetlistError::NoYosys { expected: home.to_owned() })?;
        let own = home.join("bin/python3");
        let python = if own.is_file() { own } else { PathBuf::from("python3") };
        Ok(Self { python, packages, version })
    }

    /// Its version.
    pub(super) fn version(&self) -> &str {
        &self.version
    }

    /// Runs passes in `folder`; `top` is what an error names.
    pub(super) fn run(&self, folder: &Path, top: &str, passes: &[String]) -> Result<(), NetlistError> {
        let mut command = Command::new(&self.python);
        command.current_dir(folder).env("PYTHONPATH", &self.packages).args(["-c", PASSES]).args(passes);
        let output =
            command.output().map_err(|source| NetlistError::Run { program: self.python.clone(), source })?;
        if output.status.success() {
            return Ok(());
        }
        let printed = [output.stdout, output.stderr].concat();
        let printed = String::from_utf8_lossy(&printed);
        let lines: Vec<&str> = printed.lines().filter(|line| !line.trim().is_empty()).collect();
        let mut message = lines[lines.len().saturating_sub(SHOWN_LINES)..].join("\n");
        if message.is_empty() {
            message = format!("it ended with {}", output.status);
        }
        let top = top.to_owned();
        if printed.contains("ERROR: ") {
            return Err(NetlistError::Refused { top, message });
        }
        Err(NetlistError::Broken { top, message })
    }
}

/// The version of the package, by the folder that says what was installed.
fn version(packages: &Path) -> Option<String> {
    fs::read_dir(packages).ok()?.flatten().find_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        Some(name.strip_prefix("pyosys-")?.strip_suffix(".dist-info")?.to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_package_is_found_by_its_folder_and_its_absence_names_the_target() {
        let home = tempfile::tempdir().expect("a folder");
        let says = Yosys::within(home.path()).expect_err("nothing is there").to_string();
        assert!(says.contains("`make second-sim`"), "{says}");
        assert!(says.contains(&home.path().display().to_string()), "{says}");
        let packages = home.path().join("lib/python3.99/site-packages");
        fs::create_dir_all(packages.join("pyosys")).expect("a folder");
        fs::write(packages.join("pyosys/libyosys.so"), "").expect("a file");
        Yosys::within(home.path()).expect_err("it has no version");
        fs::create_dir(packages.join("pyosys-0.70.dist-info")).expect("a folder");
        let found = Yosys::within(home.path()).expect("it is there");
        assert_eq!(found.version(), "0.70");
        assert_eq!(found.python, PathBuf::from("python3"));
    }

    #[test]
    fn what_it_refuses_is_an_error_with_its_end() {
        let yosys =
            Yosys { python: PathBuf::from("false"), packages: PathBuf::new(), version: String::new() };
        let says = yosys.run(Path::new("."), "some_top", &[]).expect_err("it fails").to_string();
        assert!(says.contains("breaks off with some_top:\nit ended with exit status: 1"), "{says}");
        let yosys = Yosys { python: PathBuf::from("/no/python"), ..yosys };
        let says = yosys.run(Path::new("."), "some_top", &[]).expect_err("there is none").to_string();
        assert!(says.starts_with("cannot run /no/python: "), "{says}");
    }
}
