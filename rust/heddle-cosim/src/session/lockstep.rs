//! All launches of a kernel in co-simulation on one SM: RTL, cycle model and golden machines.

use heddle_port::RegisterFile as _;
use heddle_portbench::ContractMonitor;
use heddle_rtl::RtlRegisterFile;
use heddle_sm::Sm;

use super::outcome::{end_lockstep, reset_failure};
use super::{Session, Work};
use crate::check::controls::ControlCheck;
use crate::check::lines::LineLifetimes;
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::library::RtlLibrary;
use crate::lockstep::{Machines, Rtl, Shadow, Shadowing, run_cosim};
use crate::mismatch::Place;
use crate::totals::Totals;
use crate::window::WaveWriter;

impl Session {
    pub(super) fn cosim(
        &mut self,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let Some(mut library) = self.library.take() else {
            return Err(RunError::usage("the RTL is not built"));
        };
        let outcome = if self.spec.sms > 1 {
            self.cosim_many(&mut library, control, totals, waves)
        } else {
            self.cosim_one(&mut library, control, totals, waves)
        };
        self.library = Some(library);
        outcome
    }

    fn cosim_one(
        &mut self,
        library: &mut RtlLibrary,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let rtl = library.instance(self.spec.seed, 0)?;
        let mut rtl = self.recorded(rtl, library)?;
        let outcome = match &self.work {
            Work::Kernel(_) => self.lockstep(&mut rtl, control, totals, waves),
            Work::Trace(trace) => self.lockstep_trace(trace, &mut rtl, control, totals, waves),
        };
        let remembered = library.remember([&mut rtl]);
        outcome.and(remembered)?;
        self.recording.end(&mut rtl)
    }

    /// A shadow of the RTL.
    pub(super) fn shadow(&self) -> Result<Shadow, RunError> {
        let sub_cores = self.design.preset.register_file.sub_cores as usize;
        let shadow = ContractMonitor::new(self.model()?, self.design.manifest.needs_intervals);
        Ok(shadow.with_sub_cores(sub_cores, self.design.widths()))
    }

    /// What follows the lines of a cache of shared memory in a launch, where the design has one.
    pub(super) fn line_lifetimes(&self, sm: &Sm) -> Option<LineLifetimes> {
        let cache = self.design.manifest.memory_port.shared;
        cache.then(|| LineLifetimes::new(sm.occupancy().shared_bytes))
    }

    /// All launches of a co-simulation on one instance of the RTL.
    fn lockstep(
        &mut self,
        rtl: &mut RtlRegisterFile,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let mut hosts = self.hosts()?;
        let mut model = self.shadow()?;
        let instance = self.design.instance.clone();
        let mut controls = ControlCheck::new(&instance);
        let mut pacer = Pacer::new();
        let mut outcome = Ok(());
        let mut lower = None;
        while outcome.is_ok() {
            let here = Place { launch: totals.launches, cycle: totals.cycles, ..Place::default() };
            let launch = match hosts.next_launch(&here) {
                Ok(Some(launch)) => launch,
                Ok(None) => break,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let ctas = choice.count(launch.launch.num_ctas());
            let mut checker = self.checker(&entry, &launch.launch, &mut hosts, totals, &*control)?;
            self.note_writers(&mut checker, &entry, &hosts);
            let sm = self.sm(&entry, &launch.launch, hosts.under_test.take_memory(), choice)?;
            let mut sm = sm.with_lower(lower.take());
            waves.as_mut().map_or(Ok(()), |waves| waves.close(rtl))?;
            let rtl_out = rtl.reset(&self.design.config).map_err(|e| reset_failure(&e, here.clone()))?;
            if let Some(waves) = waves.as_mut() {
                waves.launch_begins(totals.launches);
            }
            let model_out = model.reset(&self.design.config).map_err(refused)?;
            let mut context = self.context(&launch.entry, ctas, totals, &mut *control, &mut pacer);
            let lines = self.line_lifetimes(&sm);
            let mut machines = Machines {
                rtl: Rtl { design: &mut *rtl, out: rtl_out, waves: waves.as_mut() },
                shadow: Shadowing { model: &mut model, out: model_out, controls: &mut controls, lines },
            };
            let queue = self.spec.check_queue;
            let run = run_cosim(&mut context, &mut sm, &mut machines, &mut checker, None, queue);
            totals.lines_left(machines.shadow.lifetimes());
            totals.compared(checker.compared());
            totals.launched(&entry.executable, ctas, &sm);
            let (memory, after) = sm.into_parts();
            lower = after;
            outcome = self.judge(run, checker, memory, &mut hosts, totals, &here);
        }
        totals.outputs_compared(&controls);
        end_lockstep(outcome, rtl, totals, waves)?;
        self.judge_end(&mut hosts, totals)
    }
}
