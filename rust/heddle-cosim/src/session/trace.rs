//! A session's run of a trace, with the cycle model alone or in co-simulation.

use std::sync::Arc;

use heddle_config::Replacement;
use heddle_port::RegisterFile;
use heddle_rtl::RtlRegisterFile;

use super::Session;
use super::outcome::{end_lockstep, reset_failure};
use crate::check::controls::ControlCheck;
use crate::check::trace::TraceChecker;
use crate::control::{Control, Pacer};
use crate::design::refused;
use crate::error::RunError;
use crate::lockstep::{Machines, Rtl, Shadowing, run_cosim, run_sim};
use crate::mismatch::Place;
use crate::totals::Totals;
use crate::trace::PreparedTrace;
use crate::trace::golden::TraceGolden;
use crate::window::WaveWriter;

impl Session {
    /// All kernels of a trace with the cycle model in the loop.
    pub(super) fn sim_trace(
        &self,
        trace: &PreparedTrace,
        control: &mut dyn Control,
        totals: &mut Totals,
    ) -> Result<(), RunError> {
        let mut model = self.model()?;
        let mut pacer = Pacer::new();
        let mut run = trace.run();
        let mut lower = None;
        while let Some(launch) = run.next_launch(&mut *control)? {
            let choice = self.ctas();
            let ctas = choice.count(launch.kernel.header.ctas());
            let mut sm = launch.sm(&self.design, choice)?.with_lower(lower);
            let mut replay = launch.replay()?;
            let out = model.reset(&self.design.config).map_err(refused)?;
            let mut context =
                self.context(&launch.kernel.header.kernel, ctas, totals, &mut *control, &mut pacer);
            let registers = launch.executable.program.num_regs;
            run_sim(&mut context, &mut sm, model.as_mut(), out, registers, &mut (), Some(&mut replay))?;
            totals.launched(&launch.executable, ctas, &sm);
            lower = sm.into_parts().1;
        }
        Ok(())
    }

    /// All kernels of a trace on one instance of the RTL.
    pub(super) fn lockstep_trace(
        &self,
        trace: &PreparedTrace,
        rtl: &mut RtlRegisterFile,
        control: &mut dyn Control,
        totals: &mut Totals,
        waves: &mut Option<WaveWriter>,
    ) -> Result<(), RunError> {
        let fair = self.design.preset.register_file.replacement == Replacement::Fair;
        if self.design.manifest.spills_registers && fair {
            return Err(RunError::usage(format!(
                "a trace has no values, and '{}' spills registers to memory, which would have to bring them back; `sim` runs it",
                self.design.manifest.called()
            )));
        }
        let mut model = self.shadow()?;
        let mut controls = ControlCheck::new(&self.design.instance);
        let mut pacer = Pacer::new();
        let mut run = trace.run();
        let mut outcome = Ok(());
        let mut lower = None;
        while outcome.is_ok() {
            let Some(launch) = run.next_launch(&mut *control)? else { break };
            let choice = self.ctas();
            let ctas = choice.count(launch.kernel.header.ctas());
            let (program, number) = (&launch.executable.program, totals.launches);
            let here = Place { launch: number, cycle: totals.cycles, ..Place::default() };
            let dead = launch.executable.dead_sources.clone();
            let golden = TraceGolden::new(Arc::clone(program), dead);
            let mut checker = TraceChecker::new(golden, program, number, totals.cycles);
            let mut sm = launch.sm(&self.design, choice)?.with_lower(lower);
            let mut replay = launch.replay()?;
            waves.as_mut().map_or(Ok(()), |waves| waves.close(rtl))?;
            let rtl_out = rtl.reset(&self.design.config).map_err(|e| reset_failure(&e, here))?;
            if let Some(waves) = waves.as_mut() {
                waves.launch_begins(number);
            }
            let model_out = model.reset(&self.design.config).map_err(refused)?;
            let lines = self.line_lifetimes(&sm);
            let mut machines = Machines {
                rtl: Rtl { design: &mut *rtl, out: rtl_out, waves: waves.as_mut() },
                shadow: Shadowing { model: &mut model, out: model_out, controls: &mut controls, lines },
            };
            let mut context =
                self.context(&launch.kernel.header.kernel, ctas, totals, &mut *control, &mut pacer);
            let queue = self.spec.check_queue;
            outcome = run_cosim(&mut context, &mut sm, &mut machines, &mut checker, Some(&mut replay), queue);
            totals.lines_left(machines.shadow.lifetimes());
            totals.compared(checker.compared);
            totals.launched(&launch.executable, ctas, &sm);
            lower = sm.into_parts().1;
        }
        totals.outputs_compared(&controls);
        end_lockstep(outcome, rtl, totals, waves)?;
        totals.complete(self.to_compare())
    }
}
