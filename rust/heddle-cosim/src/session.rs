//! A run from start to end: kernel, design, machines, launches, checks, report.

use std::path::PathBuf;
use std::sync::Arc;

use heddle_functional::{Checks, Golden, GoldenError};
use heddle_isa::{DeviceMemory, KernelLaunch, Program};
use heddle_mem::KnownReads;
use heddle_passes::DesignNeeds;
use heddle_port::RegisterFile;
use heddle_portbench::ContractMonitor;
use heddle_rtl::RtlRegisterFile;
use heddle_sm::{CtaChoice, DesignMemory, Sm};
use heddle_workloads::CheckFailure;

use crate::check::Checker;
use crate::check::controls::ControlCheck;
use crate::check::finish::same_memory;
use crate::check::refusal::golden_fault;
use crate::control::{Control, Pacer};
use crate::design::{PreparedDesign, refused};
use crate::error::RunError;
use crate::kernel::{Entry, HostSide, PreparedKernel};
use crate::library::RtlLibrary;
use crate::lockstep::{LaunchContext, LaunchObserver, Machines, run_cosim, run_sim};
use crate::mapping::Mappings;
use crate::mismatch::{Check, Mismatch, Place};
use crate::replay::{Stimulus, record};
use crate::report::RunReport;
use crate::spec::{Ctas, Engine, Kernel, RunSpec, WaveFormat, WaveWindow};
use crate::totals::Totals;
use crate::trace::PreparedTrace;
use crate::window::WaveWriter;

/// Cycles before the mismatch that its waveform window shows.
const WINDOW_BEFORE: u64 = 200;
/// Cycles from it on.
const WINDOW_AFTER: u64 = 20;
/// Warp instructions of a program as parsed that no SM executes in a cycle: above any issue width, with
/// room for what allocation removes.
const MOST_INSTRUCTIONS_A_CYCLE: u64 = 16;

/// What runs.
pub(crate) enum Work {
    Kernel(Box<PreparedKernel>),
    Trace(PreparedTrace),
}

/// A run, made ready. It can be run again: the same spec gives the same cycles.
pub struct Session {
    pub(crate) spec: RunSpec,
    pub(crate) design: PreparedDesign,
    pub(crate) work: Work,
    library: Option<RtlLibrary>,
    /// Register mapping of each entry, once it was profiled.
    pub(crate) mappings: Mappings,
    /// Lifetimes of the addresses of shared memory in each launch, where they are to be known.
    pub(crate) lifetimes: Vec<Arc<KnownReads>>,
}

