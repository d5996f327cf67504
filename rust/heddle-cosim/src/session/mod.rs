//! A run from start to end: kernel, design, machines, launches, checks, report.

mod covered;
mod gpu;
mod judges;
mod lifetimes;
mod lockstep;
mod machines;
mod many;
mod mapping;
mod model;
mod mutant;
mod outcome;
mod outputs;
mod record;
mod sampled;
mod streamed;
mod trace;

use std::path::PathBuf;
use std::sync::Arc;

use heddle_files::Claim;
use heddle_mem::KnownReads;

pub use self::mutant::MutantRun;
use self::outcome::same_failure;
use self::record::Recording;
use crate::check::writers::Writers;
use crate::control::Control;
use crate::design::PreparedDesign;
use crate::error::RunError;
use crate::kernel::PreparedKernel;
use crate::library::RtlLibrary;
use crate::mapping::Mappings;
use crate::mismatch::{Check, Mismatch};
use crate::report::RunReport;
use crate::spec::{Engine, Kernel, RunSpec, WaveFormat, WaveWindow};
use crate::stream::Functional;
use crate::totals::Totals;
use crate::trace::PreparedTrace;
use crate::window::WaveWriter;

/// Cycles before the mismatch that its waveform window shows.
const WINDOW_BEFORE: u64 = 200;
/// Cycles from it on.
const WINDOW_AFTER: u64 = 20;

/// What runs.
enum Work {
    Kernel(Box<PreparedKernel>),
    Trace(PreparedTrace),
}

/// A run, made ready. It can be run again: the same spec gives the same cycles.
pub struct Session {
    spec: RunSpec,
    design: PreparedDesign,
    work: Work,
    library: Option<RtlLibrary>,
    /// Register mapping of each entry, once it was profiled.
    mappings: Mappings,
    /// Lifetimes of the addresses of shared memory in each launch, where they are to be known.
    lifetimes: Vec<Arc<KnownReads>>,
    /// The name of the run's files in the results folder, once it writes there.
    claim: Option<Claim>,
    /// First launch whose memory depends on the order of accesses, once one was seen: from there on the program as
    /// parsed runs in the order of the machine under test.
    replay_from: Option<u32>,
    /// The golden machine refused something in lock-step: the program as parsed in that order says whose fault it is.
    refused: bool,
    /// Who wrote which word last, in a run that is to say so.
    writers: Option<Box<Writers>>,
    /// What goes through the port is recorded.
    recording: Recording,
    /// How the last run came to what the CTAs of the other SMs do.
    functional: Functional,
}

impl Session {
    /// Reads and checks everything that the run needs; nothing is built or run yet.
    ///
    /// # Errors
    /// [`RunError::Usage`] for what does not exist or does not fit.
    pub fn new(mut spec: RunSpec) -> Result<Self, RunError> {
        let design = PreparedDesign::new(&spec)?;
        spec.check_results()?;
        if spec.fault.is_some() && spec.engine == Engine::Sim {
            return Err(RunError::usage("a planted bug is one of the RTL, which `sim` does not run"));
        }
        // What has more registers than the design addresses is compiled to fewer; a trace cannot be.
        spec.max_registers = spec.max_registers.min(design.preset.register_file.max_registers);
        let needs = design.needs();
        let work = match &spec.kernel {
            Kernel::Trace(path) => Work::Trace(PreparedTrace::new(path, needs)?),
            _ => {
                let kernel = PreparedKernel::new(&spec, needs)?
                    .with_compiler(design.preset.compiler)
                    .with_shared_memory(design.preset.shared_memory.bytes);
                Work::Kernel(Box::new(kernel))
            }
        };
        let session = Self {
            spec,
            design,
            work,
            library: None,
            mappings: Mappings::default(),
            lifetimes: Vec::new(),
            claim: None,
            replay_from: None,
            refused: false,
            writers: None,
            recording: Recording::Off,
            functional: Functional::Plain,
        };
        session.check_sms()?;
        Ok(session)
    }

