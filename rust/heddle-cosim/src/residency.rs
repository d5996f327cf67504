//! How many CTAs of a launch are resident at once, and which launches that rules out.

use std::collections::BTreeSet;

use heddle_config::Preset;
use heddle_isa::{KernelLaunch, Program};
use heddle_sm::{CtaChoice, Occupancy};

use crate::error::RunError;

/// What some launches had of the SMs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Residence {
    limits: BTreeSet<&'static str>,
    ctas: u64,
    /// CTAs that fit at once on all SMs, summed over the launches.
    fitting: u64,
}

impl Residence {
    /// A launch of `ctas` CTAs on `sms` SMs.
    pub fn new(occupancy: &Occupancy, ctas: u64, sms: u64) -> Self {
        let fitting = u64::from(occupancy.ctas) * sms;
        let limit = if ctas <= fitting { "grid" } else { occupancy.limit.name() };
        Self { limits: BTreeSet::from([limit]), ctas, fitting }
    }

    /// Further launches.
    pub fn add(&mut self, other: &Self) {
        self.limits.extend(&other.limits);
        self.ctas += other.ctas;
        self.fitting += other.fitting;
    }

    /// What allowed no more CTAs.
    pub fn limit(&self) -> String {
        self.limits.iter().copied().collect::<Vec<_>>().join(", ")
    }

    /// CTAs by those that fit at once.
    pub fn waves(&self) -> f64 {
        self.ctas as f64 / self.fitting.max(1) as f64
    }
}

/// CTAs of a launch that are resident at once on `sms` SMs of `preset`, which run those of `choice`.
///
/// # Errors
/// [`RunError::Launch`]: a CTA does not fit, or the grid of a cooperative launch is larger. [`RunError::Usage`]: a
/// cooperative launch of which the SM runs a share.
pub fn residency(
    preset: &Preset,
    program: &Program,
    launch: &KernelLaunch,
    choice: CtaChoice,
    sms: u32,
) -> Result<u32, RunError> {
    let occupancy = Occupancy::new(preset, program, launch);
    let occupancy = occupancy.map_err(|e| RunError::Launch { message: e.to_string() })?;
    let resident = occupancy.ctas.saturating_mul(sms);
    if !launch.cooperative {
        return Ok(resident);
    }
    let (name, grid) = (&program.name, launch.num_ctas());
    if let Some(never) = (0..grid).find(|cta| !choice.has(*cta)) {
        return Err(RunError::usage(format!(
            "the launch of {name} is cooperative, so its CTAs may wait for each other; with --ctas share CTA {never} \
             would never run: use --ctas all"
        )));
    }
    if grid > u64::from(resident) {
        let message = format!(
            "the launch of {name} is cooperative, so all its {grid} CTAs must be resident at once; {} are ({} warps \
             and {} registers a thread)",
            resident, occupancy.warps_per_cta, program.num_regs
        );
        return Err(RunError::Launch { message });
    }
    Ok(resident)
}

#[cfg(test)]
mod tests {
    use heddle_sm::OccupancyLimit;

    use super::*;

    #[test]
    fn what_limits_the_residency_of_launches_is_told_once() {
        let of = |ctas, limit| Occupancy {
            ctas,
            limit,
            warps_per_cta: 8,
            registers_per_warp: 32,
            shared_bytes: 0,
            shared_wanted: 0,
            warp_registers: 2048,
            warps_of_registers: 64,
        };
        let mut all = Residence::default();
        for (ctas, limit, grid) in [
            (4, OccupancyLimit::Registers, 40),
            (6, OccupancyLimit::Warps, 6),
            (4, OccupancyLimit::Registers, 9),
        ] {
            all.add(&Residence::new(&of(ctas, limit), grid, 1));
        }
        assert_eq!(all.limit(), "grid, registers");
        assert!((all.waves() - 55.0 / 14.0).abs() < 1e-12);
        // Two SMs hold twice as many.
        assert_eq!(Residence::new(&of(4, OccupancyLimit::SharedMemory), 8, 2).limit(), "grid");
        assert_eq!(Residence::new(&of(4, OccupancyLimit::SharedMemory), 9, 2).limit(), "shared memory");
    }
}
