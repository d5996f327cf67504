//! Records of a trace, which say what the warps of a CTA execute.

use heddle_isa::{Op, RecordedCta, RecordedWarp, TracedKind};
use heddle_mem::FirstLevelPort;
use heddle_port::{LaneMask, NUM_LANES};

use super::Sm;
use crate::error::LaunchError;
use crate::kernel::Kernel;

impl<P: FirstLevelPort> Sm<P> {
    /// The CTA whose record is to be given to [`Sm::supply`] before the next tick, when the program comes
    /// from a trace. The time at which it is supplied does not matter as long as it is before that tick.
    #[must_use]
    pub fn awaits_record(&self) -> Option<u64> {
        self.residency.awaits_record().filter(|_| self.kernel.is_recorded())
    }

    /// Supplies the record of the CTA that [`Sm::awaits_record`] names.
    ///
    /// # Errors
    /// [`LaunchError::Program`] for another CTA, another number of warps, a warp that does not end with a
    /// control instruction, and instructions, lanes or addresses that do not fit the program.
    pub fn supply(&mut self, record: RecordedCta) -> Result<(), LaunchError> {
        let awaited = self.awaits_record() == Some(record.number);
        let checked = if awaited {
            check(&self.kernel, &record)
        } else {
            Err(format!("the record of CTA {} is not the next one", record.number))
        };
        let kernel = || self.kernel.program().name.clone();
        checked.map_err(|reason| LaunchError::Program { kernel: kernel(), reason })?;
        self.residency.supply(record);
        Ok(())
    }
}

/// What of a record does not fit the kernel.
fn check(kernel: &Kernel, record: &RecordedCta) -> Result<(), String> {
    let (cta, found) = (record.number, record.warps.len());
    let warps = kernel.occupancy().warps_per_cta as usize;
    if found != warps {
        return Err(format!("the record of CTA {cta} has {found} warps; the CTA has {warps}"));
    }
    let mut numbered = (0u32..).zip(&record.warps);
    numbered.try_for_each(|(number, warp)| {
        check_warp(kernel, number, warp).map_err(|what| format!("CTA {cta}, warp {number}: {what}"))
    })
}

fn check_warp(kernel: &Kernel, number: u32, warp: &RecordedWarp) -> Result<(), String> {
    let instrs = &kernel.program().instrs;
    let threads = kernel.launch().threads_per_cta().saturating_sub(number * NUM_LANES as u32);
    let lanes = LaneMask(if threads >= 32 { u32::MAX } else { (1 << threads) - 1 });
    for (index, step) in warp.steps.iter().enumerate() {
        let Some(Op::Traced(traced)) = instrs.get(step.pc.index()).map(|i| &i.op) else {
            return Err(format!("step {index} is at pc {}, which is not in the program", step.pc));
        };
        if !(step.mask & !lanes).is_empty() {
            return Err(format!("step {index} is executed by lanes {}; it has {lanes}", step.mask));
        }
        let memory = matches!(traced.kind, TracedKind::Memory { .. });
        if memory != warp.addresses(index).is_some() {
            return Err(format!("step {index} (pc {}): addresses and instruction differ", step.pc));
        }
    }
    let last = warp.steps.last().and_then(|s| instrs.get(s.pc.index()));
    match last.map(|i| &i.op) {
        Some(Op::Traced(traced)) if traced.kind == TracedKind::Control => Ok(()),
        Some(_) => Err("its last instruction is no exit".to_owned()),
        None => Err("it has no instructions".to_owned()),
    }
}
