//! Texture fetches: the texels of each lane from global memory, filtered.

use heddle_isa::texture::sample;
use heddle_isa::{DeviceMemory, Space};
use heddle_port::LaneMask;

use crate::buffers::{global_bounds, global_buffer};
use crate::env::Env;
use crate::error::GoldenError;
use crate::expected::Expected;
use crate::site::AccessKind;

/// Performs the fetch of `lanes`, which are lanes of `e.exec` not performed before.
pub(crate) fn perform(
    env: &Env,
    memory: &DeviceMemory,
    e: &mut Expected,
    lanes: LaneMask,
) -> Result<(), GoldenError> {
    let Some(texels) = e.texels.as_deref() else {
        return Ok(());
    };
    e.performed = e.performed | lanes;
    for lane in lanes.lanes() {
        let result = sample(texels, lane, |address, bytes| {
            let at = || env.site(e.cta, e.warp_in_cta, Some(lane), e.pc);
            match memory.load_checked(address, bytes) {
                Ok((_, false)) if env.checks.uninitialised_global => Err(GoldenError::UninitialisedRead {
                    at: at(),
                    space: Space::Global,
                    address,
                    bytes,
                    buffer: global_buffer(memory, address),
                }),
                Ok((raw, _)) => Ok(raw as u32),
                Err(_) => Err(GoldenError::OutOfBounds {
                    at: at(),
                    kind: AccessKind::Load,
                    space: Space::Global,
                    address,
                    bytes,
                    bounds: global_bounds(memory, address),
                }),
            }
        })?;
        for (slot, value) in e.results.values.iter_mut().zip(result) {
            slot[lane] = value;
        }
    }
    Ok(())
}
