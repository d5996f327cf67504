//! Many mutants of a design in one build, chosen by instance at run time (mutant schemata: Untch, Offutt and Harrold,
//! Mutation Analysis Using Mutant Schemata, ISSTA 1993).
//!
//! A mutant replaces one expression of a source by another. In the build the expression becomes
//! `(heddle_mutant_pick(n, (original) !== (replacement)) ? (replacement) : (original))`, a DPI function that knows
//! which mutant the running instance is and counts, for all of them, how often their expressions were evaluated and
//! how often the values differed. An instance that is no mutant behaves as the design, and a mutant whose value never
//! differed in its run would have behaved as the design too. Expressions may lie in each other. The design's own
//! sources stay clean.

mod blame;
mod weave;

use std::fs;
use std::path::{Path, PathBuf};

use heddle_manifest::{Elaboration, Manifest};
use heddle_port::DesignError;
use verilated_runtime::Options;
use verilated_runtime::build::{BuildError, Lint, ModelBuild, Trace, Use, VERILATION};

use crate::error::RtlError;
use crate::model::{self, ModelLibrary, RtlOrigin};
use crate::register_file::RtlRegisterFile;
use crate::shim::Added;
use blame::blame;
use weave::{Woven, weave};

const PACKAGE: &str = "heddle_mutant_pkg";

/// Mutants that one build can have.
pub const MOST_MUTANTS: usize = i16::MAX as usize;

/// One expression of a design that is replaced by another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mutant {
    /// The source that it is in, from the root of the repository.
    pub file: PathBuf,
    /// First byte of the expression in the file.
    pub start: usize,
    /// First byte behind it.
    pub end: usize,
    /// The expression that takes its place.
    pub replacement: String,
}

impl Mutant {
    /// The text of its source, with the mutant.
    ///
    /// # Errors
    /// [`RtlError::Read`], or [`RtlError::Mutant`]: the place is not in the file.
    pub fn applied(&self, root: &Path) -> Result<String, RtlError> {
        let path = root.join(&self.file);
        let text = fs::read_to_string(&path).map_err(|source| RtlError::Read { path, source })?;
        let (Some(before), Some(behind)) = (text.get(..self.start), text.get(self.end..)) else {
            let what = format!("bytes {} to {} are not in it", self.start, self.end);
            return Err(RtlError::Mutant { file: self.file.clone(), start: self.start, what });
        };
        Ok(format!("{before}({}){behind}", self.replacement))
    }
}

/// How often the expression of a mutant was evaluated.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MutantCounts {
    /// Evaluations.
    pub evaluated: u64,
    /// Those in which the mutant's value was another one.
    pub differed: u64,
}

/// A design with mutants, built and loaded.
#[derive(Debug, Clone)]
pub struct MutantLibrary {
    library: ModelLibrary,
    mutants: usize,
    refused: Vec<(usize, String)>,
}

/// Builds a design with all of `mutants` into `root/build/rtl`, or finds it there, and loads it. Those that Verilator
/// refuses are left out: [`MutantLibrary::refused`]. Where it points at no line with a mutant, one is found by halving what
/// it is asked of. It has no waveforms.
///
/// # Errors
/// [`RtlError::Mutant`]: a file is no source of the design, a place is not in its file, or two expressions overlap.
/// Else as [`crate::build()`], for what Verilator says of the design without mutants, and for the compiler.
pub fn build(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    mutants: &[Mutant],
    progress: &mut dyn FnMut(&str),
) -> Result<MutantLibrary, RtlError> {
    let mut refused: Vec<(usize, String)> = Vec::new();
    loop {
        let kept: Vec<(usize, &Mutant)> =
            mutants.iter().enumerate().filter(|(i, _)| refused.iter().all(|(r, _)| r != i)).collect();
        let woven = weave(root, manifest, &kept)?;
        let build = with_mutants(root, manifest, elaboration, &woven)?;
        match model::finish(root, manifest, elaboration, &build, progress) {
            Ok(library) => {
                refused.sort();
                return Ok(MutantLibrary { library, mutants: mutants.len(), refused });
            }
            Err(RtlError::Build(BuildError::Tool { stage, top, message })) => {
                let mut now = woven.refused(&message);
                if now.is_empty() && stage == VERILATION && !told(&message).is_empty() {
                    let all: Vec<usize> = kept.iter().map(|(place, _)| *place).collect();
                    now.extend(blame(&all, &mut |some| {
                        progress(&format!("verilating {top} with {} of {} mutants", some.len(), all.len()));
                        let some: Vec<_> =
                            kept.iter().filter(|(place, _)| some.contains(place)).copied().collect();
                        says(
                            root,
                            &with_mutants(root, manifest, elaboration, &weave(root, manifest, &some)?)?,
                        )
                    })?);
                }
                if now.is_empty() {
                    return Err(BuildError::Tool { stage, top, message }.into());
                }
                refused.extend(now);
            }
            Err(other) => return Err(other),
        }
    }
}

