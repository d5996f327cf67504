//! Textures and surfaces: `[[textures]]`.

use heddle_isa::texture::{Addressing, Binding, Filter, Format, Geometry, Image, ReadMode, Sampler, Texture};

use super::{extent, narrow};
use crate::launch_file::MAX_BUFFER_BYTES;
use crate::launch_file::error::{LaunchFileError, LaunchFileErrorKind as Kind};
use crate::launch_file::spec::TextureSpec;
use crate::launch_file::table::{Table, Value};

/// Keys that belong to a texture and not to a surface.
const SAMPLER_KEYS: [&str; 4] = ["addressing", "filter", "normalised", "read"];
/// Keys of a table.
pub(super) const KEYS: [&str; 14] = [
    "name",
    "kind",
    "buffer",
    "offset",
    "reference",
    "geometry",
    "format",
    "channels",
    "extent",
    "pitch",
    "addressing",
    "filter",
    "normalised",
    "read",
];

const GEOMETRIES: [(&str, Geometry); 8] = [
    ("linear", Geometry::Linear),
    ("1d", Geometry::D1),
    ("2d", Geometry::D2),
    ("3d", Geometry::D3),
    ("a1d", Geometry::A1d),
    ("a2d", Geometry::A2d),
    ("cube", Geometry::Cube),
    ("acube", Geometry::ACube),
];
const FORMATS: [(&str, Format); 8] = [
    ("u8", Format::U8),
    ("i8", Format::S8),
    ("u16", Format::U16),
    ("i16", Format::S16),
    ("f16", Format::F16),
    ("u32", Format::U32),
    ("i32", Format::S32),
    ("f32", Format::F32),
];
const ADDRESSING: [(&str, Addressing); 4] = [
    ("clamp", Addressing::Clamp),
    ("border", Addressing::Border),
    ("wrap", Addressing::Wrap),
    ("mirror", Addressing::Mirror),
];

/// A texture or surface on a named buffer.
pub(super) fn texture(mut table: Table<'_>) -> Result<TextureSpec, LaunchFileError> {
    let at = table.at;
    let name = table.need("name", "the name that arguments give")?.string()?.to_owned();
    let buffer = table.need("buffer", "the name of the [[buffers]] table that holds the texels")?;
    let reference = match table.take("reference") {
        Some(value) => Some((value.string()?.to_owned(), value.at())),
        None => None,
    };
    let kinds = [("texture", false), ("surface", true)];
    let surface = table.take("kind").map_or(Ok(false), |v| v.word("kind", &kinds))?;
    let image = image(&mut table)?;
    let binding = if surface {
        table.refuse(&SAMPLER_KEYS, "a surface is neither filtered nor addressed by mode")?;
        Binding::Surface(image)
    } else {
        Binding::Texture(Texture { image, sampler: sampler(&mut table)? })
    };
    binding.check().map_err(|source| table.text.error(at, Kind::Texture { source }))?;
    let buffer = (buffer.string()?.to_owned(), buffer.at());
    Ok(TextureSpec { at, name, buffer, reference, binding })
}

fn image(table: &mut Table<'_>) -> Result<Image, LaunchFileError> {
    let geometry =
        table.need("geometry", "the shape of the image, such as \"2d\"")?.word("geometry", &GEOMETRIES)?;
    let format = table.need("format", "the type of a channel, such as \"f32\"")?.word("format", &FORMATS)?;
    let channels = table.take("channels").map_or(Ok(1), |v| v.integer_in(1, 4).map(narrow))?;
    let extent = extent(table.need("extent", "the texels in x, y and slices")?, [1 << 28, 1 << 17, 1 << 17])?;
    // An image of layers of rows has its layers on the third axis.
    let extent = if geometry == Geometry::A1d { [extent[0], 1, extent[1].max(extent[2])] } else { extent };
    let base = table.take("offset").map_or(Ok(0), |v| v.integer_in(0, MAX_BUFFER_BYTES).map(narrow))?;
    let mut image = Image::dense(geometry, format, channels, extent, base);
    if let Some(pitch) = table.take("pitch") {
        image.pitch = narrow(pitch.integer_in(1, MAX_BUFFER_BYTES)?);
    }
    Ok(image)
}

fn sampler(table: &mut Table<'_>) -> Result<Sampler, LaunchFileError> {
    let filters = [("point", Filter::Point), ("linear", Filter::Linear)];
    let reads = [("element", ReadMode::Element), ("normalised", ReadMode::NormalisedFloat)];
    Ok(Sampler {
        read: table.take("read").map_or(Ok(ReadMode::Element), |v| v.word("read", &reads))?,
        filter: table.take("filter").map_or(Ok(Filter::Point), |v| v.word("filter", &filters))?,
        addressing: table.take("addressing").map_or(Ok([Addressing::Clamp; 3]), addressing)?,
        normalised: table.take("normalised").map_or(Ok(false), |v| v.boolean())?,
    })
}

/// One mode for all axes, or one for each.
fn addressing(value: Value<'_>) -> Result<[Addressing; 3], LaunchFileError> {
    const EXPECTED: &str = "a mode, or an array of one to three modes";
    if !value.is_array() {
        return Ok([value.word("addressing", &ADDRESSING)?; 3]);
    }
    let length = value.out_of_range("an array of another length".into(), EXPECTED.into());
    let values = value.elements(EXPECTED)?;
    if values.is_empty() || values.len() > 3 {
        return Err(length);
    }
    let mut modes = [Addressing::Clamp; 3];
    for (mode, value) in modes.iter_mut().zip(&values) {
        *mode = value.word("addressing", &ADDRESSING)?;
    }
    Ok(modes)
}
