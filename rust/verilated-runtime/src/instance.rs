//! Loading a model's library and running instances of it.

use std::path::{Path, PathBuf};

use crate::bridge::ffi;

/// A failure while loading or running a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// The library cannot be loaded.
    #[error("cannot load the model {}: {reason}", path.display())]
    Load {
        /// The library.
        path: PathBuf,
        /// What the loader says.
        reason: String,
    },
    /// The model failed: an assertion, `$error`, `$fatal`, `$stop`, or its waveform file. The text
    /// is what it printed.
    #[error("{0}")]
    Model(String),
    /// A buffer has another length than [`Instance::shape`] tells.
    #[error("{buffer}: {expected} words expected, {found} given")]
    Shape {
        /// Which buffer.
        buffer: &'static str,
        /// Words expected.
        expected: usize,
        /// Words given.
        found: usize,
    },
}

impl From<cxx::Exception> for RunError {
    fn from(error: cxx::Exception) -> Self {
        Self::Model(error.what().to_owned())
    }
}

/// What registers hold before reset, where the model was built with `--x-initial unique`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RandomReset {
    /// All bits 0.
    Zeros,
    /// All bits 1.
    Ones,
    /// Random bits from the seed.
    #[default]
    Random,
}

/// How an instance begins its life.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Seed of the random initial state; equal seeds give equal states.
    pub seed: u64,
    /// What registers hold before reset.
    pub random_reset: RandomReset,
    /// Plus-arguments, each with its leading `+`.
    pub plusargs: Vec<String>,
}

/// Numbers of 32-bit words that one cycle moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Inputs.
    pub input: usize,
    /// Bulk inputs: data that is read only where the inputs say that it is valid.
    pub bulk_input: usize,
    /// Outputs.
    pub output: usize,
    /// Bulk outputs, written only where the outputs say that they are valid.
    pub bulk_output: usize,
}

/// A loaded model library. It stays loaded until the process ends.
#[derive(Clone)]
pub struct Library {
    library: cxx::SharedPtr<ffi::Library>,
    path: PathBuf,
}

// SAFETY: a library is a function pointer that never changes; the function takes a lock.
unsafe impl Send for Library {}
// SAFETY: as above.
unsafe impl Sync for Library {}

impl std::fmt::Debug for Library {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Library").field("path", &self.path).finish()
    }
}

impl Library {
    /// Loads the library that [`crate::build::ModelBuild::build`] made.
    ///
    /// # Errors
    /// [`RunError::Load`]: the file is missing, no library, or holds no model.
    pub fn open(path: &Path) -> Result<Self, RunError> {
        let fail = |reason: String| RunError::Load { path: path.to_owned(), reason };
        let name = path.to_str().ok_or_else(|| fail("the path is not UTF-8".to_owned()))?;
        // Without a slash the loader would search the system's folders.
        let name = if name.contains('/') { name.to_owned() } else { format!("./{name}") };
        let library = ffi::open_library(&name).map_err(|e| fail(e.what().to_owned()))?;
        Ok(Self { library, path: path.to_owned() })
    }

    /// Makes one model with its own context.
    ///
    /// # Errors
    /// [`RunError::Model`]: an initial block or assertion failed.
    pub fn instance(&self, options: &Options) -> Result<Instance, RunError> {
        let random_reset = match options.random_reset {
            RandomReset::Zeros => 0,
            RandomReset::Ones => 1,
            RandomReset::Random => 2,
        };
        let instance =
            ffi::make_instance(&self.library, spread_seed(options.seed), random_reset, &options.plusargs)?;
        let words = ffi::shape(&instance);
        let [input, bulk_input, output, bulk_output] = words[..] else {
            return Err(RunError::Model(format!("the model tells {} buffer sizes, 4 expected", words.len())));
        };
        let shape = Shape { input, bulk_input, output, bulk_output };
        Ok(Instance { instance, shape })
    }
}

/// Verilator takes seeds of 31 bits and gives 0 another meaning.
fn spread_seed(seed: u64) -> i32 {
    let mut z = seed.wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^= z >> 31;
    i32::try_from(z & 0x7fff_ffff).map_or(1, |s| s.max(1))
}

/// One model with its own simulation context.
pub struct Instance {
    instance: cxx::UniquePtr<ffi::Instance>,
    shape: Shape,
}

// SAFETY: an instance owns its context and model. What the runtime keeps by thread (current context,
// where printed text goes, random state) is set on entry to every call, and creation and
// destruction take a lock.
unsafe impl Send for Instance {}

impl std::fmt::Debug for Instance {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Instance")
            .field("shape", &self.shape)
            .field("cycles", &self.cycles())
            .finish_non_exhaustive()
    }
}

