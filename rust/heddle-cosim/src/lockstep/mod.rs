//! One launch, cycle by cycle: the SM, the design behind its port, and what watches them.

mod beside;
mod checking;
mod context;
mod cycles;
mod edge;
mod failure;
mod gpu;
mod many;
mod rtl;
mod sampled;
mod shown;
mod simulated;

use heddle_isa::{Executable, KernelLaunch};
use heddle_port::{RegOut, RegisterFile};
use heddle_portbench::ContractMonitor;
use heddle_sm::{Observer, Sm};
use heddle_trace::Replay;

use self::beside::beside;
pub use self::checking::Shadowing;
use self::checking::{Begin, Checking};
pub use self::context::LaunchContext;
pub use self::gpu::{Side, cosim_many};
pub use self::many::{Design, run_many};
pub use self::rtl::Rtl;
use self::rtl::run_rtl;
pub use self::sampled::run_sampled;
use self::simulated::Simulated;
use crate::check::RunChecker;
use crate::error::RunError;
use crate::machine::Machine;
use crate::memory_port::flush;
use crate::mismatch::Place;
use crate::rest::{Outputs, come_to_rest};
use crate::spec::CheckQueue;
use crate::stream::Stream;
use crate::trace::supply;

/// A cycle model of the design that also watches that the SM keeps the port's contract.
pub type Shadow = ContractMonitor<Box<dyn RegisterFile + Send>>;

/// Watches a run of the cycle model, launch by launch.
pub trait LaunchObserver: Observer {
    /// A launch of `executable` begins.
    fn launched(&mut self, executable: &Executable, launch: &KernelLaunch) {
        let _ = (executable, launch);
    }

    /// The functional stream that it records or replays, if it does.
    fn stream(&mut self) -> Option<&mut Stream> {
        None
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
    out: RegOut,
    registers_per_thread: u32,
    observer: &mut O,
    mut replay: Option<&mut Replay>,
) -> Result<(), RunError> {
    let mut machine = Simulated::new(sm, model, out, registers_per_thread);
    while !machine.sm.is_done() {
        if replay.is_some() {
            supply(machine.sm, replay.as_deref_mut())?;
        }
        machine.tick(context, observer)?;
    }
    machine.flush(context)
}

/// Both machines of a co-simulation.
pub struct Machines<'a, 'm> {
    /// The RTL, which drives the SM.
    pub rtl: Rtl<'a>,
    /// Its shadow.
    pub shadow: Shadowing<'a, 'm>,
}

/// Runs a launch with the RTL in the loop and everything checked, behind `queue` or, without one, at once;
/// of a trace, `replay` has the records of the CTAs.
///
/// # Errors
/// A mismatch, or a launch that does not end.
///
/// # Panics
/// As either side does.
pub fn run_cosim(
    context: &mut LaunchContext<'_>,
    sm: &mut Sm,
    machines: &mut Machines<'_, '_>,
    checker: &mut (impl RunChecker + Send),
    replay: Option<&mut Replay>,
    queue: Option<CheckQueue>,
) -> Result<(), RunError> {
    let Machines { rtl, shadow } = machines;
    let spills = checker.expects_spills();
    let mut checking = Checking { begin: Begin::new(context), checker, shadow };
    let memory_out = rtl.memory_out();
    checking.reset(&rtl.out, memory_out.as_ref())?;
    let run = match queue.filter(|_| rtl.waves.is_none()) {
        Some(queue) => {
            beside(&mut checking, queue, spills, |recorder| run_rtl(context, sm, rtl, recorder, replay))?
        }
        None => run_rtl(context, sm, rtl, &mut checking, replay),
    };
    run.map_err(|halt| checking.explain(context, halt))?;
    checking.checker.finished(sm.ctas_done(), context.ctas, sm.cycle())?;
    let end = sm.cycle().0;
    let begin = context.place(end);
    let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
    let flushed = flush(sm, at, |sm, cycle| {
        let edge = rtl.flush_edge(context, sm, end + cycle, &mut checking);
        edge.map_err(|halt| checking.explain(context, halt))?;
        context.counters.add_flush(&rtl.out.events);
        context.pace_flush(sm, cycle + 1)
    })?;
    rest(context, sm, rtl, &mut checking, end + flushed)
}

/// After launch and flush, which ended in cycle `end`: the design comes to rest, in lock-step.
fn rest<C: RunChecker>(
    context: &mut LaunchContext<'_>,
    machine: &impl Machine,
    rtl: &mut Rtl<'_>,
    checking: &mut Checking<'_, '_, '_, C>,
    end: u64,
) -> Result<(), RunError> {
    let begin = context.place(end);
    let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
    come_to_rest(rtl.design.widths(), at, |cycle| {
        let shown = rtl.show(context, end + cycle).map_err(self::rtl::Halt::from);
        let edge = shown.and_then(|()| rtl.idle_edge(end + cycle, checking));
        edge.map_err(|halt| checking.explain(context, halt))?;
        context.report(machine, context.base_cycle + end + cycle)?;
        Ok(Outputs { registers: rtl.out, memory: rtl.memory_out() })
    })
}
