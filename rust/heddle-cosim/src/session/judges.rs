//! What judges the launches of a co-simulation: the host sides of three machines, and the checker of a launch.

use std::sync::Arc;

use heddle_functional::{GoldenError, Replay};
use heddle_isa::{DeviceMemory, KernelLaunch, Op, Program};
use heddle_sm::CtaChoice;
use heddle_workloads::Launch;

use super::Session;
use crate::check::Checker;
use crate::check::refusal::golden_fault;
use crate::control::Control;
use crate::error::RunError;
use crate::kernel::{Entry, HostSide};
use crate::mismatch::{Check, Mismatch, Place};
use crate::totals::Totals;

/// Warp instructions of a program as parsed that no SM executes in a cycle: above any issue width, with
/// room for what allocation removes.
const MOST_INSTRUCTIONS_A_CYCLE: u64 = 16;

/// The host sides of a co-simulation.
pub(super) struct Hosts {
    /// Of the machine under test.
    pub under_test: HostSide,
    golden: HostSide,
    parsed: HostSide,
}

impl Hosts {
    /// The next launch, for which the host code of all machines asks; `here` is where the run is.
    ///
    /// # Errors
    /// The host code fails, or it asks for different launches.
    pub fn next_launch(&mut self, here: &Place) -> Result<Option<Launch>, RunError> {
        let Self { under_test, golden, parsed } = self;
        let [launch, golden, parsed] = [under_test, golden, parsed].map(HostSide::next_launch);
        let (launch, golden, parsed) = (launch?, golden?, parsed?);
        if launch == golden && launch == parsed {
            return Ok(launch);
        }
        Err(Mismatch::new(Check::FinalMemory, here.clone(), "host code asks for other launches")
            .side("launch", format!("{golden:?}"), format!("{launch:?}"))
            .into())
    }
}

impl Session {
    /// The host sides, before the first launch.
    pub(super) fn hosts(&mut self) -> Result<Hosts, RunError> {
        let kernel = self.kernel()?;
        let under_test = kernel.host_side()?;
        Ok(Hosts { under_test, golden: kernel.host_side()?, parsed: kernel.host_side()? })
    }

    /// Runs the program as parsed, and makes the checker of a launch.
    pub(super) fn checker<'a>(
        &self,
        entry: &'a Entry,
        launch: &KernelLaunch,
        hosts: &mut Hosts,
        totals: &Totals,
        control: &dyn Control,
    ) -> Result<Checker<'a>, RunError> {
        let replay =
            self.replay_from.is_some_and(|from| from <= totals.launches) || depends_on_order(&entry.parsed);
        let before = replay.then(|| hosts.parsed.memory.clone());
        self.run_parsed(entry, launch, &mut hosts.parsed, self.ctas(), control)?;
        let golden = self
            .golden(Arc::clone(&entry.executable.program), launch, hosts.golden.take_memory())
            .map_err(|e| RunError::Kernel { message: e.to_string() })?
            .with_dead_sources(entry.executable.dead_sources.clone());
        let checks = golden.checks();
        let mut checker = Checker::new(golden, &entry.executable.program, totals.launches, totals.cycles);
        if self.design.manifest.spills_registers {
            checker.expect_spills();
        }
        if let Some(before) = before {
            let (ordered, origins) = (Arc::clone(&entry.ordered), Arc::clone(&entry.origins));
            let mut replay = Replay::new(ordered, launch, before, origins).map_err(|e| golden_fault(&e))?;
            if self.refused {
                replay = replay.with_checks(checks);
            }
            checker = checker.with_replay(replay);
        }
        Ok(checker)
    }

    /// Where a run is to name the last writer of a word, the checker of the launch that begins notes the writers.
    pub(super) fn note_writers(&mut self, checker: &mut Checker<'_>, entry: &Entry, hosts: &Hosts) {
        let mut writers = self.writers.take();
        if let Some(writers) = &mut writers {
            writers.begins(Arc::clone(&entry.executable.program), &hosts.under_test.memory);
        }
        checker.note_writers(writers);
    }

    /// A launch has ended as `outcome` says, on a machine under test that leaves `memory`: compares what is left.
    pub(super) fn judge(
        &mut self,
        outcome: Result<(), RunError>,
        mut checker: Checker<'_>,
        memory: DeviceMemory,
        hosts: &mut Hosts,
        totals: &mut Totals,
        begin: &Place,
    ) -> Result<(), RunError> {
        self.writers = checker.take_writers();
        let (golden, replay) = checker.into_machines();
        if let Some(writers) = &mut self.writers {
            writers.ended(golden.memory());
        }
        if let Err(error) = &outcome {
            // What the program as parsed did not do wrong, run freely, may not be the kernel's fault.
            if matches!(error, RunError::Kernel { .. }) && !replay.is_some_and(|replay| replay.judges()) {
                self.replay_from = Some(self.replay_from.map_or(begin.launch, |from| from.min(begin.launch)));
                self.refused = true;
            }
            return outcome;
        }
        hosts.under_test.memory = memory;
        totals.equal_shared_writes += golden.equal_shared_writes();
        hosts.golden.memory = golden.into_memory();
        let Hosts { under_test, golden, parsed } = hosts;
        self.compare_memories(golden, under_test, parsed, replay, totals, begin)
    }

    /// After the last launch of a co-simulation that agrees in all of them.
    pub(super) fn judge_end(&self, hosts: &mut Hosts, totals: &mut Totals) -> Result<(), RunError> {
        hosts.under_test.write_outputs()?;
        self.check_reference(&mut hosts.under_test, totals)?;
        totals.complete(self.to_compare())
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
        let golden = self
            .golden(Arc::clone(&entry.parsed), launch, host.take_memory())
            .map_err(|e| golden_fault(&e))?;
        let mut golden = golden.with_residency(self.residency(entry, launch)?);
        let cycles = self.spec.max_cycles;
        let a_cycle = MOST_INSTRUCTIONS_A_CYCLE.saturating_mul(self.spec.sms.into());
        let limit = cycles.map(|cycles| cycles.saturating_mul(a_cycle));
        let ctas = choice.ctas(launch.num_ctas());
        let run = golden.run_watched(ctas, limit, &mut || !control.interrupted(), &mut ());
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
}

/// Whether the program hands out places: an atomic whose result goes on is mostly an index, so what a kernel leaves
/// in memory then depends on the order of accesses. Any other kernel that does so is found by its memory, and run
/// again.
fn depends_on_order(program: &Program) -> bool {
    program.instrs.iter().any(|i| matches!(i.op, Op::Atom { .. }) && !i.dsts.is_empty())
}
