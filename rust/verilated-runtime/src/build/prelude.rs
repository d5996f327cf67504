//! What every generated source begins with, precompiled.
//!
//! Verilator's own headers are most of what the compiler reads of a generated source. Compiled once for each level,
//! they are read in a fraction of the time. A compiler that does not take a precompiled header reads the header
//! itself: the objects are the same.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::compile::{self, Level, Unit};
use super::{BuildError, Compiler, publish};

/// Header of each level for the sources of one model, below its work folder.
pub(super) struct Prelude {
    folder: PathBuf,
}

impl Prelude {
    /// Writes the header of the model `top`, whose generated sources are in `generated`, for each of `levels`.
    pub(super) fn write(
        work: &Path,
        generated: &Path,
        top: &str,
        levels: &[Level],
    ) -> Result<Self, BuildError> {
        let prelude = Self { folder: work.join("prelude") };
        // Verilator writes one that includes all others; older versions do not.
        let all = format!("V{top}__pch.h");
        let all = if generated.join(&all).is_file() { all } else { format!("V{top}__Syms.h") };
        for &level in levels {
            publish::write(&prelude.header(level), &format!("#include \"capture.h\"\n#include \"{all}\"\n"))?;
        }
        Ok(prelude)
    }

    /// The header of a level, for the compiler's option `-include`.
    pub(super) fn header(&self, level: Level) -> PathBuf {
        self.folder.join(level.name()).join("prelude.h")
    }

    /// Precompiles the header of each of `levels`.
    pub(super) fn compile(
        &self,
        compiler: &Compiler,
        flags: &[String],
        levels: &[Level],
        jobs: usize,
        top: &str,
    ) -> Result<(), BuildError> {
        let unit = |&level| {
            let source = self.header(level);
            let mut object = OsString::from(&source);
            object.push(".gch");
            Unit { source, object: PathBuf::from(object), level, prelude: None }
        };
        let units: Vec<Unit> = levels.iter().map(unit).collect();
        compile::compile_all(compiler, flags, &units, jobs, top)
    }
}
