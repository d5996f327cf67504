//! Fetches of every geometry at given places, against texel numbers and interpolations worked out by hand.

use heddle_isa::texture::{Addressing, Binding, Filter, Format, Geometry, Image, ReadMode, Sampler, Texture};
use heddle_workloads::script::Script;

use crate::made::{HOST, Made};

/// A texture and what is fetched from it.
#[derive(Clone)]
struct Fetch {
    /// Such as `tex.2d.v4.f32.f32`.
    instruction: &'static str,
    /// Coordinates of the instruction, `%r0` to `%r3`.
    coordinates: &'static str,
    image: Image,
    sampler: Sampler,
    texels: Vec<u32>,
    places: Vec<Place>,
}

/// Coordinates of a thread, and the result.
type Place = ([u32; 4], [u32; 4]);

impl Fetch {
    fn ptx(&self) -> String {
        format!(
            ".version 8.6\n.target sm_90\n.address_size 64\n\
             .visible .entry k(.param .u64 places, .param .u64 out, .param .u64 image)\n{{\n\
             .reg .b32 %r<8>, %t;\n.reg .b64 %rd<4>;\nmov.u32 %t, %tid.x;\nmul.wide.u32 %rd1, %t, 16;\n\
             ld.param.u64 %rd2, [places];\nadd.s64 %rd2, %rd2, %rd1;\n\
             ld.global.v4.b32 {{%r0, %r1, %r2, %r3}}, [%rd2];\nld.param.u64 %rd3, [image];\n\
             {} {{%r4, %r5, %r6, %r7}}, [%rd3, {{{}}}];\n\
             ld.param.u64 %rd2, [out];\nadd.s64 %rd2, %rd2, %rd1;\n\
             st.global.v4.b32 [%rd2], {{%r4, %r5, %r6, %r7}};\nret;\n}}\n",
            self.instruction, self.coordinates
        )
    }

    fn passes(self) {
        let words = 4 * self.places.len();
        let ptx = self.ptx();
        let script = move || {
            let mut s = Script::new(HOST);
            let column = |f: fn(&Place) -> [u32; 4]| self.places.iter().flat_map(f).collect();
            let (places, expected): (Vec<u32>, Vec<u32>) = (column(|p| p.0), column(|p| p.1));
            let places = s.input("places", &places);
            let out = s.output::<u32>("out", expected.len());
            let texels = s.input("texels", &self.texels);
            let texture = Texture { image: self.image, sampler: self.sampler };
            let texture = s.texture(texels, Binding::Texture(texture));
            let threads = self.places.len();
            s.launch("k", [1, 1, 1], [threads, 1, 1]).pointer(places).pointer(out).handle(texture);
            s.judge(move |r| r.exact(out, &expected));
            s
        };
        Made::new(ptx, script).passes(words);
    }
}

fn floats<const N: usize>(values: [f32; N]) -> [u32; N] {
    values.map(f32::to_bits)
}

/// Every place of a box around an image of three axes, one outside on each side.
fn around([columns, rows, slices]: [i32; 3]) -> Vec<[i32; 3]> {
    let mut places = Vec::new();
    for z in -1..=slices {
        for y in -1..=rows {
            places.extend((-1..=columns).map(|x| [x, y, z]));
        }
    }
    places
}

/// The number of a texel in an image without padding.
fn number([x, y, z]: [i32; 3], [columns, rows, _]: [i32; 3]) -> i32 {
    (z * rows + y) * columns + x
}

#[test]
fn one_axis_of_four_channels_clamps() {
    let texel = |i: u32| floats([i as f32, i as f32 + 0.25, -(i as f32), 1e9 + 64.0 * i as f32]);
    let places = [(-3.5, 0), (-0.0, 0), (0.999, 0), (1.0, 1), (3.75, 3), (5.0, 4), (1e30, 4), (-1e30, 0)];
    Fetch {
        instruction: "tex.1d.v4.f32.f32",
        coordinates: "%r0",
        image: Image::dense(Geometry::D1, Format::F32, 4, [5, 1, 1], 0),
        sampler: Sampler::default(),
        texels: (0..5).flat_map(texel).collect(),
        places: places.iter().map(|&(x, i)| (floats([x, 9.0, 9.0, 9.0]), texel(i))).collect(),
    }
    .passes();
}

