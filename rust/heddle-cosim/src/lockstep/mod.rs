//! One launch, cycle by cycle: the SM, the design behind its port, and what watches them.

mod context;
mod failure;
mod gpu;
mod many;

use std::sync::Arc;

use heddle_isa::{KernelLaunch, Program};
use heddle_port::{
    Cycle, LaneData, NUM_SOURCES, OperandData, RegIn, RegOut, RegisterData, RegisterFile, Tag,
};
use heddle_portbench::ContractMonitor;
use heddle_rtl::RtlRegisterFile;
use heddle_sm::{ArchitecturalRegisters, Observer, OperandSource, Sm};
use heddle_trace::Replay;

pub use self::context::LaunchContext;
use self::failure::{
    assertion_name, check_of, is_output, model_failure, sim_failure, tick_failure, warps_of, where_it_stands,
};
pub use self::gpu::{Side, cosim_many};
pub use self::many::{Design, run_many};
use crate::check::controls::ControlCheck;
use crate::check::spills::LowerOffer;
use crate::check::{HISTORY, RunChecker};
use crate::error::RunError;
use crate::machine::Machine;
use crate::memory_port::{collect, drive, flush, follow_lines};
use crate::mismatch::{Check, Mismatch, Place};
use crate::rest::{Outputs, come_to_rest};
use crate::trace::supply;
use crate::window::{Issued, WaveWriter};

/// A cycle model of the design that also watches that the SM keeps the port's contract.
pub type Shadow = ContractMonitor<Box<dyn RegisterFile + Send>>;

/// The operand data that came out of the RTL.
struct FromRtl<'a>(&'a OperandData);

impl OperandSource for FromRtl<'_> {
    #[inline]
    fn operand(&self, slot: usize) -> &[LaneData; NUM_SOURCES] {
        &self.0[slot]
    }
}

/// Watches a run of the cycle model, launch by launch.
pub trait LaunchObserver: Observer {
    /// A launch of `program` begins.
    fn launched(&mut self, program: &Arc<Program>, launch: &KernelLaunch) {
        let _ = (program, launch);
    }
}

impl LaunchObserver for () {}

/// Runs a launch with the cycle model in the loop; of a trace, `replay` has the records of the CTAs.
///
/// # Errors
/// The launch does not end, or the SM or model fails.
pub fn run_sim<O: Observer>(
    context: &mut LaunchContext<'_>,
    sm: &mut Sm,
    model: &mut dyn RegisterFile,
    mut out: RegOut,
    registers_per_thread: u32,
    observer: &mut O,
    mut replay: Option<&mut Replay>,
) -> Result<(), RunError> {
    let mut registers = ArchitecturalRegisters::new(registers_per_thread);
    let mut input = RegIn::default();
    while !sm.is_done() {
        if replay.is_some() {
            supply(sm, replay.as_deref_mut())?;
        }
        context.counters.add(&out.events);
        sm.tick(&out, &registers, &mut input, observer).map_err(|e| sim_failure(context, &e))?;
        drive(sm, model);
        model
            .step(&input, &mut out)
            .map_err(|e| Mismatch::new(check_of(&e), context.place(sm.cycle().0), e.to_string()))?;
        collect(sm, model);
        follow_lines(sm, model);
        registers.step(&input, &out);
        context.pace(sm)?;
    }
    let begin = context.place(sm.cycle().0);
    let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
    flush(sm, at, |sm, cycle| {
        drive(sm, model);
        model
            .step(&RegIn::default(), &mut out)
            .map_err(|e| Mismatch::new(check_of(&e), at(cycle), e.to_string()))?;
        context.counters.add_flush(&out.events);
        collect(sm, model);
        context.pace_flush(sm, cycle + 1)
    })?;
    Ok(())
}