    /// Runs all launches and checks them. A mismatch of a co-simulation is run once more, exactly, with
    /// a waveform window around it, and its report is written to the results folder.
    ///
    /// # Errors
    /// Why the run did not pass.
    pub fn run(&mut self, control: &mut dyn Control) -> Result<RunReport, RunError> {
        if let Work::Kernel(kernel) = &mut self.work {
            kernel.warn(control)?;
        }
        self.profile_mappings(control)?;
        self.find_lifetimes(control)?;
        if self.spec.engine == Engine::Cosim {
            self.build(self.spec.waves.is_some(), control)?;
        }
        let mut known = self.judged_by();
        let shown = self.first_rtl_sm();
        let mut first = self.attempt(control, self.spec.waves.clone(), (0, shown));
        // Both answers only ever turn from no to yes.
        while first.is_err() && self.judged_by() != known {
            known = self.judged_by();
            let why = if self.refused { "the kernel is refused" } else { "the order of accesses matters" };
            control.stage(&format!(
                "{why}; running once more with the program as parsed in the order of these accesses"
            ));
            first = self.attempt(control, self.spec.waves.clone(), (0, shown));
        }
        let mismatch = match first {
            Ok((report, _)) => return self.fault_is_found().map(|()| report),
            Err(RunError::Mismatch(mismatch)) => mismatch,
            Err(other) => return Err(other),
        };
        if self.spec.engine == Engine::Sim {
            return Err(RunError::Mismatch(mismatch));
        }
        control.stage("mismatch found; running once more with waves around it");
        let window = WaveWindow {
            format: WaveFormat::Vcd,
            from: mismatch.place.cycle.saturating_sub(WINDOW_BEFORE),
            cycles: WINDOW_BEFORE + WINDOW_AFTER,
        };
        Err(RunError::Mismatch(Box::new(self.explain(*mismatch, control, window))))
    }

    /// Makes the RTL ready, with waveforms where asked for.
    fn build(&mut self, waves: bool, control: &mut dyn Control) -> Result<(), RunError> {
        if self.library.as_ref().is_some_and(|library| !waves || library.has_waves()) {
            return Ok(());
        }
        let built = RtlLibrary::build(&self.spec, &self.design, waves, control);
        // Ctrl-C ends the tools that build too.
        let broken_off = built.is_err() && control.interrupted();
        self.library = Some(if broken_off { Err(RunError::Interrupted { cycles: 0 }) } else { built }?);
        Ok(())
    }

    /// Whether the program as parsed is replayed in the order of the accesses, and whether up to a refusal.
    fn judged_by(&self) -> (bool, bool) {
        (self.replay_from.is_some(), self.refused)
    }

    /// Whether the planted bug changed a value in the last run.
    #[must_use]
    pub fn fault_activations(&self) -> Option<u64> {
        self.library.as_ref().and_then(RtlLibrary::activations)
    }

    /// A run with a planted bug must not pass.
    fn fault_is_found(&self) -> Result<(), RunError> {
        let Some(fault) = &self.spec.fault else { return Ok(()) };
        let bugs = heddle_rtl::planted::load(&self.spec.root, &self.design.manifest).unwrap_or_default();
        let finder = bugs.into_iter().find(|bug| bug.id == fault.id).and_then(|bug| bug.kernel);
        let ran = self.spec.kernel_name();
        let kernel = finder.filter(|finder| *finder != ran);
        Err(RunError::FaultNotFound {
            fault: fault.id.clone(),
            activations: self.fault_activations().unwrap_or(0),
            kernel: kernel.map_or_else(String::new, |kernel| format!("; kernel '{kernel}' finds it")),
        })
    }