#[test]
fn integer_places_of_three_axes_have_a_border() {
    let extent = [4, 3, 2];
    let texel = |i: i32| [0, 1, 2, 3].map(|c| (1000 * c + i) as u32);
    let inside = |p: [i32; 3]| p.iter().zip(extent).all(|(&c, n)| (0..n).contains(&c));
    let place = |p: [i32; 3]| {
        let value = if inside(p) { texel(number(p, extent)) } else { [0; 4] };
        ([p[0] as u32, p[1] as u32, p[2] as u32, 77], value)
    };
    Fetch {
        instruction: "tex.3d.v4.u32.s32",
        coordinates: "%r0, %r1, %r2, %r3",
        image: Image::dense(Geometry::D3, Format::U32, 4, extent.map(|n| n as u32), 0),
        sampler: Sampler { addressing: [Addressing::Border; 3], ..Sampler::default() },
        texels: (0..24).flat_map(texel).collect(),
        places: around(extent).into_iter().map(place).collect(),
    }
    .passes();
}

/// Layers are numbered without sign and end at the last; other axes wrap and mirror.
#[test]
fn layers_of_one_and_two_axes() {
    let normalised = |x: Addressing, y| Sampler {
        addressing: [x, y, Addressing::Clamp],
        normalised: true,
        ..Sampler::default()
    };
    let mut places = Vec::new();
    for layer in [0_u32, 1, 2, 3, 9, u32::MAX] {
        for (x, n) in [(-1.0, 0), (0.0, 0), (0.25, 2), (0.875, 7), (1.0, 0), (2.25, 2), (-0.25, 6)] {
            let value = 100 * layer.min(2) + n;
            places.push(([layer, f32::to_bits(x), 0, 0], [value, 0, 0, 1]));
        }
    }
    Fetch {
        instruction: "tex.a1d.v4.s32.f32",
        coordinates: "%r0, %r1",
        image: Image::dense(Geometry::A1d, Format::S32, 1, [8, 1, 3], 0),
        sampler: normalised(Addressing::Wrap, Addressing::Clamp),
        texels: (0..24).map(|i| 100 * (i / 8) + i % 8).collect(),
        places,
    }
    .passes();

    // Texels 0 1 2 3 3 2 1 0 0 1 ... in x; rows clamp.
    let mirrored = [(-0.125, 0), (0.125, 0), (0.875, 3), (1.125, 3), (1.375, 2), (1.875, 0), (2.125, 0)];
    let rows = [(-0.5, 0), (0.25, 0), (0.75, 1), (3.0, 1)];
    let mut places = Vec::new();
    for layer in [0, 1, 2, 5] {
        for (y, row) in rows {
            for (x, column) in mirrored {
                let value = 50 * layer.min(2) as i32 - 10 * row - column;
                places.push(([layer, f32::to_bits(x), f32::to_bits(y), 0], [value as u32, 0, 0, 1]));
            }
        }
    }
    Fetch {
        instruction: "tex.a2d.v4.s32.f32",
        coordinates: "%r0, %r1, %r2, %r3",
        image: Image::dense(Geometry::A2d, Format::S32, 1, [4, 2, 3], 0),
        sampler: normalised(Addressing::Mirror, Addressing::Clamp),
        texels: (0..24).map(|i| (50 * (i / 8) - 10 * (i / 4 % 2) - i % 4) as u32).collect(),
        places,
    }
    .passes();
}

/// A texel that is a linear function of its place is interpolated to that function.
#[test]
fn three_axes_are_interpolated() {
    let extent = [4, 3, 5];
    let value = |x: f32, y: f32, z: f32| 100.0 * z + 10.0 * y + x;
    let mut places = Vec::new();
    // From centre to centre in quarters, then beyond the first and last centres, where it stays.
    let quarters = |last: i32| (-2..4 * last + 3).map(move |q| (0.5 + q as f32 / 4.0, q, last));
    let clamped = |(_, q, last): (f32, i32, i32)| (q.clamp(0, 4 * last)) as f32 / 4.0;
    for x in quarters(3).step_by(3) {
        for y in quarters(2).step_by(2) {
            for z in quarters(4).step_by(5) {
                let expected = value(clamped(x), clamped(y), clamped(z));
                places.push((floats([x.0, y.0, z.0, 0.0]), floats([expected, 0.0, 0.0, 1.0])));
            }
        }
    }
    let at = |i: i32| value((i % 4) as f32, (i / 4 % 3) as f32, (i / 12) as f32).to_bits();
    Fetch {
        instruction: "tex.3d.v4.f32.f32",
        coordinates: "%r0, %r1, %r2, %r3",
        image: Image::dense(Geometry::D3, Format::F32, 1, extent, 0),
        sampler: Sampler { filter: Filter::Linear, ..Sampler::default() },
        texels: (0..60).map(at).collect(),
        places,
    }
    .passes();
}

