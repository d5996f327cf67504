//! One launch, cycle by cycle: the SM, the design behind its port, and what watches them.

use std::sync::Arc;

use heddle_isa::{KernelLaunch, Program};
use heddle_port::{
    Cycle, LaneData, NUM_SOURCES, OperandData, RegIn, RegOut, RegisterData, RegisterFile, Tag,
};
use heddle_rtl::RtlRegisterFile;
use heddle_sm::{ArchitecturalRegisters, Observer, OperandSource, Sm, SmError, Wait};
use heddle_trace::Replay;

use crate::check::controls::ControlCheck;
use crate::check::spills::LowerOffer;
use crate::check::{HISTORY, RunChecker};
use crate::control::{Control, Pacer, Progress};
use crate::counters::Counters;
use crate::error::RunError;
use crate::memory_port::{collect, drive, flush, follow_lines};
use crate::mismatch::{Check, Mismatch, Place};
use crate::rest::{Outputs, come_to_rest};
use crate::trace::supply;
use crate::window::WaveWriter;

/// What a launch is run with, whatever the engine.
pub struct LaunchContext<'a> {
    /// Launch number.
    pub launch: u32,
    /// Cycle of the run at which it begins.
    pub base_cycle: u64,
    /// CTAs that the SM runs.
    pub ctas: u64,
    /// Kernel name for messages.
    pub kernel: &'a str,
    /// Cycle of the run at which it must have ended.
    pub max_cycles: Option<u64>,
    /// Event sums.
    pub counters: &'a mut Counters,
    /// Progress and interruption.
    pub control: &'a mut dyn Control,
    pub(crate) pacer: &'a mut Pacer,
}

/// The operand data that came out of the RTL.
struct FromRtl<'a>(&'a OperandData);

impl OperandSource for FromRtl<'_> {
    #[inline]
    fn operand(&self, slot: usize) -> &[LaneData; NUM_SOURCES] {
        &self.0[slot]
    }
}

