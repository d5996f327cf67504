//! The textures and surfaces of a launch, by handle.

use super::axis::Addressing;
use super::filter::returns_float;
use super::image::{DescriptorError, Geometry, Image};
use crate::types::Type;

/// Upper half of every handle; the lower half is the index in the table. It makes a handle that was lost
/// or mistaken for an address stand out.
pub const HANDLE_MARK: u64 = 0x7e87_0000_0000_0000;

/// How integer texels come out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReadMode {
    /// As they are.
    #[default]
    Element,
    /// 8 and 16 bits as floats in 0..1 (unsigned) or -1..1 (signed).
    NormalisedFloat,
}

/// What is done with the texels around a coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Filter {
    /// The texel that holds the coordinate.
    #[default]
    Point,
    /// Interpolation of the two nearest texels on each axis.
    Linear,
}

/// How an image is read through a texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sampler {
    /// How integer texels come out.
    pub read: ReadMode,
    /// Point or linear.
    pub filter: Filter,
    /// Addressing modes in x, y, z.
    pub addressing: [Addressing; 3],
    /// Coordinates from 0 to 1 instead of texels.
    pub normalised: bool,
}

/// An image with a sampler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Texture {
    /// The texels.
    pub image: Image,
    /// How they are read.
    pub sampler: Sampler,
}

impl Texture {
    /// Whether image and sampler make a texture.
    ///
    /// # Errors
    /// What does not go together.
    pub fn check(&self) -> Result<(), DescriptorError> {
        self.image.check()?;
        let (image, sampler) = (&self.image, &self.sampler);
        let fail = |what| Err(DescriptorError::Sampler { what });
        let periodic = |a: &Addressing| matches!(a, Addressing::Wrap | Addressing::Mirror);
        if sampler.read == ReadMode::NormalisedFloat
            && !image.format.is_float()
            && image.format.normalised_by().is_none()
        {
            return fail("only integers of 8 and 16 bits are read as normalised floats");
        }
        if sampler.filter == Filter::Linear && !returns_float(image, sampler.read) {
            return fail("linear filtering needs floats, or integers that are read as normalised floats");
        }
        if image.geometry == Geometry::Linear && (sampler.filter == Filter::Linear || sampler.normalised) {
            return fail("linear memory has neither linear filtering nor normalised coordinates");
        }
        if image.geometry.is_cube() {
            if !sampler.normalised || sampler.addressing != [Addressing::Clamp; 3] {
                return fail("a cube has normalised coordinates and the addressing mode clamp");
            }
        } else if !sampler.normalised && sampler.addressing.iter().any(periodic) {
            return fail("the addressing modes wrap and mirror need normalised coordinates");
        }
        Ok(())
    }
}

/// A texture or surface access that is not possible.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextureError {
    /// A handle that the launch does not have.
    #[error("{handle:#018x} is not the handle of a {wanted} of this launch, which has {bound} handles")]
    UnknownHandle {
        /// The handle.
        handle: u64,
        /// Texture or surface.
        wanted: &'static str,
        /// Handles that there are.
        bound: usize,
    },
    /// A surface where a texture is wanted, or the other way around.
    #[error("{handle:#018x} is the handle of a {found}; a {wanted} is wanted")]
    WrongKind {
        /// The handle.
        handle: u64,
        /// What it names.
        found: &'static str,
        /// What the instruction wants.
        wanted: &'static str,
    },
    /// An image of another shape than the instruction's.
    #[error("the image of handle {handle:#018x} is {found}; the instruction wants {wanted}")]
    WrongGeometry {
        /// The handle.
        handle: u64,
        /// Shape of the image.
        found: Geometry,
        /// Shape of the instruction.
        wanted: Geometry,
    },
    /// A texture of floats read as integers, or the other way around.
    #[error("the texture of handle {handle:#018x} returns {found}; the instruction wants .{}", wanted.name())]
    WrongResult {
        /// The handle.
        handle: u64,
        /// Floats or integers.
        found: &'static str,
        /// Type of the instruction.
        wanted: Type,
    },
    /// Integer coordinates on a texture with normalised ones, or others than integers on linear memory.
    #[error("the texture of handle {handle:#018x} takes {found} coordinates; the instruction gives {given}")]
    WrongCoordinates {
        /// The handle.
        handle: u64,
        /// What the texture takes.
        found: &'static str,
        /// What the instruction has.
        given: &'static str,
    },
    /// A surface access with `.trap` outside the surface.
    #[error(
        "{bytes} bytes at byte {x}, row {y}, slice {z} are outside the surface of {row_bytes} bytes by {rows} \
         rows by {slices} slices"
    )]
    OutsideSurface {
        /// Byte in the row.
        x: i64,
        /// Row.
        y: i64,
        /// Depth, layer or face.
        z: i64,
        /// Bytes of the access.
        bytes: u32,
        /// Bytes of a row.
        row_bytes: u64,
        /// Rows of a slice.
        rows: u32,
        /// Slices.
        slices: u32,
    },
}

