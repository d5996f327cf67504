//! A design that counts what its runs cover: lines, branches, both edges of every bit, and labelled `cover` statements.

use std::path::Path;

use heddle_manifest::{Elaboration, Manifest};
use verilated_runtime::build::{Coverage, Trace, Use};
use verilated_runtime::{Options, RandomReset};

use crate::error::RtlError;
use crate::model::{self, ModelLibrary, RtlOrigin};
use crate::register_file::RtlRegisterFile;
use crate::shim::Added;

/// A design with counters of coverage, built and loaded.
#[derive(Debug, Clone)]
pub struct CoveredLibrary(ModelLibrary);

/// Builds one elaboration of a design with counters of coverage into `root/build/rtl`, or finds it there, and loads it.
/// It has no waveforms.
///
/// # Errors
/// As [`crate::build()`].
pub fn build(
    root: &Path,
    manifest: &Manifest,
    elaboration: &Elaboration,
    progress: &mut dyn FnMut(&str),
) -> Result<CoveredLibrary, RtlError> {
    let mut build = model::start(root, manifest, elaboration, Added::Nothing)?
        .use_for(Use::ShortRuns)
        .trace(Trace::None)
        .coverage(Coverage::Counted)
        // A vector whose bits are counted is not split, so what goes from one bit to another looks like a loop.
        .allow("UNOPTFLAT");
    for source in &manifest.sources {
        build = build.source(source);
    }
    Ok(CoveredLibrary(model::finish(root, manifest, elaboration, &build, progress)?))
}

impl CoveredLibrary {
    /// Where the model comes from.
    #[must_use]
    pub fn origin(&self) -> &RtlOrigin {
        self.0.origin()
    }

    /// A register file whose bits are all 0 before reset: those of a random state would have an edge at the reset that
    /// no operation of the design makes. `seed` sets what the RTL draws besides.
    /// [`RtlRegisterFile::coverage_write`] tells what it covered.
    ///
    /// # Errors
    /// As [`ModelLibrary::instance`].
    pub fn instance(&self, seed: u64) -> Result<RtlRegisterFile, RtlError> {
        let random_reset = RandomReset::Zeros;
        self.0.instance_with(&Options { seed, random_reset, ..Options::default() })
    }
}
