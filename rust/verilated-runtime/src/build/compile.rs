//! Compiling and linking C++.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::{BuildError, Compiler};

/// One translation unit.
pub(super) struct Unit {
    pub(super) source: PathBuf,
    pub(super) object: PathBuf,
    pub(super) level: Level,
    /// A header that it begins with, on the command line.
    pub(super) prelude: Option<PathBuf>,
}

/// How far the compiler optimises a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// Code that runs every cycle.
    Fast,
    /// Code that runs every cycle of a model that is built for few of them.
    Quick,
    /// Code that runs once, at the start: compiled fast instead of into fast code.
    Once,
}

impl Level {
    /// All levels.
    pub(super) const ALL: [Self; 3] = [Self::Fast, Self::Quick, Self::Once];

    /// Flags of the compiler.
    pub(super) fn flags(self) -> &'static [&'static str] {
        match self {
            Self::Fast => &["-O2"],
            Self::Quick => &["-Og"],
            Self::Once => &["-O0"],
        }
    }

    /// A name for a folder.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Fast => "fast",
            Self::Quick => "quick",
            Self::Once => "once",
        }
    }
}

/// Runs a tool and returns what it printed if it failed.
pub(super) fn run(command: &mut Command, stage: &'static str, top: &str) -> Result<Output, BuildError> {
    let output = command
        .output()
        .map_err(|source| BuildError::Run { program: PathBuf::from(command.get_program()), source })?;
    if output.status.success() {
        return Ok(output);
    }
    let mut message = String::from_utf8_lossy(&output.stderr).into_owned();
    message.push_str(&String::from_utf8_lossy(&output.stdout));
    if message.trim().is_empty() {
        message = format!("it ended with {}", output.status);
    }
    Err(BuildError::Tool { stage, top: top.to_owned(), message: message.trim_end().to_owned() })
}

/// Compiles all units, `jobs` at a time, and stops at the first failure.
pub(super) fn compile_all(
    compiler: &Compiler,
    flags: &[String],
    units: &[Unit],
    jobs: usize,
    top: &str,
) -> Result<(), BuildError> {
    let next = AtomicUsize::new(0);
    let failure: Mutex<Option<BuildError>> = Mutex::new(None);
    let failed = || failure.lock().map_or(true, |f| f.is_some());
    std::thread::scope(|scope| {
        for _ in 0..jobs.clamp(1, units.len().max(1)) {
            scope.spawn(|| {
                while let Some(unit) = units.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if failed() {
                        return;
                    }
                    if let Err(error) = compile(compiler, flags, unit, top)
                        && let Ok(mut slot) = failure.lock()
                    {
                        slot.get_or_insert(error);
                    }
                }
            });
        }
    });
    match failure.into_inner() {
        Ok(Some(error)) => Err(error),
        Ok(None) => Ok(()),
        Err(_) => Err(BuildError::Tool {
            stage: "compilation",
            top: top.to_owned(),
            message: "a compile thread ended unexpectedly".to_owned(),
        }),
    }
}

fn compile(compiler: &Compiler, flags: &[String], unit: &Unit, top: &str) -> Result<(), BuildError> {
    let mut command = Command::new(compiler.program());
    command.args(flags).args(unit.level.flags());
    if let Some(prelude) = &unit.prelude {
        command.arg("-include").arg(prelude);
    }
    if unit.source.extension().is_some_and(|e| e == "h") {
        command.args(["-x", "c++-header"]);
    }
    command.arg("-c").arg(&unit.source).arg("-o").arg(&unit.object);
    run(&mut command, "compilation", top).map(drop)
}

/// Links objects into a shared library that exports its factory only.
pub(super) fn link(
    compiler: &Compiler,
    objects: &[PathBuf],
    library: &Path,
    top: &str,
) -> Result<(), BuildError> {
    let mut command = Command::new(compiler.program());
    command
        .args(["-shared", "-pthread", "-Wl,-Bsymbolic", "-Wl,-z,defs"])
        .args(objects)
        .arg("-o")
        .arg(library);
    run(&mut command, "linking", top).map(drop)
}