/// What a handle stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// A texture (`cudaTextureObject_t`).
    Texture(Texture),
    /// A surface (`cudaSurfaceObject_t`).
    Surface(Image),
}

impl Binding {
    const fn name(self) -> &'static str {
        match self {
            Self::Texture(_) => "texture",
            Self::Surface(_) => "surface",
        }
    }

    /// The image that is accessed.
    #[must_use]
    pub const fn image(&self) -> &Image {
        match self {
            Self::Texture(texture) => &texture.image,
            Self::Surface(image) => image,
        }
    }

    /// The same on an image whose base counts from `address`.
    #[must_use]
    pub const fn moved(mut self, address: u32) -> Self {
        let image = match &mut self {
            Self::Texture(texture) => &mut texture.image,
            Self::Surface(image) => image,
        };
        image.base = image.base.saturating_add(address);
        self
    }

    /// Whether the numbers make a texture or surface.
    ///
    /// # Errors
    /// What does not go together.
    pub fn check(&self) -> Result<(), DescriptorError> {
        match self {
            Self::Texture(texture) => texture.check(),
            Self::Surface(image) => image.check(),
        }
    }
}

/// The textures and surfaces that a launch binds. What is in it was checked.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TextureTable {
    bound: Vec<Binding>,
}

impl TextureTable {
    /// Adds a texture or surface and returns its handle.
    ///
    /// # Errors
    /// The numbers do not make one.
    pub fn bind(&mut self, binding: Binding) -> Result<u64, DescriptorError> {
        binding.check()?;
        self.bound.push(binding);
        Ok(HANDLE_MARK | (self.bound.len() as u64 - 1))
    }

    fn find(&self, handle: u64, wanted: &'static str) -> Result<Binding, TextureError> {
        let index = handle.checked_sub(HANDLE_MARK).and_then(|i| usize::try_from(i).ok());
        index.and_then(|i| self.bound.get(i).copied()).ok_or(TextureError::UnknownHandle {
            handle,
            wanted,
            bound: self.bound.len(),
        })
    }

    /// The texture of a handle.
    ///
    /// # Errors
    /// The handle is not a texture's.
    pub fn texture(&self, handle: u64) -> Result<Texture, TextureError> {
        const WANTED: &str = "texture";
        match self.find(handle, WANTED)? {
            Binding::Texture(texture) => Ok(texture),
            other => Err(TextureError::WrongKind { handle, found: other.name(), wanted: WANTED }),
        }
    }

    /// The surface of a handle.
    ///
    /// # Errors
    /// The handle is not a surface's.
    pub fn surface(&self, handle: u64) -> Result<Image, TextureError> {
        const WANTED: &str = "surface";
        match self.find(handle, WANTED)? {
            Binding::Surface(image) => Ok(image),
            other => Err(TextureError::WrongKind { handle, found: other.name(), wanted: WANTED }),
        }
    }
}