    /// Runs again with waves and writes the report; what cannot be written becomes a note.
    fn explain(&mut self, first: Mismatch, control: &mut dyn Control, window: WaveWindow) -> Mismatch {
        let mut report = first.clone();
        let rtl_sms = self.spec.rtl_sms();
        let shown = match first.place.sm.and_then(|sm| u32::try_from(sm).ok()) {
            Some(sm) if rtl_sms.contains(&sm) => sm,
            model => {
                let shown = self.first_rtl_sm();
                let what = |sm: u32| format!("the waves are those of SM {shown}; SM {sm} is a cycle model");
                report.notes.extend(model.map(what));
                shown
            }
        };
        if matches!(first.check, Check::FinalMemory | Check::Reference | Check::Compiler) {
            self.writers = Some(Box::default());
        }
        let built = self.build(true, control);
        report.notes.extend(built.as_ref().err().map(|e| format!("no waves: {e}")));
        match self.attempt(control, built.ok().map(|()| window), (first.place.launch, shown)) {
            Err(RunError::Mismatch(again)) if same_failure(&again, &first) => {
                report.notes.extend(again.notes.iter().filter(|n| !first.notes.contains(n)).cloned());
            }
            Err(RunError::Mismatch(again)) => report.notes.push(format!(
                "the run with waves failed differently, which must not be: cycle {}, {}",
                again.place.cycle, again.what
            )),
            Err(other) => report.notes.push(format!("no waves: {other}")),
            Ok(_) => report.notes.push("the run with waves passed, which must not be".to_owned()),
        }
        if let (Some(fault), Some(0)) = (&self.spec.fault, self.fault_activations()) {
            report.notes.push(format!(
                "planted bug '{}': 0 activations, it changed no value up to here; this mismatch is another one",
                fault.id
            ));
        }
        match self.write_report(&report) {
            Ok(path) => report.notes.push(format!("report: {}", path.display())),
            Err(e) => report.notes.push(format!("report: {e}")),
        }
        report
    }

    /// The lowest SM that is RTL.
    fn first_rtl_sm(&self) -> u32 {
        self.spec.rtl_sms().first().copied().unwrap_or(0)
    }

    /// One run with the given waveform window, in launch `launch` or later, of SM `sm`.
    fn attempt(
        &mut self,
        control: &mut dyn Control,
        window: Option<WaveWindow>,
        (launch, sm): (u32, u32),
    ) -> Result<(RunReport, Vec<PathBuf>), RunError> {
        let view = self.design.view_file(&self.spec.root);
        let mut waves = match window {
            Some(window) => {
                let name = self.claimed()?;
                let stem = self.spec.wave_stem(&name, sm);
                let writer = WaveWriter::new(window, launch, &self.spec.results, &stem, view);
                Some(writer.of_sm(sm as usize))
            }
            None => None,
        };
        let mut totals =
            Totals::new(&self.design.manifest.events, &self.design.instance.events).with_parts(self.spec.per);
        let outcome = match self.spec.engine {
            Engine::Cosim => self.cosim(control, &mut totals, &mut waves),
            Engine::Sim => match &self.work {
                Work::Kernel(_) => self.sim_streamed(control, &mut totals),
                Work::Trace(trace) => self.sim_trace(trace, control, &mut totals),
            },
        };
        let mut lost_waves = None;
        let files = match waves.take() {
            None => Vec::new(),
            Some(waves) => match (&outcome, waves.finish()) {
                (_, Ok(files)) => files,
                (Ok(()), Err(error)) => return Err(error),
                (Err(RunError::Mismatch(_)), Err(error)) => {
                    lost_waves = Some(error.to_string());
                    Vec::new()
                }
                (Err(_), Err(_)) => Vec::new(),
            },
        };
        match outcome {
            Ok(()) => {
                let names = files.iter().map(|f| f.display().to_string()).collect();
                let rtl = self.library.as_ref().map(RtlLibrary::origin);
                Ok((totals.report(&self.spec, &self.design, rtl, names)?, files))
            }
            Err(RunError::Mismatch(mut mismatch)) => {
                mismatch.notes.extend(files.iter().map(|f| format!("waves: {}", f.display())));
                mismatch.notes.extend(lost_waves.map(|reason| format!("no waves: {reason}")));
                Err(RunError::Mismatch(mismatch))
            }
            Err(other) => Err(other),
        }
    }
}
