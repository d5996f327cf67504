//! Addresses of surface accesses.

use super::image::{Geometry, Image};
use super::table::{TextureError, TextureTable};

/// What becomes of a surface access outside the surface (PTX ISA, `suld`, `sust`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Boundary {
    /// It is an error.
    Trap,
    /// It goes to the nearest place inside.
    Clamp,
    /// A load gives zero, a store is dropped.
    Zero,
}

/// Whether an instruction of shape `wanted` may access `image`. The faces of a cube are layers.
fn fits(image: Geometry, wanted: Geometry) -> bool {
    image == wanted
        || matches!(
            (image, wanted),
            (Geometry::Linear, Geometry::D1) | (Geometry::Cube | Geometry::ACube, Geometry::A2d)
        )
}

/// The address of an access of `bytes` bytes at `coordinates`, which are, as the instruction has them, a
/// layer number if the geometry has layers, then the byte in the row, the row, the depth. `None` where
/// nothing is accessed ([`Boundary::Zero`]).
///
/// # Errors
/// A handle of no such surface; outside the surface with [`Boundary::Trap`].
pub(crate) fn address(
    table: &TextureTable,
    handle: u64,
    geometry: Geometry,
    boundary: Boundary,
    bytes: u32,
    coordinates: &[i32],
) -> Result<Option<u64>, TextureError> {
    let image = table.surface(handle)?;
    if !fits(image.geometry, geometry) {
        return Err(TextureError::WrongGeometry { handle, found: image.geometry, wanted: geometry });
    }
    let at = |i: usize| coordinates.get(i).map_or(0, |&c| i64::from(c));
    let [x, y, z] = match geometry {
        Geometry::A1d => [at(1), 0, at(0)],
        Geometry::A2d => [at(1), at(2), at(0)],
        _ => [at(0), at(1), at(2)],
    };
    let last = last_places(&image, bytes);
    let inside = [x, y, z].iter().zip(last).all(|(&c, last)| (0..=last).contains(&c));
    let place = match boundary {
        _ if inside => [x, y, z],
        // A surface that is narrower than the access has no place for it.
        Boundary::Clamp if last[0] >= 0 => [x.clamp(0, last[0]), y.clamp(0, last[1]), z.clamp(0, last[2])],
        Boundary::Zero => return Ok(None),
        Boundary::Clamp | Boundary::Trap => {
            let [_, rows, slices] = image.extent;
            let row_bytes = image.row_bytes();
            return Err(TextureError::OutsideSurface { x, y, z, bytes, row_bytes, rows, slices });
        }
    };
    let [x, y, z] = place.map(|c| u32::try_from(c).unwrap_or(0));
    Ok(Some(image.byte_address(u64::from(x), y, z)))
}

/// The last byte of a row, row and slice at which an access of `bytes` bytes can begin; below 0 where
/// there is none.
fn last_places(image: &Image, bytes: u32) -> [i64; 3] {
    let row = i64::try_from(image.row_bytes()).unwrap_or(i64::MAX);
    [row - i64::from(bytes), i64::from(image.extent[1]) - 1, i64::from(image.extent[2]) - 1]
}
