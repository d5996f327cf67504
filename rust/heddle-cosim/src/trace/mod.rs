//! Runs of traces: one launch for each kernel of the list.

pub mod golden;
pub mod write;

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use heddle_isa::{DeviceMemory, Executable, RecordedCta};
use heddle_passes::{DesignNeeds, build_executable};
use heddle_sm::{CtaChoice, DesignMemory, Sm};
use heddle_trace::{AddressMap, Command, Replay, TraceError, TracedKernel, read_list};

use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;

/// The kernels of a trace, in order.
pub struct PreparedTrace {
    kernels: Vec<PathBuf>,
    needs: DesignNeeds,
    /// Kernels for which the user was warned, if there was reason to, in this run or one before.
    warned: Cell<usize>,
}

/// The kernels of one run, read as they are needed.
pub struct TraceRun<'a> {
    trace: &'a PreparedTrace,
    next: usize,
    addresses: Arc<AddressMap>,
}

/// One kernel, ready to run.
pub struct TraceLaunch {
    /// As the trace shows it.
    pub kernel: TracedKernel,
    /// Its program with what the design's passes add.
    pub executable: Arc<Executable>,
}

fn failure(error: TraceError) -> RunError {
    match error {
        TraceError::Stopped { .. } => RunError::Interrupted { cycles: 0 },
        error => RunError::usage(error),
    }
}

impl PreparedTrace {
    /// Reads the list of kernels, or takes a single one.
    ///
    /// # Errors
    /// [`RunError::Usage`] for a list that cannot be read.
    pub fn new(path: &Path, needs: DesignNeeds) -> Result<Self, RunError> {
        let commands = read_list(path).map_err(failure)?;
        let kernels = commands.into_iter().filter_map(|command| match command {
            Command::Kernel(path) => Some(path),
            Command::Copy { .. } => None,
        });
        Ok(Self { kernels: kernels.collect(), needs, warned: Cell::new(0) })
    }

    /// The kernels from the first on.
    pub fn run(&self) -> TraceRun<'_> {
        TraceRun { trace: self, next: 0, addresses: Arc::default() }
    }
}

impl TraceRun<'_> {
    /// Reads the next kernel; `None` after the last. Warns once of what the trace leaves open.
    ///
    /// # Errors
    /// [`RunError::Usage`] for a trace that is wrong, [`RunError::Compile`] where a pass refuses it,
    /// [`RunError::Interrupted`].
    pub fn next_launch(&mut self, control: &mut dyn Control) -> Result<Option<TraceLaunch>, RunError> {
        let Some(path) = self.trace.kernels.get(self.next) else { return Ok(None) };
        self.next += 1;
        let kernel =
            TracedKernel::read(path, &mut self.addresses, &mut || !control.interrupted()).map_err(failure)?;
        if self.next > self.trace.warned.replace(self.next.max(self.trace.warned.get())) {
            let barriers = kernel.assumed_barriers.as_ref().map(ToString::to_string);
            let registers = kernel.more_registers.as_ref().map(ToString::to_string);
            let twins = kernel.twins.as_ref().map(ToString::to_string);
            barriers.iter().chain(&registers).chain(&twins).for_each(|warning| control.warning(warning));
        }
        let executable = build_executable(Arc::clone(&kernel.program), self.trace.needs)
            .map_err(|e| RunError::Compile { message: e.to_string() })?;
        Ok(Some(TraceLaunch { kernel, executable: Arc::new(executable) }))
    }
}

impl TraceLaunch {
    /// A reading of the trace of its own.
    ///
    /// # Errors
    /// [`RunError::Usage`] when the file has gone.
    pub fn replay(&self) -> Result<Replay, RunError> {
        self.kernel.replay().map_err(failure)
    }

    /// An SM for the launch.
    ///
    /// # Errors
    /// [`RunError::Launch`] for a kernel that does not fit.
    pub fn sm(&self, design: &PreparedDesign, choice: CtaChoice) -> Result<Sm, RunError> {
        let (executable, memory) = (Arc::clone(&self.executable), DeviceMemory::new());
        let (preset, widths, launch) = (&design.preset, design.widths(), &self.kernel.launch);
        let held = design.manifest.memory_port;
        let sm = if held.any() {
            Sm::with_design_memory(
                preset,
                widths,
                executable,
                launch,
                memory,
                choice,
                DesignMemory { held, data: false },
            )
        } else {
            Sm::new(preset, widths, executable, launch, memory, choice)
        };
        sm.map_err(|e| RunError::Launch { message: e.to_string() })
    }
}

/// Gives the SM the record of the CTA that it starts next, and returns it for whoever checks the SM.
///
/// # Errors
/// [`RunError::Usage`] when the trace cannot be read any more, [`RunError::Launch`] when the SM refuses it.
#[inline]
pub fn supply(sm: &mut Sm, replay: Option<&mut Replay>) -> Result<Option<RecordedCta>, RunError> {
    let (Some(replay), Some(cta)) = (replay, sm.awaits_record()) else { return Ok(None) };
    let record = replay.cta(cta).map_err(failure)?;
    sm.supply(record.clone()).map_err(|e| RunError::Launch { message: e.to_string() })?;
    Ok(Some(record))
}
