//! Sampled runs of the cycle model.

use super::Session;
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::lockstep::run_sampled;
use crate::part::Per;
use crate::sampling::{SampledReport, Sampling, Schedule};
use crate::spec::Engine;
use crate::totals::Totals;

impl Session {
    /// A run of the cycle model in windows of `plan`, with functional stretches between them. Memory and results are those of
    /// all instructions and checked as ever; cycles are estimated.
    ///
    /// # Errors
    /// As [`Session::run`]; [`RunError::Usage`] for what has no stretches.
    pub fn sample(&mut self, control: &mut dyn Control, plan: Sampling) -> Result<SampledReport, RunError> {
        self.check_sampling()?;
        self.kernel()?.warn(control)?;
        self.profile_mappings(control)?;
        let mut totals = Totals::new(&self.design.manifest.events, &self.design.instance.events);
        let mut launches = Vec::new();
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
            let mut schedule = Schedule::new(plan, self.spec.seed, totals.launches);
            let mut context = self.context(&launch.entry, ctas, &mut totals, &mut *control, &mut pacer);
            let registers = entry.executable.program.num_regs;
            let mut seen = run_sampled(&mut context, &mut sm, model.as_mut(), out, registers, &mut schedule)?;
            seen.entry.clone_from(&entry.executable.program.name);
            launches.push(seen);
            totals.launched(&entry.executable, ctas, &sm);
            let (memory, after) = sm.into_parts();
            (host.memory, lower) = (memory, after);
            self.others((&entry, &launch.launch), &mut host, choice, None, &*control)?;
        }
        host.write_outputs()?;
        self.judge_result(&mut host, &mut totals, None)?;
        let report = totals.report(&self.spec, &self.design, None, Vec::new())?;
        Ok(SampledReport::new(report, plan, &launches))
    }

    /// Whether the run can go on without time.
    fn check_sampling(&self) -> Result<(), RunError> {
        let refuse = |why: String| Err(RunError::usage(format!("--sample {why}")));
        if self.spec.engine == Engine::Cosim {
            return refuse("leaves cycles out, which `cosim` compares: use `heddle sim`".to_owned());
        }
        self.expect_one_sm_and_a_kernel("--sample")?;
        if self.spec.per != Per::Run {
            return refuse("gives a row of the run, not of its launches or entries (--per)".to_owned());
        }
        if self.design.preset.shared_memory.known_lifetimes {
            return refuse("has no known lifetimes (shared_memory.known_lifetimes = true)".to_owned());
        }
        if self.model()?.follows_every_instruction() {
            return refuse(format!(
                "skips instructions, and design '{}' knows of its registers only what follows from every one",
                self.spec.design
            ));
        }
        Ok(())
    }
}
