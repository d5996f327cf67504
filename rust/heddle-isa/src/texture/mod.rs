//! Textures and surfaces: images in global memory, how coordinates find their texels, and filtering.
//!
//! Pure functions, without memory: [`plan`] turns the coordinates of a `tex` instruction into the
//! texels that each lane reads ([`Texels`]), a machine reads them from its own memory, and [`sample`]
//! makes the result of them. Sources: CUDA C++ Programming Guide, appendix "Texture Fetching"; PTX ISA,
//! "Texture Instructions" and "Surface Instructions". Where they leave bits open the definition is here:
//!
//! 1. A coordinate `x` of type f32 is `u = x`, or `u = x * N` with normalised coordinates and `N`
//!    texels on the axis, computed in f64, where it is exact. NaN counts as 0, and so does an infinity
//!    under wrap and mirror.
//! 2. Point filter: texel `floor(u)`.
//! 3. Linear filter: with `v = u - 0.5` in f64, texel `floor(v)` with weight `256 - a` and texel
//!    `floor(v) + 1` with weight `a`, where `a = floor((v - floor(v)) * 256 + 0.5)`: the 9-bit fixed
//!    point with 8 bits of fraction of the guide. The weight of a texel is the product over the axes.
//! 4. Texel numbers outside `0..N` follow the addressing mode ([`Addressing`]), as numbers.
//! 5. Each texel becomes f32 (rounded to nearest even). With the point filter that is the result. With
//!    the linear filter the products of weight and texel are added in f64 to +0, lowest x first, then y,
//!    then z; the sum is divided by 256 an axis, which is exact, and rounded to f32. A NaN result is
//!    `0x7fffffff`. Texels that are outside (border) or have the weight 0 add nothing and are not read.

mod axis;
mod cube;
mod fetch;
mod filter;
mod image;
mod surface;
mod table;

pub use axis::Addressing;
pub use fetch::{MAX_TEXELS, Request, Texels, plan, sample};
pub use image::{DescriptorError, Format, Geometry, Image, MAX_EXTENT, MAX_LINEAR};
pub use surface::Boundary;
pub(crate) use surface::address as surface_address;
pub use table::{Binding, Filter, HANDLE_MARK, ReadMode, Sampler, Texture, TextureError, TextureTable};
