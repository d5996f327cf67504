//! Texels as numbers.

use super::image::{Format, Image};
use super::table::ReadMode;
use crate::soft::half_to_single;

/// Channels of a result.
pub(super) const CHANNELS: usize = 4;

/// What channels that a texel lacks read as: (r, 0, 0, 1), the order `R` of PTX's `channel_order` query.
pub(super) fn missing_channels(float: bool) -> [u32; CHANNELS] {
    [0, 0, 0, if float { 1f32.to_bits() } else { 1 }]
}

/// Whether texels come out as floats.
pub(super) fn returns_float(image: &Image, read: ReadMode) -> bool {
    image.format.is_float() || read == ReadMode::NormalisedFloat
}

/// A channel as a register: the bits of an f32, or an integer extended by its sign.
pub(super) fn channel(format: Format, read: ReadMode, raw: u32) -> u32 {
    let integer = match format {
        Format::F32 => return raw,
        Format::F16 => return half_to_single(raw as u16),
        Format::U8 => i32::from(raw as u8),
        Format::S8 => i32::from(raw as u8 as i8),
        Format::U16 => i32::from(raw as u16),
        Format::S16 => i32::from(raw as u16 as i16),
        Format::U32 | Format::S32 => return raw,
    };
    match (read, format.normalised_by()) {
        // -128 and -32768 read as -1, as -127 and -32767 do.
        (ReadMode::NormalisedFloat, Some(most)) => {
            let most = f32::from(most);
            (integer as f32 / most).max(-1.0).to_bits()
        }
        _ => integer as u32,
    }
}