/// Both machines of a co-simulation.
pub struct Machines<'a, 'm> {
    /// The RTL, which drives the SM.
    pub rtl: &'a mut RtlRegisterFile,
    /// Its outputs of the current cycle.
    pub rtl_out: RegOut,
    /// The cycle model, the shadow.
    pub model: &'a mut Shadow,
    /// Its outputs of the current cycle.
    pub model_out: RegOut,
    /// Compares them.
    pub controls: &'a mut ControlCheck<'m>,
    /// The waveform window, where asked for.
    pub waves: Option<&'a mut WaveWriter>,
}

/// Runs a launch with the RTL in the loop and everything checked; of a trace, `replay` has the records of
/// the CTAs.
///
/// # Errors
/// A mismatch, or a launch that does not end.
pub fn run_cosim(
    context: &mut LaunchContext<'_>,
    sm: &mut Sm,
    machines: &mut Machines<'_, '_>,
    checker: &mut impl RunChecker,
    mut replay: Option<&mut Replay>,
) -> Result<(), RunError> {
    let mut input = RegIn::default();
    machines.compare(context, checker, 0)?;
    while !sm.is_done() {
        let cycle = sm.cycle().0;
        machines.show(context, cycle)?;
        if let Some(record) = supply(sm, replay.as_deref_mut())? {
            checker.recorded(record);
        }
        context.counters.add(&machines.rtl_out.events);
        let data = FromRtl(machines.rtl.operand_data());
        if let Err(error) = sm.tick(&machines.rtl_out, &data, &mut input, checker) {
            return Err(tick_failure(context, checker, cycle, &error));
        }
        machines.edge(context, sm, &input, checker, cycle)?;
        context.pace(sm)?;
    }
    checker.finished(sm.statistics().ctas, context.ctas, sm.cycle())?;
    let end = sm.cycle().0;
    let begin = context.place(end);
    let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
    let flushed = flush(sm, at, |sm, cycle| {
        machines.flush_edge(context, sm, checker, end + cycle)?;
        context.counters.add_flush(&machines.rtl_out.events);
        context.pace_flush(sm, cycle + 1)
    })?;
    let end = end + flushed;
    machines.rest(context, sm, checker, end)
}

/// What the RTL's memory port offers to L2 in this cycle, once the SM and L2 have driven their side.
#[inline]
fn lower_offer(sm: &Sm, rtl: &mut RtlRegisterFile) -> Option<LowerOffer> {
    let taken = sm.to_design_memory()?.lower_ready;
    let side = rtl.memory_side()?;
    Some(LowerOffer {
        request: side.memory_out().lower_request,
        taken,
        data: side.memory_data()?.lower_request,
    })
}

impl Machines<'_, '_> {
    /// Opens or closes the waveform in a cycle of the launch.
    #[inline]
    fn show(&mut self, context: &LaunchContext<'_>, cycle: u64) -> Result<(), RunError> {
        match self.waves.as_deref_mut() {
            Some(waves) => waves.at_cycle(context.base_cycle + cycle, self.rtl),
            None => Ok(()),
        }
    }

    /// The clock edge of a cycle of the launch, with what the SM drives in it.
    #[inline]
    fn edge(
        &mut self,
        context: &LaunchContext<'_>,
        sm: &mut Sm,
        input: &RegIn,
        checker: &mut impl RunChecker,
        cycle: u64,
    ) -> Result<(), RunError> {
        self.note_issue(input, checker);
        drive(sm, self.rtl);
        drive(sm, self.model);
        let lower = if checker.expects_spills() { lower_offer(sm, self.rtl) } else { None };
        self.step(context, input, checker, cycle).map_err(|error| where_it_stands(error, sm))?;
        if let Some(offer) = lower {
            checker.lower(Cycle(cycle), &offer)?;
        }
        collect(sm, self.rtl);
        follow_lines(sm, self.model);
        Ok(())
    }

