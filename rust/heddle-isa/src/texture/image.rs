//! Images: texels of one format in global memory.

use std::fmt;

/// Most texels of an axis of an image other than 1D linear memory (CUDA programming guide, technical
/// specifications).
pub const MAX_EXTENT: u32 = 1 << 17;
/// Most texels of 1D linear memory.
pub const MAX_LINEAR: u32 = 1 << 28;
/// Alignment of an image in bytes (PTX ISA, `tex`).
const BASE_ALIGNMENT: u32 = 16;

/// Shape of an image, and of the coordinates of an instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Geometry {
    /// 1D linear memory: integer coordinates, no filtering, zeros outside.
    Linear,
    /// One axis.
    D1,
    /// Two axes.
    D2,
    /// Three axes.
    D3,
    /// Layers of one axis.
    A1d,
    /// Layers of two axes.
    A2d,
    /// Six square faces, in the order +x, -x, +y, -y, +z, -z.
    Cube,
    /// Layers of six faces.
    ACube,
}

impl Geometry {
    /// The PTX spelling, without the dot; `linear` for linear memory, which PTX has no word for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Linear => "linear",
            Self::D1 => "1d",
            Self::D2 => "2d",
            Self::D3 => "3d",
            Self::A1d => "a1d",
            Self::A2d => "a2d",
            Self::Cube => "cube",
            Self::ACube => "acube",
        }
    }

    /// Axes on which texels are filtered.
    #[must_use]
    pub const fn axes(self) -> usize {
        match self {
            Self::Linear | Self::D1 | Self::A1d => 1,
            Self::D2 | Self::A2d | Self::Cube | Self::ACube => 2,
            Self::D3 => 3,
        }
    }

    /// Whether a layer number comes before the coordinates.
    #[must_use]
    pub const fn is_layered(self) -> bool {
        matches!(self, Self::A1d | Self::A2d | Self::ACube)
    }

    /// Whether coordinates are a direction that selects a face.
    #[must_use]
    pub const fn is_cube(self) -> bool {
        matches!(self, Self::Cube | Self::ACube)
    }

    /// Coordinates of an instruction, the layer included; the padding that PTX writes after three
    /// elements is not counted.
    #[must_use]
    pub const fn coordinates(self) -> usize {
        let layer = if self.is_layered() { 1 } else { 0 };
        layer + if self.is_cube() { 3 } else { self.axes() }
    }
}

impl fmt::Display for Geometry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Type of a channel in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Format {
    U8,
    S8,
    U16,
    S16,
    F16,
    U32,
    S32,
    F32,
}

impl Format {
    /// Bytes of a channel.
    #[must_use]
    pub const fn bytes(self) -> u32 {
        match self {
            Self::U8 | Self::S8 => 1,
            Self::U16 | Self::S16 | Self::F16 => 2,
            Self::U32 | Self::S32 | Self::F32 => 4,
        }
    }

    /// Floating point.
    #[must_use]
    pub const fn is_float(self) -> bool {
        matches!(self, Self::F16 | Self::F32)
    }

    /// Largest value of an integer format that can be read as a normalised float (8 and 16 bits).
    #[must_use]
    pub const fn normalised_by(self) -> Option<u16> {
        match self {
            Self::U8 => Some(u8::MAX as u16),
            Self::S8 => Some(i8::MAX as u16),
            Self::U16 => Some(u16::MAX),
            Self::S16 => Some(i16::MAX as u16),
            Self::F16 | Self::U32 | Self::S32 | Self::F32 => None,
        }
    }
}

/// An image in global memory: rows of texels `pitch` bytes apart, slices of `extent[1]` rows. A slice is
/// a depth, a layer or a face; the faces of a layer follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Image {
    /// Shape.
    pub geometry: Geometry,
    /// Type of a channel.
    pub format: Format,
    /// Channels of a texel: 1, 2 or 4.
    pub channels: u32,
    /// Texels in x, rows in y, slices; 1 where the geometry has no such axis.
    pub extent: [u32; 3],
    /// Bytes from row to row.
    pub pitch: u32,
    /// First byte in global memory.
    pub base: u32,
}