/// Bytes as fractions of 255, halfway between two of them, and a border of zeros.
#[test]
fn bytes_are_read_as_fractions() {
    let sampler = Sampler {
        read: ReadMode::NormalisedFloat,
        filter: Filter::Linear,
        addressing: [Addressing::Border; 3],
        normalised: true,
    };
    // Texels (51, 255) and (153, 0): 0.2 and 1, 0.6 and 0.
    let half = |a: u8, b: u8| {
        let fraction = |x: u8| f64::from(f32::from(x) / 255.0);
        ((128.0 * fraction(a) + 128.0 * fraction(b)) / 256.0) as f32
    };
    let places = [
        (0.25, [51.0 / 255.0, 1.0]),
        (0.5, [half(51, 153), 0.5]),
        (0.75, [153.0 / 255.0, 0.0]),
        (0.0, [half(0, 51), 0.5]),
        (1.0, [half(153, 0), 0.0]),
        (-0.5, [0.0, 0.0]),
        (f32::NAN, [half(0, 51), 0.5]),
    ];
    Fetch {
        instruction: "tex.1d.v4.f32.f32",
        coordinates: "%r0",
        image: Image::dense(Geometry::D1, Format::U8, 2, [2, 1, 1], 0),
        sampler,
        texels: vec![u32::from_le_bytes([51, 255, 153, 0])],
        places: places.iter().map(|&(x, [r, g])| (floats([x; 4]), floats([r, g, 0.0, 1.0]))).collect(),
    }
    .passes();
}

/// The directions of the faces of a cube: s, t and the main one (CUDA programming guide, "Cubemap
/// Textures").
const FACES: [[[f32; 3]; 3]; 6] = [
    [[0.0, 0.0, -1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]],
    [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [-1.0, 0.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, -1.0, 0.0]],
    [[1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, 1.0]],
    [[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]],
];

/// The direction through `s`, `t` in -1 to 1 of a face, `length` long on the main axis.
fn direction(face: usize, s: f32, t: f32, length: f32) -> [f32; 3] {
    let [along_s, along_t, main] = FACES[face];
    [0, 1, 2].map(|i| length * (main[i] + s * along_s[i] + t * along_t[i]))
}

/// Faces of four texels a side, whose value is linear on the face: in quarters of a texel, and constant
/// beyond the outermost centres, for the filter does not look around an edge.
#[test]
fn a_cube_is_interpolated_on_each_face() {
    let value = |face: usize, x: f32, y: f32| 100.0 * face as f32 + 10.0 * y + x;
    let mut places = Vec::new();
    let quarters = [0.25, 0.5, 1.25, 2.0, 2.75, 3.5, 3.75];
    for face in 0..6 {
        for u in quarters {
            for v in [0.25, 1.75, 3.0] {
                let [x, y, z] = direction(face, u / 2.0 - 1.0, v / 2.0 - 1.0, 2.0);
                let on = |c: f32| (c - 0.5).clamp(0.0, 3.0);
                let expected = value(face, on(u), on(v));
                places.push((floats([x, y, z, 0.0]), floats([expected, 0.0, 0.0, 1.0])));
            }
        }
    }
    let texel = |i: usize| value(i / 16, (i % 4) as f32, (i / 4 % 4) as f32).to_bits();
    Fetch {
        instruction: "tex.cube.v4.f32.f32",
        coordinates: "%r0, %r1, %r2, %r3",
        image: Image::dense(Geometry::Cube, Format::F32, 1, [4, 4, 6], 0),
        sampler: Sampler { filter: Filter::Linear, normalised: true, ..Sampler::default() },
        texels: (0..96).map(texel).collect(),
        places,
    }
    .passes();
}

#[test]
fn layers_of_cubes() {
    let mut places = Vec::new();
    for layer in [0, 1, 2, 7] {
        for face in 0..6 {
            for (x, y) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                let along = |i: usize| i as f32 - 0.5;
                let [a, b, c] = floats(direction(face, along(x), along(y), 0.25));
                let texel = 24 * layer.min(2) + 4 * face + 2 * y + x;
                places.push(([layer as u32, a, b, c], [7 * texel as u32, 0, 0, 1]));
            }
        }
    }
    Fetch {
        instruction: "tex.acube.v4.u32.f32",
        coordinates: "%r0, %r1, %r2, %r3",
        image: Image::dense(Geometry::ACube, Format::U32, 1, [2, 2, 18], 0),
        sampler: Sampler { normalised: true, ..Sampler::default() },
        texels: (0..72).map(|i| 7 * i).collect(),
        places,
    }
    .passes();
}