impl Instance {
    fn check(buffer: &'static str, expected: usize, found: usize) -> Result<(), RunError> {
        if expected == found { Ok(()) } else { Err(RunError::Shape { buffer, expected, found }) }
    }

    /// Buffer lengths that [`Instance::cycle`] takes.
    #[must_use]
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Constants that the model's adapter tells, for example port widths.
    #[must_use]
    pub fn info(&self) -> Vec<u32> {
        ffi::info(&self.instance)
    }

    /// Drives the inputs, makes one rising clock edge and samples the outputs.
    ///
    /// # Errors
    /// [`RunError::Model`] if the model failed, in this cycle or an earlier one, or its waveform
    /// cannot be written; [`RunError::Shape`] if a buffer has another length than
    /// [`Instance::shape`] tells.
    #[inline]
    pub fn cycle(
        &mut self,
        input: &[u32],
        bulk_input: &[u32],
        output: &mut [u32],
        bulk_output: &mut [u32],
    ) -> Result<(), RunError> {
        Self::check("input", self.shape.input, input.len())?;
        Self::check("bulk input", self.shape.bulk_input, bulk_input.len())?;
        Self::check("output", self.shape.output, output.len())?;
        Self::check("bulk output", self.shape.bulk_output, bulk_output.len())?;
        ffi::cycle(self.instance.pin_mut(), input, bulk_input, output, bulk_output)?;
        Ok(())
    }

    /// Rising clock edges since the instance was made or the count restarted: the number of the
    /// current cycle. In a waveform, cycle `n` begins at `n` nanoseconds; in what the model prints at
    /// a clock edge, the time is the number of the cycle that the edge ends.
    #[must_use]
    pub fn cycles(&self) -> u64 {
        ffi::cycles(&self.instance)
    }

    /// Counts cycles from 0 again, for example after reset.
    ///
    /// # Errors
    /// [`RunError::Model`] while a waveform is open: its time cannot go back.
    pub fn restart_count(&mut self) -> Result<(), RunError> {
        Ok(ffi::restart_count(self.instance.pin_mut())?)
    }

    /// Whether the model called `$finish`.
    #[must_use]
    pub fn finished(&self) -> bool {
        ffi::finished(&self.instance)
    }

    /// What the model printed since the last call and no error carried.
    pub fn take_output(&mut self) -> String {
        ffi::take_output(self.instance.pin_mut())
    }

    /// A request to the model's adapter, which defines what `code` and `value` mean.
    ///
    /// # Errors
    /// [`RunError::Model`] with the adapter's reason.
    pub fn control(&mut self, code: u32, value: u64) -> Result<u64, RunError> {
        Ok(ffi::control(self.instance.pin_mut(), code, value)?)
    }

    /// Writes every cycle from now on into a VCD file.
    ///
    /// # Errors
    /// [`RunError::Model`] if the file cannot be made, one is open already, or the model was built
    /// without waveforms.
    pub fn trace_open(&mut self, path: &Path) -> Result<(), RunError> {
        Ok(ffi::trace_open(self.instance.pin_mut(), utf8(path)?)?)
    }

    /// Writes out what is buffered of the waveform.
    ///
    /// # Errors
    /// [`RunError::Model`] if the file cannot be written.
    pub fn trace_flush(&mut self) -> Result<(), RunError> {
        Ok(ffi::trace_flush(self.instance.pin_mut())?)
    }

    /// Ends the waveform with the values of the current cycle. Does nothing if none is open.
    ///
    /// # Errors
    /// [`RunError::Model`] if the file cannot be written.
    pub fn trace_close(&mut self) -> Result<(), RunError> {
        Ok(ffi::trace_close(self.instance.pin_mut())?)
    }

    /// Writes what was covered since the instance was made, in the format of Verilator's coverage data. A file that
    /// is there is written over.
    ///
    /// # Errors
    /// [`RunError::Model`] if the file cannot be written, or the model was built without coverage.
    pub fn coverage_write(&mut self, path: &Path) -> Result<(), RunError> {
        Ok(ffi::coverage_write(self.instance.pin_mut(), utf8(path)?)?)
    }

    /// Runs the model's final blocks; it takes no further cycles.
    ///
    /// # Errors
    /// [`RunError::Model`] if one of them fails.
    pub fn finish(&mut self) -> Result<(), RunError> {
        Ok(ffi::finish(self.instance.pin_mut())?)
    }
}

/// A path as C++ takes it.
fn utf8(path: &Path) -> Result<&str, RunError> {
    path.to_str().ok_or_else(|| RunError::Model(format!("the path {} is not UTF-8", path.display())))
}