/// What Verilator says of a model that it refuses. Where it ends without a word that is no refusal, but a failure.
fn says(root: &Path, model: &ModelBuild) -> Result<Option<String>, RtlError> {
    match model::translate(root, model) {
        Ok(()) => Ok(None),
        Err(RtlError::Build(BuildError::Tool { stage: VERILATION, message, .. }))
            if !told(&message).is_empty() =>
        {
            Ok(Some(told(&message)))
        }
        Err(other) => Err(other),
    }
}

/// The first line of each error and warning.
fn told(message: &str) -> String {
    message.lines().filter(|line| line.starts_with('%')).collect::<Vec<_>>().join("; ")
}

fn with_mutants(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    woven: &Woven,
) -> Result<ModelBuild, RtlError> {
    let package = format!(
        "package {PACKAGE};\n  \
           import \"DPI-C\" function bit heddle_mutant_pick(input shortint id, input bit differs);\n\
         endpackage\n"
    );
    let mut build = model::start(root, manifest, elaboration, Added::Mutants)?
        .lint(Lint::Off)
        // Counting is all that an evaluation leaves behind, so it may be done more than once.
        .allow("SIDEEFFECT")
        // What a mutant reads besides may close a loop that is open in the design, if only between bits of one vector.
        .allow("UNOPTFLAT")
        .use_for(Use::ShortRuns)
        .trace(Trace::None)
        .source_text(root.join("heddle_mutant_pkg.sv"), package);
    for source in &manifest.sources {
        build = match woven.text(source) {
            Some(text) => build.source_text(source, text),
            None => build.source(source),
        };
    }
    Ok(build)
}

impl MutantLibrary {
    /// Where the model comes from.
    #[must_use]
    pub fn origin(&self) -> &RtlOrigin {
        self.library.origin()
    }

    /// Places in the list of the mutants that Verilator refuses, with what it says of them.
    #[must_use]
    pub fn refused(&self) -> &[(usize, String)] {
        &self.refused
    }

    /// A register file in the random state of `seed` that is the mutant at place `mutant` of the list, or the design
    /// itself.
    ///
    /// # Errors
    /// As [`ModelLibrary::instance`].
    pub fn instance(&self, seed: u64, mutant: Option<usize>) -> Result<RtlRegisterFile, RtlError> {
        let number = mutant.map_or(0, |place| place + 1);
        let plusargs = vec![format!("+heddle_mutant={number}")];
        self.library.instance_with(&Options { seed, plusargs, ..Options::default() })
    }

    /// How often the expression of each mutant was evaluated in an instance of this library.
    ///
    /// # Errors
    /// [`DesignError::Rtl`]: the instance is of a library without mutants.
    pub fn counts(&self, instance: &mut RtlRegisterFile) -> Result<Vec<MutantCounts>, DesignError> {
        let numbers = (1..=self.mutants).filter_map(|number| u16::try_from(number).ok());
        let counts = numbers.map(|number| instance.mutant_counts(number));
        counts
            .map(|counts| counts.map(|[evaluated, differed]| MutantCounts { evaluated, differed }))
            .collect()
    }
}
