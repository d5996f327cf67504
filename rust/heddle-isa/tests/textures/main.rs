//! Texture fetches against an oracle that is written differently, and what is refused.

mod oracle;
mod refused;

use heddle_isa::Type;
use heddle_isa::texture::{
    Addressing, Binding, Filter, Format, Geometry, Image, ReadMode, Request, Sampler, Texels, Texture,
    TextureTable, plan, sample,
};

const BASE: u32 = 0x1000_0000;

/// A small deterministic generator (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

/// Contents of channel `c` of a texel. Floats are multiples of 1/1024 of 12 bits, so that sums of their
/// products with weights are exact.
fn contents(format: Format, [x, y, z]: [u32; 3], c: u32) -> u32 {
    let raw =
        Random(u64::from(x) | u64::from(y) << 16 | u64::from(z) << 32 | u64::from(c) << 48).next() as u32;
    match format {
        Format::F32 => (((raw % 4096) as f32 - 2048.0) / 1024.0).to_bits(),
        Format::F16 => raw & 0x83ff | 0x3800,
        _ => raw & (u32::MAX >> (32 - 8 * format.bytes())),
    }
}

/// What `sample` reads at an address: the inverse of the layout, by division.
fn memory(image: &Image, address: u64, bytes: u32) -> Result<u32, String> {
    let offset = address - u64::from(image.base);
    let row = offset / u64::from(image.pitch);
    let byte = offset % u64::from(image.pitch);
    let (x, c) = (byte / u64::from(image.texel_bytes()), byte % u64::from(image.texel_bytes()));
    let (y, z) = (row % u64::from(image.extent[1]), row / u64::from(image.extent[1]));
    if bytes != image.format.bytes() || x >= image.extent[0].into() || z >= image.extent[2].into() {
        return Err(format!("{bytes} bytes at {address:#x}"));
    }
    Ok(contents(image.format, [x as u32, y as u32, z as u32], c as u32 / bytes))
}

/// The bits of the four results.
fn fetch(texture: Texture, coordinates: [u32; 4], integer: bool, ty: Type) -> [u32; 4] {
    let mut table = TextureTable::default();
    let handle = table.bind(Binding::Texture(texture)).unwrap_or_else(|e| panic!("{texture:?}: {e}"));
    let geometry = match texture.image.geometry {
        Geometry::Linear => Geometry::D1,
        other => other,
    };
    let mut texels = Texels::default();
    let request = Request { handle, geometry, ty, integer, coordinates };
    plan(&table, &request, 7, &mut texels).unwrap_or_else(|e| panic!("{texture:?}: {e}"));
    sample(&texels, 7, |address, bytes| memory(&texture.image, address, bytes))
        .unwrap_or_else(|e| panic!("{texture:?} at {coordinates:x?}: {e}"))
}

/// The four results by the oracle, from the taps of each axis and the slice.
fn expected(texture: &Texture, taps: &[Vec<oracle::Tap>; 3], slice: u32) -> [u32; 4] {
    let Texture { image, sampler } = texture;
    let float = image.format.is_float() || sampler.read == ReadMode::NormalisedFloat;
    let one = if float { 1f32.to_bits() } else { 1 };
    let mut out = [0, 0, 0, one];
    for (c, out) in (0..image.channels).zip(&mut out) {
        let (mut sum, mut denominator) = (0.0_f64, 1);
        let (mut exact, mut whole) = (0, 0);
        for &(z, wz) in &taps[2] {
            for &(y, wy) in &taps[1] {
                for &(x, wx) in &taps[0] {
                    let weight = i128::from(wx) * i128::from(wy) * i128::from(wz);
                    whole += weight;
                    if let (Some(x), Some(y), Some(z)) = (x, y, z) {
                        let raw = contents(image.format, [x, y, slice + z], c);
                        let (n, d) = oracle::texel(image.format, sampler.read, raw);
                        exact += weight * n;
                        denominator = d;
                        sum += weight as f64 * f64::from(oracle::round(n, d));
                    }
                }
            }
        }
        *out = if !float {
            (exact / whole) as u32
        } else if denominator & (denominator - 1) == 0 || sampler.filter == Filter::Point {
            oracle::round(exact, denominator * whole).to_bits()
        } else {
            // Fractions of 255 and the like become f32 before they are weighed.
            ((sum / whole as f64) as f32).to_bits()
        };
    }
    out
}

const SPECIAL: [f32; 24] = [
    0.0,
    -0.0,
    0.5,
    0.499_999_97,
    0.25,
    -0.25,
    1.0,
    0.999_999_94,
    1.5,
    2.0,
    3.0,
    4.998,
    5.0,
    5.002,
    -1.0,
    -7.3,
    1e-30,
    -1e-30,
    1e9,
    -1e9,
    3e38,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::NAN,
];

fn coordinates(random: &mut Random) -> f32 {
    let draw = random.next();
    match draw % 4 {
        0 => SPECIAL[(draw >> 8) as usize % SPECIAL.len()],
        // Texel borders and centres of fractions.
        1 => ((draw >> 8) % 64) as f32 / 16.0 - 1.0,
        2 => ((draw >> 8) as u32 as f32 / u32::MAX as f32) * 3.0 - 1.0,
        _ => ((draw >> 8) as u32 as f32 / u32::MAX as f32) * 20.0 - 6.0,
    }
}

