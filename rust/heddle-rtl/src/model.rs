//! From a manifest to a loaded model.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_port::PortWidths;
use serde::Serialize;
use verilated_runtime::build::{BuildError, Model, ModelBuild, Origin, Trace, Use, Verilator};
use verilated_runtime::{Library, Options};

use crate::error::RtlError;
use crate::register_file::{RtlRegisterFile, RtlShape};
use crate::shim::{Added, shim};
use crate::sources::with_files;
use heddle_manifest::{Elaboration, Manifest};

/// Where the RTL of a run comes from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RtlOrigin {
    /// Hash of the SystemVerilog sources in their order, planted bugs included.
    pub sources: String,
    /// Name of the elaboration.
    pub elaboration: String,
    /// Hash of all that went into the model: sources, parameters, flags, waivers, shim, versions of the tools.
    pub model: String,
    /// Version of Verilator.
    pub verilator: String,
    /// What the C++ compiler calls itself.
    pub compiler: String,
}

/// A design, built and loaded; its library stays in `build/rtl` as long as this lives.
#[derive(Debug, Clone)]
pub struct ModelLibrary {
    manifest: Arc<Manifest>,
    elaboration: Elaboration,
    origin: RtlOrigin,
    library: Library,
    waves: bool,
    _model: Model,
}

/// Environment variable that says, by being there, that models run for few cycles: they are compiled in less time and
/// run slower, and [`build()`] leaves out the waveforms of all but a design's first elaboration.
pub const QUICK_MODELS: &str = "HEDDLE_QUICK_MODELS";

/// Builds one elaboration of a design into `root/build/rtl`, or finds it there, and loads it. Where [`QUICK_MODELS`]
/// is set it is compiled for short runs, and [`ModelLibrary::has_waves`] says whether it writes waveforms.
///
/// `progress` gets one line per stage; none if the model is there already. Lint waivers are all
/// `constraints/<design>/*.vlt`.
///
/// # Errors
/// [`RtlError::Build`] or [`RtlError::Run`].
pub fn build(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    progress: &mut dyn FnMut(&str),
) -> Result<ModelLibrary, RtlError> {
    let first = manifest.of_top(manifest.elaboration(None)?)?;
    let trace = if quick() && manifest.of_top(elaboration)? != first { Trace::None } else { Trace::Vcd };
    shipped(root, manifest, elaboration, trace, progress)
}

/// As [`build()`], always with waveforms.
///
/// # Errors
/// [`RtlError::Build`] or [`RtlError::Run`].
pub fn build_with_waves(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    progress: &mut dyn FnMut(&str),
) -> Result<ModelLibrary, RtlError> {
    shipped(root, manifest, elaboration, Trace::Vcd, progress)
}

/// Whether models are for few cycles.
fn quick() -> bool {
    std::env::var_os(QUICK_MODELS).is_some()
}

/// How many cycles models that ship run.
pub(crate) fn use_for() -> Use {
    if quick() { Use::ShortRuns } else { Use::LongRuns }
}

fn shipped(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    trace: Trace,
    progress: &mut dyn FnMut(&str),
) -> Result<ModelLibrary, RtlError> {
    let mut model = start(root, manifest, elaboration, Added::Nothing)?.use_for(use_for()).trace(trace);
    for source in &manifest.sources {
        model = model.source(source);
    }
    finish(root, manifest, elaboration, &model, progress)
}

/// A build with everything but the sources.
pub(crate) fn start(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    added: Added,
) -> Result<ModelBuild, RtlError> {
    let mut model = ModelBuild::new(&manifest.top, shim(manifest, added)).directory(root);
    // Field names of the port that are words of C++, where the generated code has its own names; which
    // words count differs by Verilator's version.
    model = model.allow("SYMRSVDWORD");
    for (name, value) in manifest.of_top(elaboration)? {
        model = model.parameter(name, value);
    }
    with_files(model, root, manifest)
}

/// Builds a model, or finds it built.
pub(crate) fn built(
    root: &Path,
    model: &ModelBuild,
    progress: &mut dyn FnMut(&str),
) -> Result<Model, RtlError> {
    let verilator = Verilator::locate(&[root.join("build/tools/venv")])?;
    Ok(model.clone().most_bytes(most_bytes()).build(
        &verilator,
        &folder(root, std::env::var_os(CACHE)),
        progress,
    )?)
}