impl Session {
    /// Reads and checks everything that the run needs; nothing is built or run yet.
    ///
    /// # Errors
    /// [`RunError::Usage`] for what does not exist or does not fit.
    pub fn new(mut spec: RunSpec) -> Result<Self, RunError> {
        let design = PreparedDesign::new(&spec)?;
        // What has more registers than the design addresses is compiled to fewer; a trace cannot be.
        spec.max_registers = spec.max_registers.min(design.preset.register_file.max_registers);
        let limit = design.preset.register_file.registers_per_interval;
        let needs = DesignNeeds { intervals: design.manifest.needs_intervals.then_some(limit) };
        let work = match &spec.kernel {
            Kernel::Trace(path) => Work::Trace(PreparedTrace::new(path, needs)?),
            _ => {
                let kernel =
                    PreparedKernel::new(&spec, needs)?.with_shared_memory(design.preset.shared_memory.bytes);
                Work::Kernel(Box::new(kernel))
            }
        };
        Ok(Self { spec, design, work, library: None, mappings: Mappings::default(), lifetimes: Vec::new() })
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
        if self.spec.engine == Engine::Cosim && self.library.is_none() {
            self.library = Some(RtlLibrary::build(&self.spec, &self.design, control)?);
        }
        let first = self.attempt(control, self.spec.waves.clone(), 0);
        let Err(RunError::Mismatch(mismatch)) = first else { return first.map(|(report, _)| report) };
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

    /// Whether the planted bug changed a value in the last run.
    #[must_use]
    pub fn fault_activations(&self) -> Option<u64> {
        self.library.as_ref().and_then(RtlLibrary::activations)
    }

    /// Runs again with waves and writes the report; what cannot be written becomes a note.
    fn explain(&mut self, first: Mismatch, control: &mut dyn Control, window: WaveWindow) -> Mismatch {
        let mut report = first.clone();
        match self.attempt(control, Some(window), first.place.launch) {
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
        let path = self.results_file("mismatch.json");
        let text = serde_json::to_string_pretty(&report).unwrap_or_default();
        match heddle_waves::publish(&path, text.as_bytes()) {
            Ok(()) => report.notes.push(format!("report: {}", path.display())),
            Err(e) => report.notes.push(format!("report: cannot write {}: {e}", path.display())),
        }
        report
    }

    fn results_file(&self, extension: &str) -> PathBuf {
        self.spec.results.join(format!("{}.{extension}", self.stem()))
    }

    fn stem(&self) -> String {
        format!("{}-{}-{}", self.spec.design, self.spec.kernel_name(), self.spec.size_name())
            .trim_end_matches("--")
            .trim_end_matches('-')
            .to_owned()
    }

    /// One run with the given waveform window, in launch `launch` or later.
    fn attempt(
        &mut self,
        control: &mut dyn Control,
        window: Option<WaveWindow>,
        launch: u32,
    ) -> Result<(RunReport, Vec<PathBuf>), RunError> {
        let view = self.design.view_file(&self.spec.root);
        let mut waves = match window {
            Some(window) => Some(WaveWriter::new(window, launch, &self.spec.results, &self.stem(), view)?),
            None => None,
        };
        let mut totals = Totals::new(&self.design.manifest.events);
        let outcome = match self.spec.engine {
            Engine::Cosim => self.cosim(control, &mut totals, &mut waves),
            Engine::Sim => match &self.work {
                Work::Kernel(_) => self.sim(control, &mut totals, &mut ()),
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
                Ok((totals.report(&self.spec, &self.design, names)?, files))
            }
            Err(RunError::Mismatch(mut mismatch)) => {
                mismatch.notes.extend(files.iter().map(|f| format!("waves: {}", f.display())));
                mismatch.notes.extend(lost_waves.map(|reason| format!("no waves: {reason}")));
                Err(RunError::Mismatch(mismatch))
            }
            Err(other) => Err(other),
        }
    }

    /// The kernel, of a run that has one.
    pub(crate) fn kernel(&mut self) -> Result<&mut PreparedKernel, RunError> {
        match &mut self.work {
            Work::Kernel(kernel) => Ok(kernel),
            Work::Trace(_) => Err(RunError::usage("a trace has no kernel to execute")),
        }
    }

    pub(crate) fn model(&self) -> Result<Box<dyn RegisterFile + Send>, RunError> {
        let name = &self.design.manifest.name;
        heddle_designs::create(name, self.design.widths).ok_or_else(|| {
            RunError::usage(format!("design '{name}' has RTL but no cycle model in heddle-designs"))
        })
    }

    /// A golden machine with the checks that the run asks for.
    fn golden(
        &self,
        program: Arc<Program>,
        launch: &KernelLaunch,
        memory: DeviceMemory,
    ) -> Result<Golden, GoldenError> {
        let golden = Golden::new(program, launch, memory)?;
        let of_program = golden.checks();
        let uninitialised_shared = of_program.uninitialised_shared && !self.spec.unwritten_shared;
        Ok(golden.with_checks(Checks { uninitialised_shared, ..of_program }))
    }

    pub(crate) fn ctas(&self) -> CtaChoice {
        match self.spec.ctas {
            Ctas::All => CtaChoice::All,
            Ctas::Share => CtaChoice::EveryNth { n: u64::from(self.design.preset.gpu.sms), first: 0 },
        }
    }

    /// What the next launch, of `kernel`, is run with.
    pub(crate) fn context<'a>(
        &self,
        kernel: &'a str,
        ctas: u64,
        totals: &'a mut Totals,
        control: &'a mut dyn Control,
        pacer: &'a mut Pacer,
    ) -> LaunchContext<'a> {
        LaunchContext {
            launch: totals.launches,
            base_cycle: totals.cycles,
            ctas,
            kernel,
            max_cycles: self.spec.max_cycles,
            counters: &mut totals.counters,
            control,
            pacer,
        }
    }

