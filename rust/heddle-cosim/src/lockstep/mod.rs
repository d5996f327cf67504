//! One launch, cycle by cycle: the SM, the design behind its port, and what watches them.

mod context;
mod failure;
mod many;

use std::sync::Arc;

use heddle_isa::{KernelLaunch, Program};
use heddle_port::{
    Cycle, LaneData, NUM_SOURCES, OperandData, RegIn, RegOut, RegisterData, RegisterFile, Tag,
};
use heddle_rtl::RtlRegisterFile;
use heddle_sm::{ArchitecturalRegisters, Observer, OperandSource, Sm, SmError};
use heddle_trace::Replay;

pub use self::context::LaunchContext;
use self::failure::{assertion_name, hang, is_output, lockstep_failure, sim_failure, warps_of};
pub use self::many::{Design, run_many};
use crate::check::controls::ControlCheck;
use crate::check::spills::LowerOffer;
use crate::check::{HISTORY, RunChecker};
use crate::error::RunError;
use crate::memory_port::{collect, drive, flush, follow_lines};
use crate::mismatch::{Check, Mismatch, Place};
use crate::rest::{Outputs, come_to_rest};
use crate::trace::supply;
use crate::window::{Issued, WaveWriter};

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
            .map_err(|e| Mismatch::new(Check::Control, context.place(sm.cycle().0), e.to_string()))?;
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
            .map_err(|e| Mismatch::new(Check::Control, at(cycle), e.to_string()))?;
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
    pub model: &'a mut dyn RegisterFile,
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
        if let Some(waves) = machines.waves.as_deref_mut() {
            waves.at_cycle(context.base_cycle + cycle, machines.rtl)?;
        }
        if let Some(record) = supply(sm, replay.as_deref_mut())? {
            checker.recorded(record);
        }
        context.counters.add(&machines.rtl_out.events);
        let data = FromRtl(machines.rtl.operand_data());
        if let Err(error) = sm.tick(&machines.rtl_out, &data, &mut input, checker) {
            return Err(match (&error, checker.take_failure()) {
                (_, Some(failure)) => failure,
                (SmError::Hang { .. } | SmError::Stuck { .. }, None) => hang(context, &error),
                (SmError::Unsupported { .. }, None) => RunError::Kernel { message: error.to_string() },
                (SmError::Access { .. } | SmError::Execution { .. }, None) => {
                    lockstep_failure(context, Check::Memory, cycle, &error, checker)
                }
                (_, None) => lockstep_failure(context, Check::Control, cycle, &error, checker),
            });
        }
        machines.note_issue(&input, checker);
        drive(sm, machines.rtl);
        drive(sm, machines.model);
        let lower = if checker.expects_spills() { lower_offer(sm, machines.rtl) } else { None };
        machines.step(context, &input, checker, cycle)?;
        if let Some(offer) = lower {
            checker.lower(Cycle(cycle), &offer)?;
        }
        collect(sm, machines.rtl);
        follow_lines(sm, machines.model);
        context.pace(sm)?;
    }
    checker.finished(sm.statistics().ctas, context.ctas, sm.cycle())?;
    let idle = RegIn::default();
    let end = sm.cycle().0;
    let begin = context.place(end);
    let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
    let flushed = flush(sm, at, |sm, cycle| {
        if let Some(waves) = machines.waves.as_deref_mut() {
            waves.at_cycle(begin.cycle + cycle, machines.rtl)?;
        }
        drive(sm, machines.rtl);
        drive(sm, machines.model);
        machines.step(context, &idle, checker, end + cycle)?;
        context.counters.add_flush(&machines.rtl_out.events);
        collect(sm, machines.rtl);
        context.pace_flush(sm, cycle + 1)
    })?;
    let end = end + flushed;
    come_to_rest(
        machines.rtl.widths(),
        |cycle| at(flushed + cycle),
        |cycle| {
            machines.step(context, &idle, checker, end + cycle)?;
            context.report(sm, context.base_cycle + end + cycle)?;
            let memory = machines.rtl.memory_side().map(|side| *side.memory_out());
            Ok(Outputs { registers: machines.rtl_out, memory })
        },
    )
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
            let mut mismatch = Mismatch::new(Check::Control, context.place(cycle), error.to_string());
            mismatch.history = checker.history().recent(HISTORY);
            return Err(mismatch.into());
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
        let (Some(model), Some(rtl)) = (self.model.memory_side(), self.rtl.memory_side()) else {
            return Ok(());
        };
        self.controls.compare_memory(model.memory_out(), rtl.memory_out()).map_err(|difference| {
            let mut mismatch = difference.into_mismatch(context.place(cycle));
            mismatch.history = checker.history().memory().recent(HISTORY);
            mismatch.into()
        })
    }
}
