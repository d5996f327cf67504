//! Texture fetches: which texels a lane reads, and the result.

use heddle_port::{LaneMask, NUM_LANES};
use smallvec::{SmallVec, smallvec};

use super::axis::{Addressing, Tap, WHOLE};
use super::cube::face;
use super::filter::{CHANNELS, channel, missing_channels, returns_float};
use super::image::{Geometry, Image};
use super::table::{Filter, Sampler, Texture, TextureError, TextureTable};
use crate::soft::canonical;
use crate::types::Type;

/// Most texels that a lane reads: two on each of three axes.
pub const MAX_TEXELS: usize = 8;

/// The texels that the lanes of one `tex` instruction read. A lane has at least one: where all are
/// outside it is the nearest, which is accessed and does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Texels {
    /// Texels of each lane.
    pub count: [u8; NUM_LANES],
    /// Bytes of a texel, by lane.
    pub bytes: [u8; NUM_LANES],
    /// Address in global memory, by texel and lane.
    pub addresses: [[u64; NUM_LANES]; MAX_TEXELS],
    /// Weight by texel and lane, in parts of 256 to the power of the filtered axes; 0 does not count.
    weights: [[u32; NUM_LANES]; MAX_TEXELS],
    /// Filtered axes by lane, 0 with the point filter.
    filtered: [u8; NUM_LANES],
    /// What the lane reads through.
    textures: [Option<Texture>; NUM_LANES],
}

impl Default for Texels {
    fn default() -> Self {
        Self {
            count: [0; NUM_LANES],
            bytes: [0; NUM_LANES],
            addresses: [[0; NUM_LANES]; MAX_TEXELS],
            weights: [[0; NUM_LANES]; MAX_TEXELS],
            filtered: [0; NUM_LANES],
            textures: [None; NUM_LANES],
        }
    }
}

impl Texels {
    /// Lanes of `mask` that have a texel `texel`.
    #[must_use]
    pub fn lanes(&self, texel: usize, mask: LaneMask) -> LaneMask {
        LaneMask(mask.lanes().filter(|&l| usize::from(self.count[l]) > texel).fold(0, |m, l| m | 1 << l))
    }

    /// Address and size in bytes of each texel of a lane.
    pub fn of_lane(&self, lane: usize) -> impl Iterator<Item = (u64, u64)> + '_ {
        let count = usize::from(self.count[lane]);
        self.addresses[..count].iter().map(move |a| (a[lane], u64::from(self.bytes[lane])))
    }
}

/// What one lane of a `tex` instruction asks for.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// Handle of the texture.
    pub handle: u64,
    /// Shape of the instruction.
    pub geometry: Geometry,
    /// Type of the result: f32, u32 or s32.
    pub ty: Type,
    /// Coordinates are integers, and else f32.
    pub integer: bool,
    /// The layer, if the geometry has layers, then the coordinates, as register contents.
    pub coordinates: [u32; 4],
}

/// Finds the texels of a lane.
///
/// # Errors
/// A handle of no such texture.
pub fn plan(
    table: &TextureTable,
    request: &Request,
    lane: usize,
    out: &mut Texels,
) -> Result<(), TextureError> {
    let texture = table.texture(request.handle)?;
    admit(&texture, request)?;
    let Texture { image, sampler } = &texture;
    let (slice, axes) = axes(image, sampler, request);
    let linear = sampler.filter == Filter::Linear && !request.integer;
    let [xs, ys, zs] = [0, 1, 2].map(|i| axes[i].taps(linear && i < image.geometry.axes()));
    let mut count = 0;
    for &(z, c) in &zs {
        for &(y, b) in &ys {
            for &(x, a) in &xs {
                let weight = a * b * c;
                if let (Some(x), Some(y), Some(z)) = (x, y, z)
                    && weight != 0
                {
                    out.addresses[count][lane] = image.texel_address([x, y, slice.unwrap_or(z)]);
                    out.weights[count][lane] = weight;
                    count += 1;
                }
            }
        }
    }
    if count == 0 {
        let [x, y, z] = axes.map(|axis| axis.nearest());
        out.addresses[0][lane] = image.texel_address([x, y, slice.unwrap_or(z)]);
        out.weights[0][lane] = 0;
        count = 1;
    }
    out.count[lane] = count as u8;
    out.bytes[lane] = image.texel_bytes() as u8;
    out.filtered[lane] = if linear { image.geometry.axes() as u8 } else { 0 };
    out.textures[lane] = Some(texture);
    Ok(())
}