impl LaunchContext<'_> {
    fn place(&self, cycle: u64) -> Place {
        Place { launch: self.launch, cycle: self.base_cycle + cycle, ..Place::default() }
    }

    /// Ends the run when it has had its cycles or the user says so.
    #[inline]
    fn pace(&mut self, sm: &Sm) -> Result<(), RunError> {
        let cycles = self.base_cycle + sm.cycle().0;
        if self.pacer.due(cycles) || self.max_cycles.is_some_and(|limit| cycles >= limit) {
            return self.pace_closely(sm, cycles);
        }
        Ok(())
    }

    #[cold]
    fn pace_closely(&mut self, sm: &Sm, cycles: u64) -> Result<(), RunError> {
        if let Some(limit) = self.max_cycles.filter(|limit| cycles >= *limit) {
            let waits: Vec<String> = sm.waits().iter().map(|w| format!("  {w}")).collect();
            return Err(self.out_of_cycles(limit, waits.join("\n")));
        }
        self.report(sm, cycles)
    }

    /// As [`Self::pace`], in cycle `flushed` of the flush after the launch.
    fn pace_flush(&mut self, sm: &Sm, flushed: u64) -> Result<(), RunError> {
        let cycles = self.base_cycle + sm.cycle().0 + flushed;
        if let Some(limit) = self.max_cycles.filter(|limit| cycles >= *limit) {
            let ended = cycles - flushed;
            let waits =
                format!("  all CTAs ended in cycle {ended}; the design still writes its dirty lines back");
            return Err(self.out_of_cycles(limit, waits));
        }
        self.report(sm, cycles)
    }

    fn out_of_cycles(&self, limit: u64, waits: String) -> RunError {
        RunError::OutOfCycles { kernel: self.kernel.to_owned(), limit, waits }
    }

    /// Shows progress when it is time, and ends the run when the user says so.
    #[inline]
    fn report(&mut self, sm: &Sm, cycles: u64) -> Result<(), RunError> {
        if self.pacer.due(cycles) {
            let progress = Progress {
                launch: self.launch,
                cycles,
                ctas_done: sm.statistics().ctas,
                ctas_total: self.ctas,
                cycles_per_second: 0.0,
            };
            if !self.pacer.report(self.control, progress) {
                return Err(RunError::Interrupted { cycles });
            }
        }
        Ok(())
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

/// Without a golden machine beside it a hang is the kernel's when all warps wait at barriers. In a
/// co-simulation the golden machine has run the kernel to its end before.
fn sim_failure(context: &LaunchContext<'_>, error: &SmError) -> RunError {
    match error {
        SmError::Access { .. } | SmError::Execution { .. } => RunError::Kernel { message: error.to_string() },
        SmError::Hang { waits, .. }
            if !waits.is_empty() && waits.iter().all(|w| matches!(w.wait, Wait::Barrier(_))) =>
        {
            RunError::Kernel { message: format!("a barrier that is never met: {error}") }
        }
        SmError::Hang { .. } | SmError::Stuck { .. } => hang(context, error),
        SmError::Protocol { cycle, .. } | SmError::Memory { cycle, .. } | SmError::Stopped { cycle } => {
            Mismatch::new(Check::Control, context.place(*cycle), error.to_string()).into()
        }
        _ => RunError::Kernel { message: error.to_string() },
    }
}

/// A hang of the machine under test.
fn hang(context: &LaunchContext<'_>, error: &SmError) -> RunError {
    let (cycle, waits, what) = match error {
        SmError::Hang { cycle, idle, waits } => {
            (cycle, waits, format!("nothing has moved for {idle} cycles"))
        }
        SmError::Stuck { cycle, since, waits } => {
            let since = context.base_cycle + since;
            (cycle, waits, format!("stuck: nothing has changed since cycle {since}, and nothing ever will"))
        }
        _ => return RunError::Kernel { message: error.to_string() },
    };
    let mut place = context.place(*cycle);
    if let Some(first) = waits.first() {
        place.warp = Some(first.slot.0);
        place.cta = Some(first.cta);
        place.pc = first.pc.map(|p| p.0);
        place.source = first.pc.map(|_| first.location.clone());
        place.source_text = first.pc.map(|_| first.source.clone());
    }
    let mut mismatch = Mismatch::new(Check::Hang, place, what);
    mismatch.notes = waits.iter().map(ToString::to_string).collect();
    mismatch.into()
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

fn lockstep_failure(
    context: &LaunchContext<'_>,
    check: Check,
    cycle: u64,
    error: &SmError,
    checker: &impl RunChecker,
) -> RunError {
    let mut mismatch = Mismatch::new(check, context.place(cycle), error.to_string());
    mismatch.history = checker.history().recent(HISTORY);
    mismatch.into()
}

impl Machines<'_, '_> {
    /// Tells the waveform which instructions the design accepts in this cycle.
    #[inline]
    fn note_issue(&mut self, input: &RegIn, checker: &impl RunChecker) {
        let Some(waves) = self.waves.as_deref_mut() else { return };
        waves.note_issue(&*self.rtl, self.rtl.widths().issue, |slot| {
            let accepted = input.issue[slot].valid && self.rtl_out.issue_ready[slot];
            accepted.then(|| checker.instruction(Tag(input.issue[slot].tag))).flatten()
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
        let both = registers.and_then(|()| match (self.model.memory_side(), self.rtl.memory_side()) {
            (Some(model), Some(rtl)) => self.controls.compare_memory(model.memory_out(), rtl.memory_out()),
            _ => Ok(()),
        });
        both.map_err(|difference| {
            let mut mismatch = difference.into_mismatch(context.place(cycle));
            mismatch.history = checker.history().recent(HISTORY);
            mismatch.into()
        })
    }
}

/// The warps that the SM drives into the design in a cycle: issued instructions, then results, then the command.
fn warps_of(input: &RegIn) -> Vec<u8> {
    let issued = input.issue.iter().filter(|issue| issue.valid).map(|issue| issue.warp);
    let results = input.result.iter().filter(|result| result.valid).map(|result| result.warp);
    let command = input.command.valid.then_some(input.command.warp);
    let mut warps = Vec::new();
    for warp in issued.chain(results).chain(command) {
        if !warps.contains(&warp) {
            warps.push(warp);
        }
    }
    warps
}

/// Whether a failed step is about the waveform file and not about the design.
fn is_output(error: &heddle_port::DesignError) -> bool {
    error.to_string().contains("trace file")
}

/// The hierarchical name in an assertion's message, `[time] %Error: file:line: Assertion failed in NAME: ...`.
fn assertion_name(message: &str) -> Option<String> {
    let rest = message.split("ssertion failed in ").nth(1)?;
    let name = rest.split([':', ' ', '\n']).next()?;
    (!name.is_empty()).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_assertion_is_named() {
        let text = "[5] %Error: a.sv:7: Assertion failed in TOP.x.grant_is_onehot: grant 0011";
        assert_eq!(assertion_name(text), Some("TOP.x.grant_is_onehot".to_owned()));
        assert_eq!(assertion_name("%Error: something else"), None);
    }
}
