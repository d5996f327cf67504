//! Texture fetches and surface addresses: operands to coordinates.

use heddle_port::{LaneData, LaneMask, NUM_LANES, NUM_SOURCES};

use super::operand::{Sources, put_wide};
use super::{ExecError, Outputs, WarpContext};
use crate::instr::Instr;
use crate::op::Op;
use crate::texture::{Boundary, Geometry, Request, Texels, plan, surface_address as address};
use crate::types::Type;

/// Finds the texels that the lanes of `mask` read, if the instruction is a texture fetch. Other lanes of
/// `out` hold no meaning.
///
/// # Errors
/// A lane with a handle of no such texture; missing operands.
pub fn plan_texels(
    instr: &Instr,
    sources: &[LaneData; NUM_SOURCES],
    context: &WarpContext,
    mask: LaneMask,
    out: &mut Texels,
) -> Result<(), ExecError> {
    let Op::Tex { geometry, ty, integer } = instr.op else {
        return Ok(());
    };
    let s = Sources { instr, words: sources, preds: &[], context };
    let handles = s.wide(0)?;
    let coordinates = coordinates(&s, geometry)?;
    for lane in mask.lanes() {
        let coordinates = coordinates.map(|c| c[lane]);
        let request = Request { handle: handles[lane], geometry, ty, integer, coordinates };
        plan(&context.textures, &request, lane, out).map_err(|source| ExecError::Texture { lane, source })?;
    }
    Ok(())
}

/// The address of a surface access.
pub(super) fn surface_address(
    geometry: Geometry,
    boundary: Boundary,
    bytes: u8,
    s: &Sources<'_>,
    mask: LaneMask,
    out: &mut Outputs,
) -> Result<(), ExecError> {
    let handles = s.wide(0)?;
    let coordinates = coordinates(s, geometry)?;
    let mut addresses = [0; NUM_LANES];
    let mut accessed = 0;
    for lane in mask.lanes() {
        let at = coordinates.map(|c| c[lane] as i32);
        let textures = &s.context.textures;
        let found = address(textures, handles[lane], geometry, boundary, bytes.into(), &at)
            .map_err(|source| ExecError::Texture { lane, source })?;
        if let Some(found) = found {
            addresses[lane] = found;
            accessed |= 1 << lane;
        }
    }
    put_wide(&mut out.values, |lane| addresses[lane]);
    out.preds[0] = accessed;
    Ok(())
}

/// The operands after the handle, as many as the geometry has, the rest zero.
fn coordinates(s: &Sources<'_>, geometry: Geometry) -> Result<[LaneData; 4], ExecError> {
    let mut coordinates = [[0; NUM_LANES]; 4];
    for (i, c) in coordinates.iter_mut().enumerate().take(geometry.coordinates()) {
        *c = s.copied(i + 1, Type::B32)?;
    }
    Ok(coordinates)
}