/// An image or sampler that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DescriptorError {
    /// Not 1, 2 or 4 channels.
    #[error("a texel has {channels} channels; 1, 2 and 4 are possible")]
    Channels {
        /// Channels given.
        channels: u32,
    },
    /// Too few or too many texels on an axis, or an axis that the geometry does not have.
    #[error("{geometry} image: extent {axis} is {found}; expected {expected}")]
    Extent {
        /// Shape.
        geometry: Geometry,
        /// 0 for x, 1 for y, 2 for slices.
        axis: usize,
        /// Extent given.
        found: u32,
        /// What is possible.
        expected: String,
    },
    /// Rows that overlap, or that do not begin at a multiple of the texel's size.
    #[error("a pitch of {pitch} bytes; expected a multiple of {texel} bytes, at least {least}")]
    Pitch {
        /// Bytes from row to row.
        pitch: u32,
        /// Bytes of a texel.
        texel: u32,
        /// Bytes of a row.
        least: u64,
    },
    /// An image that does not begin at a multiple of 16 bytes.
    #[error("the image begins at {base:#010x}, which is not a multiple of 16")]
    Alignment {
        /// First byte.
        base: u32,
    },
    /// An image that ends behind the 32-bit address space.
    #[error("an image of {bytes} bytes at {base:#010x} does not fit the 32-bit address space")]
    Size {
        /// First byte.
        base: u32,
        /// Bytes with the padding of the rows.
        bytes: u64,
    },
    /// Settings that do not go together.
    #[error("{what}")]
    Sampler {
        /// Which, and what is possible.
        what: &'static str,
    },
}

impl Image {
    /// An image without padding between rows.
    #[must_use]
    pub fn dense(geometry: Geometry, format: Format, channels: u32, extent: [u32; 3], base: u32) -> Self {
        let pitch = extent[0].saturating_mul(channels.saturating_mul(format.bytes()));
        Self { geometry, format, channels, extent, pitch, base }
    }

    /// Bytes of a texel: 1, 2, 4, 8 or 16.
    #[must_use]
    pub const fn texel_bytes(&self) -> u32 {
        self.channels.saturating_mul(self.format.bytes())
    }

    /// Bytes of a row without padding.
    #[must_use]
    pub const fn row_bytes(&self) -> u64 {
        self.extent[0] as u64 * self.texel_bytes() as u64
    }

    /// Bytes from the first to the end of the last row.
    #[must_use]
    pub const fn bytes(&self) -> u64 {
        let rows = self.extent[1] as u64 * self.extent[2] as u64;
        rows.saturating_sub(1).saturating_mul(self.pitch as u64).saturating_add(self.row_bytes())
    }

    /// Address of byte `x` of row `y` of slice `z`, which must be inside.
    #[must_use]
    pub const fn byte_address(&self, x: u64, y: u32, z: u32) -> u64 {
        let row = z as u64 * self.extent[1] as u64 + y as u64;
        self.base as u64 + row * self.pitch as u64 + x
    }

    /// Address of a texel, which must be inside.
    #[must_use]
    pub const fn texel_address(&self, [x, y, z]: [u32; 3]) -> u64 {
        self.byte_address(x as u64 * self.texel_bytes() as u64, y, z)
    }

    /// Whether the numbers make an image.
    ///
    /// # Errors
    /// The first that does not fit.
    pub fn check(&self) -> Result<(), DescriptorError> {
        if !matches!(self.channels, 1 | 2 | 4) {
            return Err(DescriptorError::Channels { channels: self.channels });
        }
        let geometry = self.geometry;
        let fail = |axis: usize, expected: String| {
            Err(DescriptorError::Extent { geometry, axis, found: self.extent[axis], expected })
        };
        let limits = [
            if geometry == Geometry::Linear { MAX_LINEAR } else { MAX_EXTENT },
            if geometry.axes() >= 2 { MAX_EXTENT } else { 1 },
            if geometry.axes() == 3 || geometry.is_layered() { MAX_EXTENT } else { 1 },
        ];
        for (axis, limit) in limits.into_iter().enumerate() {
            let faces = axis == 2 && geometry.is_cube();
            if !faces && !(1..=limit).contains(&self.extent[axis]) {
                return fail(axis, if limit == 1 { "1".to_owned() } else { format!("1 to {limit}") });
            }
        }
        let slices = self.extent[2];
        match geometry {
            Geometry::Cube if slices != 6 => return fail(2, "6 faces".to_owned()),
            Geometry::ACube if slices == 0 || !slices.is_multiple_of(6) || slices > MAX_EXTENT => {
                return fail(2, format!("a multiple of 6 up to {MAX_EXTENT}"));
            }
            Geometry::Cube | Geometry::ACube if self.extent[0] != self.extent[1] => {
                return fail(1, format!("{}, for faces are square", self.extent[0]));
            }
            _ => {}
        }
        let texel = self.texel_bytes();
        if u64::from(self.pitch) < self.row_bytes() || !self.pitch.is_multiple_of(texel) {
            return Err(DescriptorError::Pitch { pitch: self.pitch, texel, least: self.row_bytes() });
        }
        if !self.base.is_multiple_of(BASE_ALIGNMENT) {
            return Err(DescriptorError::Alignment { base: self.base });
        }
        if u64::from(self.base).saturating_add(self.bytes()) > 1 << 32 {
            return Err(DescriptorError::Size { base: self.base, bytes: self.bytes() });
        }
        Ok(())
    }
}
