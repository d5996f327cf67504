//! Runs of the cycle model on many SMs.

use heddle_mem::{Lower, Share};
use heddle_port::RegisterFile;
use heddle_sm::{Gpu, Threads};

use super::{Session, Work};
use crate::check::sms::MOST_SMS;
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::lockstep::{Design, LaunchObserver, run_many};
use crate::mismatch::{Check, Mismatch, Place};
use crate::spec::Engine;
use crate::stream::{SmWrites, Stream};
use crate::totals::Totals;

impl Session {
    /// Whether a run on several SMs can be.
    ///
    /// # Errors
    /// [`RunError::Usage`]: more SMs than the preset has, and what runs on one SM alone.
    pub(super) fn check_sms(&self) -> Result<(), RunError> {
        let (sms, there) = (self.spec.sms, self.design.preset.gpu.sms);
        self.spec.rtl_sms.check(sms).map_err(RunError::usage)?;
        if let Some(sm) = self.spec.fault.as_ref().and_then(|fault| fault.sm)
            && !self.spec.rtl_sms().contains(&sm)
        {
            return Err(RunError::usage(format!("a planted bug in SM {sm}: that SM is not RTL")));
        }
        if sms == 1 {
            return Ok(());
        }
        let refuse = |why: String| Err(RunError::usage(why));
        if !(1..=there).contains(&sms) {
            let name = &self.design.preset.name;
            return refuse(format!("--sms {sms}: preset '{name}' has 1 to {there} SMs (gpu.sms)"));
        }
        if sms > heddle_mem::MOST_SMS {
            return refuse(format!("--sms {sms}: at most {} are simulated at once", heddle_mem::MOST_SMS));
        }
        if self.spec.engine == Engine::Cosim && sms > MOST_SMS {
            return refuse(format!("--sms {sms}: `cosim` runs 1 to {MOST_SMS} SMs; `sim` runs more"));
        }
        if matches!(self.work, Work::Trace(_)) {
            return refuse(format!("--sms {sms}: a trace runs on one SM"));
        }
        if self.design.preset.shared_memory.known_lifetimes {
            return refuse(format!("--sms {sms}: shared_memory.known_lifetimes = true is for one SM"));
        }
        Ok(())
    }

    /// Whether the run is one that an observer of one SM follows; `option` is what asks for it.
    ///
    /// # Errors
    /// [`RunError::Usage`]: several SMs, or a trace.
    pub(crate) fn expect_one_sm_and_a_kernel(&self, option: &str) -> Result<(), RunError> {
        if self.spec.sms != 1 {
            return Err(RunError::usage(format!("{option} is for one SM, not for --sms {}", self.spec.sms)));
        }
        if matches!(self.work, Work::Trace(_)) {
            return Err(RunError::usage(format!("{option} is for kernels, not for a trace")));
        }
        Ok(())
    }

    /// Whether a fence of GPU or system scope drops the lines of its SM's L1. One in the design keeps them.
    pub(super) fn fences_drop_lines(&self) -> bool {
        self.design.preset.l1d.fence_invalidates && !self.design.manifest.memory_port.cached
    }

    /// Whether the cycle model, after its reset, tells what becomes of lines that the design holds.
    ///
    /// # Errors
    /// [`RunError::Usage`]: it does not.
    pub(super) fn check_line_events(&self, model: &mut dyn RegisterFile) -> Result<(), RunError> {
        let tells = model.memory_side().is_some_and(|side| side.line_events().is_some());
        if !self.design.manifest.memory_port.cached || tells {
            return Ok(());
        }
        let (sms, name) = (self.spec.sms, &self.design.manifest.name);
        Err(RunError::usage(format!(
            "--sms {sms}: the cycle model of design '{name}', which holds the L1, does not tell what becomes of its lines \
             (`MemorySide::line_events`); on one SM it need not"
        )))
    }

    /// As [`Session::sim`], on many SMs, with the functional stream where there is one.
    pub(super) fn sim_many(
        &mut self,
        control: &mut dyn Control,
        totals: &mut Totals,
        mut stream: Option<&mut Stream>,
    ) -> Result<(), RunError> {
        let share = Share::new(&self.design.preset, self.spec.sms);
        let mut host = self.kernel()?.host_side()?;
        let mut models = Vec::new();
        for _ in 0..share.sms() {
            models.push(self.model()?);
        }
        let threads = Threads::new(self.spec.threads.min(models.len())).map_err(RunError::usage)?;
        let mut pacer = Pacer::new();
        let mut lower: Option<Lower> = None;
        while let Some(launch) = host.next_launch()? {
            let entry = self.kernel()?.entry(&launch.entry)?;
            let choice = self.ctas();
            let ctas = choice.count(launch.launch.num_ctas());
            self.residency(&entry, &launch.launch)?;
            let sm = self.sm(&entry, &launch.launch, host.take_memory(), choice)?;
            let mut gpu = Gpu::new(sm, share, choice, lower.take());
            if let Some(stream) = stream.as_deref_mut() {
                stream.launched(&entry.executable, &launch.launch);
            }
            let registers = entry.executable.program.num_regs;
            let mut designs = Vec::with_capacity(models.len());
            for mut model in models.drain(..) {
                let out = model.reset(&self.design.config).map_err(refused)?;
                self.check_line_events(model.as_mut())?;
                let looks = stream.as_ref().is_some_and(|stream| stream.looks());
                let writes = if looks { SmWrites::kept() } else { SmWrites::default() };
                let design = Design::new(model, out, registers, totals.counters.fresh());
                designs.push(design.with_writes(writes));
            }
            let mut context = self.context(&launch.entry, ctas, totals, &mut *control, &mut pacer);
            run_many(&mut context, &mut gpu, &mut designs, &threads)?;
            if gpu.ctas_done() != ctas {
                let what = format!("{} CTAs ended of the {ctas} that were to run", gpu.ctas_done());
                let place = Place { cycle: totals.cycles + gpu.cycle(), ..Place::default() };
                return Err(Mismatch::new(Check::Completeness, place, what).into());
            }
            if let Some(stream) = stream.as_deref_mut() {
                designs.iter().for_each(|design| stream.wrote(design.writes()));
            }
            models.extend(designs.into_iter().map(Design::into_model));
            totals.launched(&entry.executable, ctas, &gpu);
            let (memory, after) = gpu.into_parts();
            (host.memory, lower) = (memory, Some(after));
            self.others((&entry, &launch.launch), &mut host, choice, stream.as_deref_mut(), &*control)?;
        }
        host.write_outputs()?;
        self.judge_result(&mut host, totals, stream)
    }
}