    /// A run of the cycle model alone that `observer` watches.
    ///
    /// # Errors
    /// As [`Session::run`].
    pub fn observe<O: LaunchObserver>(
        &mut self,
        control: &mut dyn Control,
        observer: &mut O,
    ) -> Result<RunReport, RunError> {
        self.profile_mappings(control)?;
        self.find_lifetimes(control)?;
        let mut totals = Totals::new(&self.design.manifest.events);
        self.sim(control, &mut totals, observer)?;
        totals.report(&self.spec, &self.design, Vec::new())
    }

    fn sim<O: LaunchObserver>(
        &mut self,
        control: &mut dyn Control,
        totals: &mut Totals,
        observer: &mut O,
    ) -> Result<(), RunError> {
        let mut host = self.kernel()?.host_side()?;
        let mut model = self.model()?;
        let mut pacer = Pacer::new();
        while let Some(launch) = host.next_launch()? {
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let ctas = choice.count(launch.launch.num_ctas());
            let mut sm = self.sm(&entry, &launch.launch, host.take_memory(), choice)?;
            let out = model.reset(&self.design.config).map_err(refused)?;
            if let Some(known) = self.lifetimes.get(totals.launches as usize)
                && let Some(side) = model.memory_side()
                && side.know_lifetimes()
            {
                sm = sm.with_known_lifetimes(Arc::clone(known));
            }
            observer.launched(&entry.executable.program, &launch.launch);
            let mut context = self.context(&launch.entry, ctas, totals, &mut *control, &mut pacer);
            let registers = entry.executable.program.num_regs;
            run_sim(&mut context, &mut sm, model.as_mut(), out, registers, observer, None)?;
            totals.launched(&entry.executable, ctas, &sm);
            host.memory = sm.into_memory();
            self.run_others(&entry, &launch.launch, &mut host, choice, &*control)?;
        }
        host.write_outputs()?;
        self.check_reference(&mut host, totals)
    }

    /// The CTAs of the other SMs, on the golden machine without timing: what the host reads and what the
    /// next launch starts from is then what the whole GPU leaves.
    pub(crate) fn run_others(
        &self,
        entry: &Entry,
        launch: &KernelLaunch,
        host: &mut HostSide,
        choice: CtaChoice,
        control: &dyn Control,
    ) -> Result<(), RunError> {
        let (first, step) = choice.first_and_step();
        let others = (0..launch.num_ctas()).filter(|cta| cta % step != first);
        if step == 1 {
            return Ok(());
        }
        let program = Arc::clone(&entry.executable.program);
        let mut golden = self.golden(program, launch, host.take_memory()).map_err(|e| golden_fault(&e))?;
        golden.run_watched(others, None, &mut || !control.interrupted()).map_err(|e| golden_fault(&e))?;
        host.memory = golden.into_memory();
        Ok(())
    }

    /// Records what the SM drives into the register port in the first launch, at most `limit` cycles.
    ///
    /// # Errors
    /// As a run.
    pub fn record(&mut self, limit: usize) -> Result<Stimulus, RunError> {
        let mut host = self.kernel()?.host_side()?;
        let mut model = self.model()?;
        let Some(launch) = host.next_launch()? else { return Ok(Stimulus::new(self.design.config)) };
        let entry = self.kernel()?.entry(&launch.entry)?;
        let choice = self.ctas();
        let mut sm = self.sm(&entry, &launch.launch, host.take_memory(), choice)?;
        record(&self.design, &entry, &mut sm, model.as_mut(), limit)
    }

    pub(crate) fn sm(
        &self,
        entry: &Entry,
        launch: &KernelLaunch,
        memory: heddle_isa::DeviceMemory,
        choice: CtaChoice,
    ) -> Result<Sm, RunError> {
        let executable = Arc::clone(&entry.executable);
        let mapping = self.mappings.of(&entry.executable.program.name);
        let (preset, widths) = (&self.design.preset, self.design.widths);
        let held = self.design.manifest.memory_port;
        let sm = if held.any() {
            // Only the RTL holds data.
            let data = self.spec.engine == Engine::Cosim;
            Sm::with_design_memory(
                preset,
                widths,
                executable,
                launch,
                memory,
                choice,
                DesignMemory { held, data },
            )
        } else {
            Sm::new(preset, widths, executable, launch, memory, choice)
        };
        sm.map(|sm| sm.with_mapping(mapping)).map_err(|e| RunError::Launch { message: e.to_string() })
    }