    /// A clock edge of the flush after the launch; `cycle` goes on from the launch's.
    fn flush_edge(
        &mut self,
        context: &mut LaunchContext<'_>,
        sm: &mut Sm,
        checker: &impl RunChecker,
        cycle: u64,
    ) -> Result<(), RunError> {
        self.show(context, cycle)?;
        drive(sm, self.rtl);
        drive(sm, self.model);
        self.step(context, &RegIn::default(), checker, cycle)?;
        collect(sm, self.rtl);
        Ok(())
    }

    /// After launch and flush, which ended in cycle `end`: the design comes to rest, in lock-step.
    fn rest(
        &mut self,
        context: &mut LaunchContext<'_>,
        machine: &impl Machine,
        checker: &impl RunChecker,
        end: u64,
    ) -> Result<(), RunError> {
        let begin = context.place(end);
        let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
        come_to_rest(self.rtl.widths(), at, |cycle| {
            self.step(context, &RegIn::default(), checker, end + cycle)?;
            context.report(machine, context.base_cycle + end + cycle)?;
            let memory = self.rtl.memory_side().map(|side| *side.memory_out());
            Ok(Outputs { registers: self.rtl_out, memory })
        })
    }

    /// Tells the waveform which instructions the design accepts in this cycle.
    #[inline]
    fn note_issue(&mut self, input: &RegIn, checker: &impl RunChecker) {
        let Some(waves) = self.waves.as_deref_mut() else { return };
        waves.note_issue(&*self.rtl, self.rtl.widths().issue, |slot| {
            let accepted = input.issue[slot].valid && self.rtl_out.issue_ready[slot];
            let instruction = || checker.instruction(Tag(input.issue[slot].tag));
            accepted.then(instruction).flatten().map(|words| Issued { warp: input.issue[slot].warp, words })
        });
    }

    /// One clock edge of both machines, and the comparison of what comes out.
    #[inline]
    fn step(
        &mut self,
        context: &LaunchContext<'_>,
        input: &RegIn,
        checker: &impl RunChecker,
        cycle: u64,
    ) -> Result<(), RunError> {
        if let Err(error) = self.rtl.step(input, &mut self.rtl_out) {
            if let Some(waves) = self.waves.as_deref().filter(|w| w.is_open() && is_output(&error)) {
                return Err(waves.failed(&error));
            }
            let mut mismatch = Mismatch::new(
                Check::Assertion,
                context.place(cycle),
                format!("the RTL stops: {}", error.to_string().trim()),
            );
            mismatch.place.signal = assertion_name(&error.to_string());
            let warps = warps_of(input);
            mismatch.place.warp = warps.first().copied();
            mismatch.history = match warps[..] {
                [] => checker.history().recent(HISTORY),
                _ => checker.history().of_warps(&warps, HISTORY),
            };
            return Err(mismatch.into());
        }
        if let Err(error) = self.model.step(input, &mut self.model_out) {
            let place = context.place(cycle);
            return Err(model_failure(place, &error, self.model.offender(), cycle, checker).into());
        }
        self.compare(context, checker, cycle + 1)
    }

    #[inline]
    fn compare(
        &mut self,
        context: &LaunchContext<'_>,
        checker: &impl RunChecker,
        cycle: u64,
    ) -> Result<(), RunError> {
        let registers = self.controls.compare(&self.model_out, &self.rtl_out);
        registers.map_err(|difference| {
            let mut mismatch = difference.into_mismatch(context.place(cycle));
            mismatch.history = checker.history().recent(HISTORY);
            RunError::from(mismatch)
        })?;
        let (model, rtl) = (self.model.memory_side(), self.rtl.memory_side());
        let (model, rtl) = (model.map(|side| side.memory_out()), rtl.map(|side| side.memory_out()));
        self.controls.compare_memory_ports(model, rtl).map_err(|difference| {
            let mut mismatch = difference.into_mismatch(context.place(cycle));
            mismatch.history = checker.history().memory().recent(HISTORY);
            mismatch.into()
        })
    }
}
