//! The SM and the cycle model behind its port.

use heddle_port::{RegIn, RegOut, RegisterFile};
use heddle_sm::{ArchitecturalRegisters, Observer, Sm};

use super::LaunchContext;
use super::failure::{check_of, sim_failure};
use crate::error::RunError;
use crate::memory_port::{collect, drive, flush, follow_lines};
use crate::mismatch::{Mismatch, Place};

/// The SM, the model behind its port, and what stands between them in a cycle.
pub struct Simulated<'a> {
    /// The SM.
    pub sm: &'a mut Sm,
    /// Register data, which the model has none of.
    pub registers: ArchitecturalRegisters,
    model: &'a mut dyn RegisterFile,
    out: RegOut,
    input: RegIn,
}

impl<'a> Simulated<'a> {
    /// Before the first cycle; `out` are the model's outputs of it.
    pub fn new(
        sm: &'a mut Sm,
        model: &'a mut dyn RegisterFile,
        out: RegOut,
        registers_per_thread: u32,
    ) -> Self {
        let registers = ArchitecturalRegisters::new(registers_per_thread);
        Self { sm, registers, model, out, input: RegIn::default() }
    }

    /// One cycle.
    ///
    /// # Errors
    /// SM or model fails, or the run has had its cycles.
    #[inline]
    pub fn tick<O: Observer>(
        &mut self,
        context: &mut LaunchContext<'_>,
        observer: &mut O,
    ) -> Result<(), RunError> {
        let Self { sm, registers, model, out, input } = self;
        context.counters.add(&out.events);
        let cycle = sm.cycle().0;
        sm.tick(out, registers, input, observer).map_err(|e| sim_failure(context, &e))?;
        drive(sm, *model);
        model
            .step(input, out)
            .map_err(|e| Mismatch::new(check_of(&e), context.place(cycle), e.to_string()))?;
        collect(sm, *model);
        follow_lines(sm, *model);
        registers.step(input, out);
        context.pace(*sm)
    }

    /// After the last cycle: a design that holds the L1 writes its dirty lines back.
    ///
    /// # Errors
    /// As [`Simulated::tick`].
    pub fn flush(&mut self, context: &mut LaunchContext<'_>) -> Result<(), RunError> {
        let Self { sm, model, out, .. } = self;
        let begin = context.place(sm.cycle().0);
        let at = |cycle| Place { cycle: begin.cycle + cycle, ..begin.clone() };
        flush(sm, at, |sm, cycle| {
            drive(sm, *model);
            model
                .step(&RegIn::default(), out)
                .map_err(|e| Mismatch::new(check_of(&e), at(cycle), e.to_string()))?;
            context.counters.add_flush(&out.events);
            collect(sm, *model);
            context.pace_flush(sm, cycle + 1)
        })?;
        Ok(())
    }
}