    /// The program as parsed, on virtual registers, on a golden machine of its own: it finds what the
    /// kernel does wrong before any other machine runs, and its memory checks the compiler. A limit of
    /// cycles bounds it too.
    fn run_parsed(
        &self,
        entry: &Entry,
        launch: &KernelLaunch,
        host: &mut HostSide,
        choice: CtaChoice,
        control: &dyn Control,
    ) -> Result<(), RunError> {
        let mut golden = self
            .golden(Arc::clone(&entry.parsed), launch, host.take_memory())
            .map_err(|e| golden_fault(&e))?;
        let cycles = self.spec.max_cycles;
        let limit = cycles.map(|cycles| cycles.saturating_mul(MOST_INSTRUCTIONS_A_CYCLE));
        let ctas = choice.ctas(launch.num_ctas());
        let run = golden.run_watched(ctas, limit, &mut || !control.interrupted());
        run.map_err(|e| match (&e, cycles) {
            (GoldenError::Limit { .. }, Some(limit)) => {
                let (kernel, waits) = (entry.parsed.name.clone(), format!("  as parsed: {e}"));
                RunError::OutOfCycles { kernel, limit, waits }
            }
            _ => golden_fault(&e),
        })?;
        host.memory = golden.into_memory();
        Ok(())
    }

    fn cosim(
        &mut self,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let Some(mut library) = self.library.take() else {
            return Err(RunError::usage("the RTL is not built"));
        };
        let outcome = library.instance(self.spec.seed).and_then(|mut rtl| {
            let outcome = match &self.work {
                Work::Kernel(_) => self.lockstep(&mut rtl, control, totals, waves),
                Work::Trace(trace) => self.lockstep_trace(trace, &mut rtl, control, totals, waves),
            };
            let remembered = library.remember_activations(&mut rtl);
            outcome.and(remembered)
        });
        self.library = Some(library);
        outcome
    }

    /// All launches of a co-simulation on one instance of the RTL.
    fn lockstep(
        &mut self,
        rtl: &mut RtlRegisterFile,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let mut under_test = self.kernel()?.host_side()?;
        let mut golden_host = self.kernel()?.host_side()?;
        let mut parsed_host = self.kernel()?.host_side()?;
        // The shadow also watches that the SM keeps the port's contract.
        let mut model = ContractMonitor::new(self.model()?, self.design.manifest.needs_intervals);
        let manifest = self.design.manifest.clone();
        let mut controls = ControlCheck::new(&manifest, self.design.widths);
        let mut pacer = Pacer::new();
        let mut outcome = Ok(());
        while outcome.is_ok() {
            let launches = [&mut under_test, &mut golden_host, &mut parsed_host].map(HostSide::next_launch);
            let [launch, golden_launch, parsed_launch] = launches;
            let (launch, golden_launch, parsed_launch) = (launch?, golden_launch?, parsed_launch?);
            let here = Place { launch: totals.launches, cycle: totals.cycles, ..Place::default() };
            if launch != golden_launch || launch != parsed_launch {
                outcome = Err(Mismatch::new(Check::FinalMemory, here, "host code asks for other launches")
                    .side("launch", format!("{golden_launch:?}"), format!("{launch:?}"))
                    .into());
                break;
            }
            let Some(launch) = launch else { break };
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let ctas = choice.count(launch.launch.num_ctas());
            self.run_parsed(&entry, &launch.launch, &mut parsed_host, choice, &*control)?;
            let golden = self
                .golden(Arc::clone(&entry.executable.program), &launch.launch, golden_host.take_memory())
                .map_err(|e| RunError::Kernel { message: e.to_string() })?
                .with_dead_sources(entry.executable.dead_sources.clone());
            let mut checker = Checker::new(golden, &entry.executable.program, totals.launches, totals.cycles);
            if self.design.manifest.spills_registers {
                checker.expect_spills();
            }
            let mut sm = self.sm(&entry, &launch.launch, under_test.take_memory(), choice)?;
            let rtl_out = rtl.reset(&self.design.config).map_err(|e| reset_failure(&e, here.clone()))?;
            if let Some(waves) = waves.as_mut() {
                waves.launch_begins(totals.launches);
            }
            let model_out = model.reset(&self.design.config).map_err(refused)?;
            let mut context = self.context(&launch.entry, ctas, totals, &mut *control, &mut pacer);
            let mut machines = Machines {
                rtl: &mut *rtl,
                rtl_out,
                model: &mut model,
                model_out,
                controls: &mut controls,
                waves: waves.as_mut(),
            };
            outcome = run_cosim(&mut context, &mut sm, &mut machines, &mut checker, None);
            totals.compared(&checker.compared);
            totals.launched(&entry.executable, ctas, &sm);
            if outcome.is_err() {
                break;
            }
            under_test.memory = sm.into_memory();
            golden_host.memory = checker.into_golden().into_memory();
            outcome = Self::compare_memories(&golden_host, &under_test, &parsed_host, totals, &here);
        }
        totals.controls = controls.compared;
        end_lockstep(outcome, rtl, totals, waves)?;
        under_test.write_outputs()?;
        self.check_reference(&mut under_test, totals)?;
        totals.complete(true)
    }