/// Every sampler that goes with a format.
fn samplers(format: Format) -> Vec<Sampler> {
    let mut samplers = Vec::new();
    for read in [ReadMode::Element, ReadMode::NormalisedFloat] {
        for filter in [Filter::Point, Filter::Linear] {
            for normalised in [false, true] {
                for addressing in
                    [Addressing::Clamp, Addressing::Border, Addressing::Wrap, Addressing::Mirror]
                {
                    samplers.push(Sampler { read, filter, addressing: [addressing; 3], normalised });
                }
            }
        }
    }
    let image = Image::dense(Geometry::D1, format, 1, [5, 1, 1], BASE);
    samplers.retain(|&sampler| Texture { image, sampler }.check().is_ok());
    samplers
}

const FORMATS: [Format; 8] =
    [Format::U8, Format::S8, Format::U16, Format::S16, Format::F16, Format::U32, Format::S32, Format::F32];

fn result_type(texture: &Texture) -> Type {
    let float = texture.image.format.is_float() || texture.sampler.read == ReadMode::NormalisedFloat;
    if float { Type::F32 } else { Type::U32 }
}

/// Compares `rounds` random fetches of every format, sampler and number of channels.
fn compare(geometry: Geometry, extent: [u32; 3], rounds: u32) {
    let mut random = Random(3);
    let mut compared = 0;
    for format in FORMATS {
        for sampler in samplers(format) {
            for channels in [1, 2, 4] {
                let mut image = Image::dense(geometry, format, channels, extent, BASE);
                image.pitch = (image.pitch + 16).next_multiple_of(32);
                let texture = Texture { image, sampler };
                for _ in 0..rounds {
                    let c = [0; 3].map(|_| coordinates(&mut random));
                    let layer = (random.next() % 5) as u32;
                    let layered = geometry.is_layered();
                    let bits = c.map(f32::to_bits);
                    let given =
                        if layered { [layer, bits[0], bits[1], 0] } else { [bits[0], bits[1], bits[2], 0] };
                    let mut taps = [0, 1, 2].map(|_| vec![(Some(0), 1)]);
                    for (i, taps) in taps.iter_mut().enumerate().take(geometry.axes()) {
                        *taps = oracle::axis(c[i], extent[i], &sampler, sampler.addressing[i]);
                    }
                    let slice = if layered { layer.min(extent[2] - 1) } else { 0 };
                    let found = fetch(texture, given, false, result_type(&texture));
                    assert_eq!(
                        found,
                        expected(&texture, &taps, slice),
                        "{texture:?} at {c:?}, layer {layer}"
                    );
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 5000, "{compared} fetches");
}

#[test]
fn one_axis() {
    compare(Geometry::D1, [5, 1, 1], 60);
}

#[test]
fn two_axes() {
    compare(Geometry::D2, [5, 3, 1], 60);
}

#[test]
fn three_axes() {
    compare(Geometry::D3, [5, 4, 3], 60);
}

#[test]
fn layers() {
    compare(Geometry::A1d, [5, 1, 3], 40);
    compare(Geometry::A2d, [5, 3, 3], 40);
}

#[test]
fn linear_memory_is_zero_outside() {
    let image = Image::dense(Geometry::Linear, Format::S16, 2, [100, 1, 1], BASE);
    let texture = Texture { image, sampler: Sampler::default() };
    for x in [-1, 0, 1, 99, 100, i32::MIN, i32::MAX] {
        let found = fetch(texture, [x as u32, 0, 0, 0], true, Type::S32);
        let channel = |c| match u32::try_from(x) {
            Ok(x) if x < 100 => contents(Format::S16, [x, 0, 0], c) as u16 as i16 as i32 as u32,
            _ => 0,
        };
        assert_eq!(found, [channel(0), channel(1), 0, 1], "{x}");
    }
}

#[test]
fn integer_coordinates_are_texel_numbers() {
    let image = Image::dense(Geometry::D2, Format::F32, 1, [5, 3, 1], BASE);
    let sampler = Sampler { filter: Filter::Linear, ..Sampler::default() };
    let found = fetch(Texture { image, sampler }, [3, -2_i32 as u32, 0, 0], true, Type::F32);
    assert_eq!(found[0], contents(Format::F32, [3, 0, 0], 0));
}

/// The faces of the guide's table, at the middle of each texel of a face of four.
#[test]
fn a_direction_selects_face_and_texel() {
    let image = Image::dense(Geometry::Cube, Format::U32, 1, [2, 2, 6], BASE);
    let sampler = Sampler { normalised: true, ..Sampler::default() };
    // (face, direction of s, direction of t, main direction)
    let faces = [
        (0, [0.0, 0.0, -1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]),
        (1, [0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [-1.0, 0.0, 0.0]),
        (2, [1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]),
        (3, [1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]),
        (4, [1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]),
        (5, [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]),
    ];
    for (face, s, t, m) in faces {
        for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
            let along = |i: u32| if i == 0 { -0.5 } else { 0.5 };
            let direction = [0, 1, 2].map(|i| 3.0 * (m[i] + along(x) * s[i] + along(y) * t[i]));
            let [a, b, c] = direction.map(f32::to_bits);
            let found = fetch(Texture { image, sampler }, [a, b, c, 0], false, Type::U32);
            assert_eq!(found[0], contents(Format::U32, [x, y, face], 0), "face {face}, {direction:?}");
        }
    }
}