/// Whether the instruction suits the texture.
fn admit(texture: &Texture, r: &Request) -> Result<(), TextureError> {
    let Texture { image, sampler } = texture;
    let (handle, found) = (r.handle, image.geometry);
    if found != r.geometry && !(found == Geometry::Linear && r.geometry == Geometry::D1) {
        return Err(TextureError::WrongGeometry { handle, found, wanted: r.geometry });
    }
    let float = returns_float(image, sampler.read);
    if float != (r.ty == Type::F32) {
        let found = if float { "floats" } else { "integers" };
        return Err(TextureError::WrongResult { handle, found, wanted: r.ty });
    }
    let takes = match (found, sampler.normalised, r.integer) {
        (Geometry::Linear, _, false) => Some(("integer", "floats")),
        (_, true, true) => Some(("normalised", "integers")),
        _ => None,
    };
    match takes {
        Some((found, given)) => Err(TextureError::WrongCoordinates { handle, found, given }),
        None => Ok(()),
    }
}

/// A coordinate on its axis.
#[derive(Clone, Copy)]
struct Axis {
    /// In texels.
    u: f64,
    /// Texels of the axis.
    size: u32,
    addressing: Addressing,
}

impl Axis {
    fn taps(self, linear: bool) -> SmallVec<[Tap; 2]> {
        if linear {
            self.addressing.linear(self.u, self.size)
        } else {
            smallvec![(self.addressing.point(self.u, self.size), 1)]
        }
    }

    /// The texel inside that is nearest.
    fn nearest(self) -> u32 {
        Addressing::Clamp.point(self.u, self.size).unwrap_or(0)
    }
}

/// The axes, and the slice where a layer or a face gives it. An axis that the geometry lacks is at its
/// texel 0.
fn axes(image: &Image, sampler: &Sampler, r: &Request) -> (Option<u32>, [Axis; 3]) {
    let geometry = image.geometry;
    let first = usize::from(geometry.is_layered());
    let number = |bits: u32| {
        if r.integer { f64::from(bits as i32) } else { f64::from(f32::from_bits(bits)) }
    };
    let mut c = [0, 1, 2].map(|i| r.coordinates.get(first + i).map_or(0.0, |&bits| number(bits)));
    let faces = if geometry.is_cube() { 6 } else { 1 };
    // Layer numbers are unsigned; one behind the last layer is the last.
    let layer = r.coordinates[0].min(image.extent[2] / faces - 1);
    let mut slice = geometry.is_layered().then_some(layer);
    if geometry.is_cube() {
        let (face, [s, t]) = face(c);
        c = [s, t, 0.0];
        slice = Some(slice.unwrap_or(0) * faces + face);
    }
    let axis = |i: usize| {
        let size = image.extent[i];
        let u = if sampler.normalised { c[i] * f64::from(size) } else { c[i] };
        let border = geometry == Geometry::Linear;
        match (i < geometry.axes(), border) {
            (true, true) => Axis { u, size, addressing: Addressing::Border },
            (true, false) => Axis { u, size, addressing: sampler.addressing[i] },
            (false, _) => Axis { u: 0.0, size: 1, addressing: Addressing::Clamp },
        }
    };
    (slice, [axis(0), axis(1), axis(2)])
}

/// The four result registers of a lane, with the channels that `read` finds in memory by address and
/// size in bytes.
///
/// # Errors
/// The first read that fails.
pub fn sample<E>(
    texels: &Texels,
    lane: usize,
    mut read: impl FnMut(u64, u32) -> Result<u32, E>,
) -> Result<[u32; CHANNELS], E> {
    let Some(Texture { image, sampler }) = texels.textures[lane] else {
        return Ok([0; CHANNELS]);
    };
    let mut out = missing_channels(returns_float(&image, sampler.read));
    let bytes = image.format.bytes();
    let filtered = texels.filtered[lane];
    // 256 to the power of the axes: a power of two, so that the division is exact.
    let whole = f64::from(WHOLE).powi(i32::from(filtered));
    for (c, result) in out.iter_mut().enumerate().take(image.channels as usize) {
        let (mut sum, mut point) = (0.0, 0);
        for texel in 0..usize::from(texels.count[lane]) {
            let weight = texels.weights[texel][lane];
            if weight == 0 {
                continue;
            }
            let raw = read(texels.addresses[texel][lane] + c as u64 * u64::from(bytes), bytes)?;
            point = channel(image.format, sampler.read, raw);
            if filtered != 0 {
                sum += f64::from(weight) * f64::from(f32::from_bits(point));
            }
        }
        *result = if filtered == 0 { point } else { canonical((sum / whole) as f32) };
    }
    Ok(out)
}
