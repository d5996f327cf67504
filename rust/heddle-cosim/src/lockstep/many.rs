//! A launch on many SMs, each with a cycle model of the design.

use heddle_port::{DesignError, RegIn, RegOut, RegisterFile};
use heddle_sm::{ArchitecturalRegisters, Behind, Gpu, GpuError, Observer, Sm, SmError, Threads};

use super::LaunchContext;
use super::failure::{check_of, sim_failure, warps_of, where_it_stands};
use crate::counters::Counters;
use crate::error::RunError;
use crate::memory_port::{FLUSH_CYCLES, collect, drive, follow_lines};
use crate::mismatch::{Check, Mismatch};
use crate::stream::SmWrites;

/// The design of one SM, and its side of the port.
pub struct Design {
    model: Box<dyn RegisterFile + Send>,
    out: RegOut,
    input: RegIn,
    registers: ArchitecturalRegisters,
    counters: Counters,
    writes: SmWrites,
}

impl Design {
    /// A design after its reset, which put out `out`, for a kernel with so many registers a thread. Its events are
    /// added to `counters`.
    pub fn new(
        model: Box<dyn RegisterFile + Send>,
        out: RegOut,
        registers_per_thread: u32,
        counters: Counters,
    ) -> Self {
        let registers = ArchitecturalRegisters::new(registers_per_thread);
        Self { model, out, input: RegIn::default(), registers, counters, writes: SmWrites::default() }
    }

    /// With `writes`, to which is added what the CTAs of the SM write.
    pub fn with_writes(mut self, writes: SmWrites) -> Self {
        self.writes = writes;
        self
    }

    /// What the CTAs of the SM wrote, where that is kept.
    pub fn writes(&self) -> &SmWrites {
        &self.writes
    }

    /// The model, for the next launch.
    pub fn into_model(self) -> Box<dyn RegisterFile + Send> {
        self.model
    }

    /// What the SM drives in this cycle.
    pub(super) fn input(&self) -> &RegIn {
        &self.input
    }

    /// What its events add up to.
    pub(super) fn counters(&self) -> &Counters {
        &self.counters
    }

    /// A cycle of SM `sm` of `gpu`, up to its clock edge.
    pub(super) fn tick<O: Observer>(
        &mut self,
        gpu: &mut Gpu,
        sm: usize,
        observer: &mut O,
    ) -> Result<(), SmError> {
        gpu.tick(sm, (&self.out, &self.registers), &mut self.input, observer)
    }

    /// The clock edge of a cycle of the flush.
    pub(super) fn flush_edge(&mut self, sm: &mut Sm) -> Result<(), DesignError> {
        self.input = RegIn::default();
        self.step(sm)?;
        self.counters.add_flush(&self.out.events);
        Ok(())
    }

    fn step(&mut self, sm: &mut Sm) -> Result<(), DesignError> {
        let Self { model, out, input, registers, .. } = self;
        drive(sm, model.as_mut());
        model.step(input, out)?;
        collect(sm, model.as_mut());
        follow_lines(sm, model.as_mut());
        registers.step(input, out);
        Ok(())
    }
}

impl Behind for Design {
    type Operands = ArchitecturalRegisters;
    type Observer = SmWrites;
    type Error = DesignError;

    fn port(&mut self) -> (&RegOut, &ArchitecturalRegisters, &mut RegIn, &mut SmWrites) {
        (&self.out, &self.registers, &mut self.input, &mut self.writes)
    }

    fn edge(&mut self, sm: &mut Sm) -> Result<(), DesignError> {
        self.counters.add(&self.out.events);
        self.step(sm)
    }
}

/// The clock edge of the cycle model behind SM `sm` of `gpu` failed in cycle `cycle` of the launch.
pub(super) fn edge_failure(
    context: &LaunchContext<'_>,
    cycle: u64,
    (gpu, sm): (&Gpu, usize),
    input: &RegIn,
    error: &DesignError,
) -> RunError {
    let mut mismatch = Mismatch::new(check_of(error), context.place(cycle), error.to_string());
    if mismatch.check == Check::Contract {
        mismatch.place.warp = warps_of(input).first().copied();
    }
    where_it_stands(mismatch.into(), &gpu.sms()[sm]).on_sm(sm)
}

/// Runs a launch on all SMs of `gpu`, whose designs are `designs`, on `threads`.
///
/// # Errors
/// The launch does not end, or an SM or a model fails; the message names the SM.
pub fn run_many(
    context: &mut LaunchContext<'_>,
    gpu: &mut Gpu,
    designs: &mut [Design],
    threads: &Threads,
) -> Result<(), RunError> {
    while !gpu.is_done() {
        let until = context.next_look(gpu);
        gpu.run(designs, until, threads).map_err(|error| match error {
            GpuError::Sm { sm, error } => sim_failure(context, &error).on_sm(sm),
            GpuError::Design { sm, error } => {
                edge_failure(context, gpu.cycle(), (gpu, sm), designs[sm].input(), &error)
            }
            GpuError::Memory(error) => sim_failure(context, &error),
        })?;
        context.pace(gpu)?;
    }
    flush(context, gpu, designs)?;
    designs.iter().for_each(|design| context.counters.add_launch(design.counters()));
    Ok(())
}

/// After a launch: designs that hold the L1 write their dirty lines back.
fn flush(context: &mut LaunchContext<'_>, gpu: &mut Gpu, designs: &mut [Design]) -> Result<(), RunError> {
    flush_gpu(context, gpu, |context, gpu, cycle| {
        let at = gpu.cycle() + cycle;
        designs.iter_mut().enumerate().try_for_each(|(sm, design)| {
            let edge = design.flush_edge(gpu.sm_mut(sm));
            edge.map_err(|error| edge_failure(context, at, (gpu, sm), design.input(), &error))
        })
    })?;
    Ok(())
}

/// The flush of all SMs after a launch, where the design has a memory port; `edges` are the clock edges of their
/// designs in a cycle of it. Returns how many cycles it took.
///
/// # Errors
/// What `edges` says, and lines that do not come.
pub(super) fn flush_gpu<'c>(
    context: &mut LaunchContext<'c>,
    gpu: &mut Gpu,
    mut edges: impl FnMut(&mut LaunchContext<'c>, &mut Gpu, u64) -> Result<(), RunError>,
) -> Result<u64, RunError> {
    if !gpu.begin_flush() {
        return Ok(0);
    }
    for cycle in 0..FLUSH_CYCLES {
        gpu.begin_flush_cycle().map_err(|(sm, error)| sim_failure(context, &error).on_sm(sm))?;
        edges(context, gpu, cycle)?;
        gpu.end_flush_cycle().map_err(|error| sim_failure(context, &error))?;
        context.pace_flush(gpu, cycle + 1)?;
        if gpu.is_done() {
            return Ok(cycle + 1);
        }
    }
    let what = format!("the dirty lines are not in L2 {FLUSH_CYCLES} cycles after the kernel ended");
    Err(Mismatch::new(Check::Completeness, context.place(gpu.cycle() + FLUSH_CYCLES), what).into())
}
