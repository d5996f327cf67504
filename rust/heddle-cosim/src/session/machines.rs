//! The machines of a run, made from its settings.

use std::sync::Arc;

use heddle_functional::{Checks, Golden, GoldenError};
use heddle_isa::{DeviceMemory, KernelLaunch, Program};
use heddle_port::RegisterFile;
use heddle_sm::{CtaChoice, DesignMemory, Sm};

use super::{Session, Work};
use crate::control::{Control, Pacer};
use crate::error::RunError;
use crate::kernel::{Entry, PreparedKernel};
use crate::lockstep::LaunchContext;
use crate::residency::residency;
use crate::spec::{Ctas, Engine};
use crate::totals::Totals;

impl Session {
    /// The kernel, of a run that has one.
    pub(super) fn kernel(&mut self) -> Result<&mut PreparedKernel, RunError> {
        match &mut self.work {
            Work::Kernel(kernel) => Ok(kernel),
            Work::Trace(_) => Err(RunError::usage("a trace has no kernel to execute")),
        }
    }

    pub(super) fn model(&self) -> Result<Box<dyn RegisterFile + Send>, RunError> {
        let name = &self.design.manifest.name;
        heddle_designs::create(name, &self.design.instance).map_err(RunError::usage)
    }

    /// A golden machine with the checks that the run asks for.
    pub(super) fn golden(
        &self,
        program: Arc<Program>,
        launch: &KernelLaunch,
        memory: DeviceMemory,
    ) -> Result<Golden, GoldenError> {
        let golden = Golden::new(program, launch, memory)?;
        let of_program = golden.checks();
        let uninitialised_shared = of_program.uninitialised_shared && !self.spec.unwritten_shared;
        Ok(golden.with_checks(Checks { uninitialised_shared, races: self.spec.races, ..of_program }))
    }

    /// CTAs of a launch that are resident at once, if it can be run.
    pub(super) fn residency(&self, entry: &Entry, launch: &KernelLaunch) -> Result<u32, RunError> {
        let program = &entry.executable.program;
        residency(
            &self.design.preset_of(&self.spec, &program.name),
            program,
            launch,
            self.ctas(),
            self.spec.sms,
        )
    }

    pub(super) fn ctas(&self) -> CtaChoice {
        let of = u64::from(self.design.preset.gpu.sms);
        match self.spec.ctas {
            Ctas::All => CtaChoice::All,
            Ctas::Share => CtaChoice::FirstOf { sms: self.spec.sms.into(), of },
        }
    }

    /// The CTAs of one SM, from which the run of all is prepared.
    pub(super) fn ctas_of_one(&self) -> CtaChoice {
        match (self.spec.sms, self.ctas()) {
            (1, choice) => choice,
            (sms, CtaChoice::All) => CtaChoice::FirstOf { sms: 1, of: sms.into() },
            (_, choice) => CtaChoice::FirstOf { sms: 1, of: choice.of_first_sm().1 },
        }
    }

    /// What the next launch, of `kernel`, is run with.
    pub(super) fn context<'a>(
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

    pub(super) fn sm(
        &self,
        entry: &Entry,
        launch: &KernelLaunch,
        memory: heddle_isa::DeviceMemory,
        choice: CtaChoice,
    ) -> Result<Sm, RunError> {
        let executable = Arc::clone(&entry.executable);
        let mapping = self.mappings.of(&entry.executable.program.name);
        let (preset, widths) =
            (&*self.design.preset_of(&self.spec, &entry.executable.program.name), self.design.widths());
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
}
