//! How many CTAs of a launch are resident at once, and which launches that rules out.

use heddle_config::Preset;
use heddle_isa::{KernelLaunch, Program};
use heddle_sm::{CtaChoice, Occupancy};

use crate::error::RunError;

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