    fn compare_memories(
        golden: &HostSide,
        under_test: &HostSide,
        parsed: &HostSide,
        totals: &mut Totals,
        begin: &Place,
    ) -> Result<(), RunError> {
        let place = Place { cycle: totals.cycles, ..begin.clone() };
        totals.memory_words += same_memory(
            &golden.memory,
            &under_test.memory,
            Check::FinalMemory,
            ["golden memory", "the machine under test"],
            place.clone(),
        )?;
        totals.memory_words += same_memory(
            &parsed.memory,
            &golden.memory,
            Check::Compiler,
            ["the program as parsed", "the allocated program"],
            place,
        )?;
        Ok(())
    }

    /// The CPU reference, where all CTAs ran, on this SM or functionally.
    fn check_reference(&self, host: &mut HostSide, totals: &mut Totals) -> Result<(), RunError> {
        if self.spec.ctas == Ctas::Share && self.spec.engine == Engine::Cosim {
            return Ok(());
        }
        let place = Place { cycle: totals.cycles, ..Place::default() };
        let words = host.check().map_err(|e| result_failure(&self.spec.kernel, &e, place))?;
        let shipped = matches!(self.spec.kernel, Kernel::Workload { .. } | Kernel::Input { .. });
        totals.referenced(words, shipped)
    }
}

/// After the last launch of a co-simulation: the waveform is closed, after a mismatch some cycles later, and
/// the RTL's final blocks run.
pub(crate) fn end_lockstep(
    outcome: Result<(), RunError>,
    rtl: &mut RtlRegisterFile,
    totals: &Totals,
    waves: &mut Option<WaveWriter>,
) -> Result<(), RunError> {
    let mut closed = Ok(());
    if let Some(waves) = waves {
        if matches!(outcome, Err(RunError::Mismatch(_))) {
            waves.run_on(rtl);
        }
        closed = waves.close(rtl);
    }
    outcome.and(closed)?;
    rtl.finish().map_err(|e| reset_failure(&e, Place { cycle: totals.cycles, ..Place::default() }))
}

/// A result that is not as the workload's reference, or as the user's launch file expects. The machines
/// agree with each other by then, so the second is a kernel that does not do what its user wants.
pub(crate) fn result_failure(kernel: &Kernel, failure: &CheckFailure, place: Place) -> RunError {
    match kernel {
        Kernel::File { .. } => RunError::Unexpected { message: failure.to_string() },
        Kernel::Workload { .. } | Kernel::Input { .. } | Kernel::Made(_) | Kernel::Trace(_) => {
            Mismatch::new(Check::Reference, place, failure.to_string()).into()
        }
    }
}

pub(crate) fn reset_failure(error: &heddle_port::DesignError, place: Place) -> RunError {
    Mismatch::new(Check::Assertion, place, format!("the RTL stops: {error}")).into()
}

fn same_failure(a: &Mismatch, b: &Mismatch) -> bool {
    a.check == b.check && a.place == b.place && a.what == b.what
}
