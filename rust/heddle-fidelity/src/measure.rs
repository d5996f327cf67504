//! Runs of the traces on the cycle model of a design.

use std::path::{Path, PathBuf};

use heddle_config::{Override, Preset};
use heddle_cosim::{Control, Engine, Kernel, RunReport, RunSpec, Session};
use tempfile::TempDir;

use crate::error::FidelityError;
use crate::trace::Trace;

/// What the traces run on.
#[derive(Debug, Clone)]
pub struct Setting {
    /// Root of the repository.
    pub root: PathBuf,
    /// Design.
    pub design: String,
    /// Preset.
    pub preset: String,
    /// Changes of the preset.
    pub overrides: Vec<Override>,
}

impl Setting {
    /// The preset with its changes.
    ///
    /// # Errors
    /// [`FidelityError::Preset`].
    pub fn preset(&self) -> Result<Preset, FidelityError> {
        Ok(heddle_config::load_with(&self.preset, &self.overrides)?)
    }
}

/// What a run of a trace took.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    /// The trace.
    pub trace: String,
    /// Cycles.
    pub cycles: u64,
    /// Warp instructions.
    pub warp_instructions: u64,
}

/// Where traces are written.
#[derive(Debug)]
pub enum Folder {
    /// A folder that goes with this value.
    Temporary(TempDir),
    /// A folder that stays.
    Kept(PathBuf),
}

impl Folder {
    /// `kept`, or a temporary folder.
    ///
    /// # Errors
    /// [`FidelityError::File`].
    pub fn new(kept: Option<PathBuf>) -> Result<Self, FidelityError> {
        let failed = |error| FidelityError::File { path: std::env::temp_dir(), error };
        match kept {
            Some(folder) => Ok(Self::Kept(folder)),
            None => TempDir::new().map(Self::Temporary).map_err(failed),
        }
    }

    /// The folder.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Temporary(folder) => folder.path(),
            Self::Kept(folder) => folder,
        }
    }
}

/// Writes a trace into `folder` and runs it.
///
/// # Errors
/// [`FidelityError::Write`], [`FidelityError::File`], [`FidelityError::Run`].
pub fn measure(
    trace: &Trace,
    setting: &Setting,
    folder: &Path,
    control: &mut dyn Control,
) -> Result<Measured, FidelityError> {
    let report = run(trace, setting, folder, control)?;
    let (cycles, warp_instructions) = (report.cycles, report.warp_instructions);
    Ok(Measured { trace: trace.name.to_owned(), cycles, warp_instructions })
}

/// Writes a trace into `folder`, runs it, and returns all that the run says.
///
/// # Errors
/// As [`measure`].
pub fn run(
    trace: &Trace,
    setting: &Setting,
    folder: &Path,
    control: &mut dyn Control,
) -> Result<RunReport, FidelityError> {
    let list = trace.write(folder)?;
    let mut spec =
        RunSpec::new(setting.root.clone(), setting.design.as_str(), Kernel::Trace(list), Engine::Sim);
    spec.preset = Some(setting.preset.clone());
    spec.overrides.clone_from(&setting.overrides);
    let report = Session::new(spec).and_then(|mut session| session.run(control));
    report.map_err(|error| FidelityError::Run { trace: trace.name.to_owned(), error })
}
