//! A launch on many SMs, of which some are RTL in lock-step with their cycle models.

use heddle_mem::LifetimeStatistics;
use heddle_port::{Cycle, RegIn, RegisterData, RegisterFile};
use heddle_sm::{Behind, Gpu};

use super::failure::{sim_failure, tick_failure};
use super::many::{edge_failure, flush_gpu};
use super::rtl::{FromRtl, Halt};
use super::{Begin, Checking, Design, LaunchContext, Machines, Shadowing, rest};
use crate::check::{Checker, RunChecker};
use crate::counters::Counters;
use crate::error::RunError;

/// What stands behind the port of an SM.
pub enum Side<'a, 'm> {
    /// RTL, which drives the SM, and its shadow; with what its events add up to.
    Rtl(Box<Machines<'a, 'm>>, Box<Counters>),
    /// A cycle model.
    Model(Box<Design>),
}

/// Runs a launch on all SMs of `gpu`, whose designs are `sides`. Everything that any of them does is held against the
/// golden machine, and the ports of those that are RTL against their shadows.
///
/// # Errors
/// A mismatch, or a launch that does not end; what is of one SM names it.
pub fn cosim_many(
    context: &mut LaunchContext<'_>,
    gpu: &mut Gpu,
    sides: &mut [Side<'_, '_>],
    checker: &mut Checker<'_>,
) -> Result<(), RunError> {
    let mut inputs = vec![RegIn::default(); sides.len()];
    for (sm, machines) in rtl(sides) {
        checker.turn_to(sm);
        let Machines { rtl, shadow } = machines;
        let memory_out = rtl.memory_out();
        let reset = on_one(context, checker, shadow).reset(&rtl.out, memory_out.as_ref());
        reset.map_err(|error| error.on_sm(sm))?;
    }
    while !gpu.is_done() {
        gpu.begin_cycle();
        for (sm, (side, input)) in sides.iter_mut().zip(&mut inputs).enumerate() {
            checker.turn_to(sm);
            side.cycle(context, gpu, sm, input, checker).map_err(|error| error.on_sm(sm))?;
        }
        gpu.end_cycle().map_err(|error| sim_failure(context, &error))?;
        context.pace(gpu)?;
    }
    let end = gpu.cycle();
    checker.finished(gpu.ctas_done(), context.ctas, Cycle(end))?;
    let flushed = flush_gpu(context, gpu, |context, gpu, cycle| {
        for (sm, side) in sides.iter_mut().enumerate() {
            checker.turn_to(sm);
            match side {
                Side::Rtl(machines, counters) => {
                    let Machines { rtl, shadow } = machines.as_mut();
                    let mut checking = on_one(context, checker, shadow);
                    let edge = rtl.flush_edge(context, gpu.sm_mut(sm), end + cycle, &mut checking);
                    edge.map_err(|halt| checking.explain(context, halt).on_sm(sm))?;
                    checking.shadow.show_lines(gpu.sm_mut(sm));
                    counters.add_flush(&rtl.out.events);
                }
                Side::Model(design) => {
                    let edge = design.flush_edge(gpu.sm_mut(sm));
                    edge.map_err(|error| {
                        edge_failure(context, end + cycle, (gpu, sm), design.input(), &error)
                    })?;
                }
            }
        }
        Ok(())
    })?;
    for (sm, machines) in rtl(sides) {
        checker.turn_to(sm);
        gpu.sms()[sm].expect_no_traffic().map_err(|error| sim_failure(context, &error).on_sm(sm))?;
        let Machines { rtl, shadow } = machines;
        let mut checking = on_one(context, checker, shadow);
        rest(context, gpu, rtl, &mut checking, end + flushed).map_err(|error| error.on_sm(sm))?;
    }
    for side in sides {
        context.counters.add_launch(match side {
            Side::Rtl(_, counters) => counters,
            Side::Model(design) => design.counters(),
        });
    }
    Ok(())
}

/// The checking side of an SM whose turn it is.
fn on_one<'c, 'a, 'm, 'p>(
    context: &LaunchContext<'_>,
    checker: &'c mut Checker<'p>,
    shadow: &'c mut Shadowing<'a, 'm>,
) -> Checking<'c, 'a, 'm, Checker<'p>> {
    Checking { begin: Begin::new(context), checker, shadow }
}

/// The SMs that are RTL, with their numbers.
fn rtl<'s, 'a, 'm>(sides: &'s mut [Side<'a, 'm>]) -> impl Iterator<Item = (usize, &'s mut Machines<'a, 'm>)> {
    sides.iter_mut().enumerate().filter_map(|(sm, side)| match side {
        Side::Rtl(machines, _) => Some((sm, machines.as_mut())),
        Side::Model(_) => None,
    })
}

impl Side<'_, '_> {
    /// What lines that left a cache of shared memory tell; of a cycle model its SM knows it.
    pub fn lifetimes(&self) -> Option<&LifetimeStatistics> {
        match self {
            Self::Rtl(machines, _) => machines.shadow.lifetimes(),
            Self::Model(_) => None,
        }
    }

    /// The cycle model, for the next launch; none of RTL.
    pub fn into_model(self) -> Option<Box<dyn RegisterFile + Send>> {
        match self {
            Self::Rtl(..) => None,
            Self::Model(design) => Some(design.into_model()),
        }
    }

    /// A cycle of SM `sm`, with its clock edge.
    fn cycle(
        &mut self,
        context: &mut LaunchContext<'_>,
        gpu: &mut Gpu,
        sm: usize,
        input: &mut RegIn,
        checker: &mut Checker<'_>,
    ) -> Result<(), RunError> {
        let cycle = gpu.cycle();
        match self {
            Side::Rtl(machines, counters) => {
                let Machines { rtl, shadow } = machines.as_mut();
                rtl.show(context, cycle)?;
                counters.add(&rtl.out.events);
                let data = FromRtl(rtl.design.operand_data());
                let mut checking = on_one(context, checker, shadow);
                let ticked = gpu.tick(sm, (&rtl.out, &data), input, &mut checking);
                let run = ticked.map_err(|error| Halt::Sm(cycle, Box::new(error)));
                let run = run.and_then(|()| rtl.edge(gpu.sm_mut(sm), input, cycle, &mut checking));
                run.map_err(|halt| checking.explain(context, halt))?;
                checking.shadow.show_lines(gpu.sm_mut(sm));
                Ok(())
            }
            Side::Model(design) => {
                let ticked = design.tick(gpu, sm, checker);
                ticked.map_err(|error| tick_failure(context, checker, cycle, &error))?;
                let edge = design.edge(gpu.sm_mut(sm));
                edge.map_err(|error| edge_failure(context, cycle, (gpu, sm), design.input(), &error))
            }
        }
    }
}
