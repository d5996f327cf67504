//! All launches of a kernel in co-simulation: RTL, cycle model and golden machines.

use std::sync::Arc;

use heddle_functional::{GoldenError, Replay};
use heddle_isa::{KernelLaunch, Op, Program};
use heddle_port::RegisterFile;
use heddle_portbench::ContractMonitor;
use heddle_rtl::RtlRegisterFile;
use heddle_sm::CtaChoice;

use super::outcome::{end_lockstep, reset_failure};
use super::{Session, Work};
use crate::check::Checker;
use crate::check::controls::ControlCheck;
use crate::check::refusal::golden_fault;
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::kernel::{Entry, HostSide};
use crate::lockstep::{Machines, run_cosim};
use crate::mismatch::{Check, Mismatch, Place};
use crate::totals::Totals;
use crate::window::WaveWriter;

/// Warp instructions of a program as parsed that no SM executes in a cycle: above any issue width, with
/// room for what allocation removes.
const MOST_INSTRUCTIONS_A_CYCLE: u64 = 16;

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
        let mut model = ContractMonitor::new(self.model()?, self.design.manifest.needs_intervals)
            .with_sub_cores(self.design.preset.register_file.sub_cores as usize, self.design.widths());
        let instance = self.design.instance.clone();
        let mut controls = ControlCheck::new(&instance);
        let mut pacer = Pacer::new();
        let mut outcome = Ok(());
        let mut lower = None;
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
            let replay = self.replay_from.is_some_and(|from| from <= totals.launches)
                || depends_on_order(&entry.parsed);
            let before = replay.then(|| parsed_host.memory.clone());
            self.run_parsed(&entry, &launch.launch, &mut parsed_host, choice, &*control)?;
            let golden = self
                .golden(Arc::clone(&entry.executable.program), &launch.launch, golden_host.take_memory())
                .map_err(|e| RunError::Kernel { message: e.to_string() })?
                .with_dead_sources(entry.executable.dead_sources.clone());
            let mut checker = Checker::new(golden, &entry.executable.program, totals.launches, totals.cycles);
            if self.design.manifest.spills_registers {
                checker.expect_spills();
            }
            if let Some(before) = before {
                let (parsed, origins) = (Arc::clone(&entry.parsed), Arc::clone(&entry.origins));
                let replay = Replay::new(parsed, &launch.launch, before, origins);
                checker = checker.with_replay(replay.map_err(|e| golden_fault(&e))?);
            }
            let sm = self.sm(&entry, &launch.launch, under_test.take_memory(), choice)?;
            let mut sm = sm.with_lower(lower.take());
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
            let (golden, replay) = checker.into_machines();
            if let Err(error) = &outcome {
                // What the program as parsed did not do wrong may be the compiler's fault.
                if matches!(error, RunError::Kernel { .. }) && replay.is_none() {
                    self.replay_from = Some(here.launch);
                }
                break;
            }
            let (memory, after) = sm.into_parts();
            (under_test.memory, lower) = (memory, after);
            totals.equal_shared_writes += golden.equal_shared_writes();
            golden_host.memory = golden.into_memory();
            outcome =
                self.compare_memories(&golden_host, &under_test, &mut parsed_host, replay, totals, &here);
        }
        totals.controls = controls.compared;
        end_lockstep(outcome, rtl, totals, waves)?;
        under_test.write_outputs()?;
        self.check_reference(&mut under_test, totals)?;
        totals.complete(true)
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
        let limit = cycles.map(|cycles| cycles.saturating_mul(MOST_INSTRUCTIONS_A_CYCLE));
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