/// Has Verilator translate a model, of which nothing is kept.
pub(crate) fn translate(root: &Path, model: &ModelBuild) -> Result<(), RtlError> {
    let verilator = Verilator::locate(&[root.join("build/tools/venv")])?;
    let folder =
        tempfile::tempdir().map_err(|source| BuildError::Write { path: std::env::temp_dir(), source })?;
    Ok(model.translate(&verilator, folder.path())?)
}

pub(crate) fn finish(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    model: &ModelBuild,
    progress: &mut dyn FnMut(&str),
) -> Result<ModelLibrary, RtlError> {
    let built = built(root, model, progress)?;
    let Origin { sources, model: hash, verilator, compiler } = built.origin.clone();
    Ok(ModelLibrary {
        origin: RtlOrigin {
            sources,
            elaboration: elaboration.name.clone(),
            model: hash,
            verilator,
            compiler,
        },
        manifest: Arc::new(manifest.clone()),
        elaboration: elaboration.clone(),
        library: Library::open(&built.library)?,
        waves: model.has_waves(),
        _model: built,
    })
}

/// Environment variable with the folder of built models, in place of `root/build/rtl`. A model is found there by all that it was
/// made from, so that trees of one repository can share a folder.
const CACHE: &str = "HEDDLE_RTL_CACHE";

/// The folder of built models, where `given` may name it.
fn folder(root: &Path, given: Option<OsString>) -> PathBuf {
    given.filter(|folder| !folder.is_empty()).map_or_else(|| root.join("build/rtl"), PathBuf::from)
}

/// Bytes that the libraries of models may have together: 1 GiB, or `HEDDLE_RTL_CACHE_MIB` MiB.
fn most_bytes() -> u64 {
    let given = std::env::var("HEDDLE_RTL_CACHE_MIB").ok().and_then(|text| text.parse::<u64>().ok());
    given.unwrap_or(1024).saturating_mul(1 << 20)
}

impl ModelLibrary {
    /// The same library, made by way of something else from sources with the hash `sources`.
    pub(crate) fn of_sources(mut self, sources: String) -> Self {
        self.origin.sources = sources;
        self
    }

    /// Where the model comes from.
    #[must_use]
    pub fn origin(&self) -> &RtlOrigin {
        &self.origin
    }

    /// Whether its instances can write waveforms.
    #[must_use]
    pub fn has_waves(&self) -> bool {
        self.waves
    }

    /// Makes one register file; `seed` sets the random state before reset.
    ///
    /// # Errors
    /// [`RtlError::Run`]: an initial assertion failed.
    pub fn instance(&self, seed: u64) -> Result<RtlRegisterFile, RtlError> {
        self.instance_with(&Options { seed, ..Options::default() })
    }

    /// Makes one model without the port around it, for [`crate::replay`].
    ///
    /// # Errors
    /// [`RtlError::Run`]: an initial assertion failed.
    pub fn model(&self, seed: u64) -> Result<verilated_runtime::Instance, RtlError> {
        Ok(self.library.instance(&Options { seed, ..Options::default() })?)
    }

    /// As [`Self::instance`], with all that an instance begins its life with.
    pub(crate) fn instance_with(&self, options: &Options) -> Result<RtlRegisterFile, RtlError> {
        let instance = self.library.instance(options)?;
        let info = instance.info();
        let [issue, result, memory, event_words] = info[..] else {
            return Err(RtlError::Run(verilated_runtime::RunError::Model(format!(
                "the model of {} tells {} numbers, 4 expected",
                self.manifest.name,
                info.len()
            ))));
        };
        let made_with = self.manifest.instance(&self.elaboration)?;
        let widths = PortWidths { issue: issue as usize, result: result as usize };
        let words = made_with.events.words()..=heddle_port::EVENT_BITS / 32;
        if widths != made_with.widths || !words.contains(&(event_words as usize)) {
            return Err(RtlError::Run(verilated_runtime::RunError::Model(format!(
                "{} has {widths:?} and {event_words} words of events; the manifest says {:?} and {} words",
                self.manifest.top,
                made_with.widths,
                made_with.events.words()
            ))));
        }
        let shape = RtlShape { memory: memory != 0, event_words: event_words as usize };
        Ok(RtlRegisterFile::new(&self.manifest.name, instance, made_with, shape)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_are_kept_beside_the_sources_or_where_one_says() {
        let root = Path::new("/tree");
        assert_eq!(folder(root, None), Path::new("/tree/build/rtl"));
        assert_eq!(folder(root, Some(OsString::new())), Path::new("/tree/build/rtl"));
        assert_eq!(folder(root, Some("/shared".into())), Path::new("/shared"));
    }
}
