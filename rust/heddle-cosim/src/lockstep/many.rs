//! A launch on many SMs, each with a cycle model of the design.

use heddle_port::{RegIn, RegOut, RegisterFile};
use heddle_sm::{ArchitecturalRegisters, Gpu};

use super::LaunchContext;
use super::failure::sim_failure;
use crate::error::RunError;
use crate::memory_port::{FLUSH_CYCLES, collect, drive, follow_lines};
use crate::mismatch::{Check, Mismatch};

/// The design of one SM, and its side of the port.
pub struct Design {
    model: Box<dyn RegisterFile + Send>,
    out: RegOut,
    input: RegIn,
    registers: ArchitecturalRegisters,
}

impl Design {
    /// A design after its reset, which put out `out`, for a kernel with so many registers a thread.
    pub fn new(model: Box<dyn RegisterFile + Send>, out: RegOut, registers_per_thread: u32) -> Self {
        let registers = ArchitecturalRegisters::new(registers_per_thread);
        Self { model, out, input: RegIn::default(), registers }
    }

    /// The model, for the next launch.
    pub fn into_model(self) -> Box<dyn RegisterFile + Send> {
        self.model
    }
}

/// Runs a launch on all SMs of `gpu`, whose designs are `designs`.
///
/// # Errors
/// The launch does not end, or an SM or a model fails; the message names the SM.
pub fn run_many(
    context: &mut LaunchContext<'_>,
    gpu: &mut Gpu,
    designs: &mut [Design],
) -> Result<(), RunError> {
    while !gpu.is_done() {
        gpu.begin_cycle();
        for (sm, design) in designs.iter_mut().enumerate() {
            let Design { out, input, registers, .. } = design;
            context.counters.add(&out.events);
            gpu.tick(sm, (out, registers), input, &mut ())
                .map_err(|error| sim_failure(context, &error).on_sm(sm))?;
            edge(context, gpu, sm, design, false)?;
        }
        gpu.end_cycle().map_err(|error| sim_failure(context, &error))?;
        context.pace(gpu)?;
    }
    flush(context, gpu, designs)
}

/// A clock edge of the design of an SM.
fn edge(
    context: &LaunchContext<'_>,
    gpu: &mut Gpu,
    number: usize,
    design: &mut Design,
    flush: bool,
) -> Result<(), RunError> {
    let cycle = gpu.cycle();
    let sm = gpu.sm_mut(number);
    let Design { model, out, input, registers } = design;
    drive(sm, model.as_mut());
    if flush {
        *input = RegIn::default();
    }
    model.step(input, out).map_err(|e| {
        RunError::from(Mismatch::new(Check::Control, context.place(cycle), e.to_string())).on_sm(number)
    })?;
    collect(sm, model.as_mut());
    follow_lines(sm, model.as_mut());
    registers.step(input, out);
    Ok(())
}

/// After a launch: designs that hold the L1 write their dirty lines back.
fn flush(context: &mut LaunchContext<'_>, gpu: &mut Gpu, designs: &mut [Design]) -> Result<(), RunError> {
    if !gpu.begin_flush() {
        return Ok(());
    }
    let end = gpu.cycle();
    for cycle in 0..FLUSH_CYCLES {
        gpu.begin_flush_cycle().map_err(|error| sim_failure(context, &error))?;
        for (sm, design) in designs.iter_mut().enumerate() {
            edge(context, gpu, sm, design, true)?;
            context.counters.add_flush(&design.out.events);
        }
        gpu.end_flush_cycle().map_err(|error| sim_failure(context, &error))?;
        context.pace_flush(gpu, cycle + 1)?;
        if gpu.is_done() {
            return Ok(());
        }
    }
    let what = format!("the dirty lines are not in L2 {FLUSH_CYCLES} cycles after the kernel ended");
    Err(Mismatch::new(Check::Completeness, context.place(end + FLUSH_CYCLES), what).into())
}
