//! Runs of the cycle model alone.

use std::sync::Arc;

use heddle_functional::Watch;
use heddle_isa::KernelLaunch;
use heddle_port::RegisterFile;
use heddle_sm::CtaChoice;

use super::Session;
use crate::check::refusal::golden_fault;
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::kernel::{Entry, HostSide};
use crate::lockstep::{LaunchObserver, run_sim};
use crate::mismatch::{Check, Mismatch};
use crate::replay::{Stimulus, record};
use crate::report::RunReport;
use crate::stream::Functional;
use crate::totals::Totals;

impl Session {
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
        let totals = Totals::new(&self.design.manifest.events, &self.design.instance.events);
        let mut totals = totals.with_parts(self.spec.per);
        self.sim(control, &mut totals, observer)?;
        totals.report(&self.spec, &self.design, None, Vec::new())
    }

    /// A run of the cycle model alone that replays the kernel's functional stream, or records it, where streams are
    /// asked for.
    pub(super) fn sim_streamed(
        &mut self,
        control: &mut dyn Control,
        totals: &mut Totals,
    ) -> Result<(), RunError> {
        self.functional = Functional::Plain;
        let mut stream = self.stream()?;
        match &mut stream {
            stream if self.spec.sms > 1 => self.sim_many(control, totals, stream.as_mut())?,
            Some(stream) => self.sim(control, totals, stream)?,
            None => self.sim(control, totals, &mut ())?,
        }
        if let Some(stream) = stream {
            self.functional = stream.passed(totals.reference_words());
        }
        Ok(())
    }

    pub(super) fn sim<O: LaunchObserver>(
        &mut self,
        control: &mut dyn Control,
        totals: &mut Totals,
        observer: &mut O,
    ) -> Result<(), RunError> {
        let mut host = self.kernel()?.host_side()?;
        let mut model = self.model()?;
        let mut pacer = Pacer::new();
        let mut lower = None;
        while let Some(launch) = host.next_launch()? {
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let ctas = choice.count(launch.launch.num_ctas());
            self.residency(&entry, &launch.launch)?;
            let mut sm = self.sm(&entry, &launch.launch, host.take_memory(), choice)?.with_lower(lower);
            let out = model.reset(&self.design.config).map_err(refused)?;
            if let Some(known) = self.lifetimes.get(totals.launches as usize)
                && let Some(side) = model.memory_side()
                && side.know_lifetimes()
            {
                sm = sm.with_known_lifetimes(Arc::clone(known));
            }
            observer.launched(&entry.executable, &launch.launch);
            let mut context = self.context(&launch.entry, ctas, totals, &mut *control, &mut pacer);
            let registers = entry.executable.program.num_regs;
            let run = run_sim(&mut context, &mut sm, model.as_mut(), out, registers, observer, None);
            if let Err(RunError::Mismatch(hang)) = run {
                return Err(self.whose_hang(hang, &*control));
            }
            run?;
            totals.launched(&entry.executable, ctas, &sm);
            let (memory, after) = sm.into_parts();
            (host.memory, lower) = (memory, after);
            self.others((&entry, &launch.launch), &mut host, choice, observer.stream(), &*control)?;
        }
        host.write_outputs()?;
        self.judge_result(&mut host, totals, observer.stream())
    }

    /// A launch that does not end on the SM: the kernel's fault where it does not end on the golden machine either,
    /// which keeps as many CTAs resident.
    fn whose_hang(&mut self, hang: Box<Mismatch>, control: &dyn Control) -> RunError {
        if hang.check != Check::Hang {
            return RunError::Mismatch(hang);
        }
        match self.run_freely(hang.place.launch, control) {
            Err(error @ RunError::Kernel { .. }) => error,
            _ => RunError::Mismatch(hang),
        }
    }

    /// The SM's CTAs of launch `last` on the golden machine, after all CTAs of those before it.
    fn run_freely(&mut self, last: u32, control: &dyn Control) -> Result<(), RunError> {
        let mut host = self.kernel()?.host_side()?;
        for number in 0..=last {
            let Some(launch) = host.next_launch()? else { return Ok(()) };
            let entry = self.kernel()?.entry(&launch.entry)?;
            let program = Arc::clone(&entry.executable.program);
            let golden =
                self.golden(program, &launch.launch, host.take_memory()).map_err(|e| golden_fault(&e))?;
            let mut golden = golden.with_residency(self.residency(&entry, &launch.launch)?);
            let choice = if number == last { self.ctas() } else { CtaChoice::All };
            let ctas = choice.ctas(launch.launch.num_ctas());
            let run = golden.run_watched(ctas, None, &mut || !control.interrupted(), &mut ());
            run.map_err(|e| golden_fault(&e))?;
            host.memory = golden.into_memory();
        }
        Ok(())
    }

    /// The CTAs of the other SMs, on the golden machine without timing: what the host reads and what the
    /// next launch starts from is then what the whole GPU leaves. `watch` sees them.
    pub(super) fn run_others<W: Watch>(
        &self,
        (entry, launch): (&Entry, &KernelLaunch),
        host: &mut HostSide,
        choice: CtaChoice,
        control: &dyn Control,
        watch: &mut W,
    ) -> Result<(), RunError> {
        if choice.count(launch.num_ctas()) == launch.num_ctas() {
            return Ok(());
        }
        let others = (0..launch.num_ctas()).filter(|cta| !choice.has(*cta));
        let program = Arc::clone(&entry.executable.program);
        let golden = self.golden(program, launch, host.take_memory()).map_err(|e| golden_fault(&e))?;
        let mut golden = golden.with_residency(self.residency(entry, launch)?);
        golden
            .run_watched(others, None, &mut || !control.interrupted(), watch)
            .map_err(|e| golden_fault(&e))?;
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
}
